// Laws of the Gerber reader: areas, polarity, repeats, and named faults.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/gerber.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "assay/planar/layout_json.h"
#include "assay/planar/rasterise.h"

namespace assay::planar {
namespace {

constexpr double kPi = std::numbers::pi;

std::string File(const std::string& body, const std::string& units = "MM") {
  return "%FSLAX36Y36*%\n%MO" + units + "*%\n%ADD10C,2*%\n%ADD11R,3X2*%\n" +
         "G75*\nG01*\n" + body + "M02*\n";
}

GerberLayer Read(const std::string& body) {
  const auto layer = ParseGerber(File(body), "t.gbr");
  EXPECT_TRUE(layer.ok()) << layer.error().what;
  return layer.ok() ? *layer : GerberLayer{};
}

double Area(const Shape& shape) {
  const auto& points = std::get<Polygon>(shape.form).points;
  double twice = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const Vec2& a = points[i];
    const Vec2& b = points[(i + 1) % points.size()];
    twice += a.x * b.y - b.x * a.y;
  }
  return twice / 2;
}

void ExpectFault(const std::string& text, const std::string& expected,
                 Code code = Code::kCorrupt) {
  const auto layer = ParseGerber(text, "t.gbr");
  ASSERT_FALSE(layer.ok()) << expected;
  EXPECT_EQ(layer.error().code, code) << layer.error().what;
  EXPECT_NE(layer.error().what.find(expected), std::string::npos)
      << layer.error().what << "\n  is not: " << expected;
}

TEST(Gerber, FlashesHaveTheirAreas) {
  const GerberLayer layer = Read(
      "%ADD12O,4X2*%%ADD13P,2X6*%%ADD14C,2X1*%%ADD15R,2X2X1*%"
      "D10*X0Y0D03*D11*X5000000Y0D03*D12*X0Y9000000D03*D13*Y0D03*D14*D03*"
      "D15*X-3000000D03*");
  ASSERT_EQ(layer.shapes.size(), 6u);
  EXPECT_NEAR(Area(layer.shapes[0]), kPi, 0.01);
  EXPECT_NEAR(Area(layer.shapes[1]), 6, 1e-12);
  EXPECT_NEAR(Area(layer.shapes[2]), 4 + kPi, 0.01);
  EXPECT_NEAR(Area(layer.shapes[3]), 1.5 * std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(Area(layer.shapes[4]), kPi * 0.75, 0.01);
  EXPECT_NEAR(Area(layer.shapes[5]), 4 - kPi / 4, 0.01);
}

TEST(Gerber, LinesSweepTheirAperture) {
  const GerberLayer layer = Read(
      "D10*X0Y0D02*X3000000Y4000000D01*"
      "D11*X0Y0D02*X5000000Y0D01*X8000000Y-4000000D01*X0Y0D01*");
  ASSERT_EQ(layer.shapes.size(), 4u);
  EXPECT_NEAR(Area(layer.shapes[0]), 10 + kPi, 0.01);
  EXPECT_NEAR(Area(layer.shapes[1]), 8 * 2, 1e-12);
  EXPECT_NEAR(Area(layer.shapes[2]), 6 + 3 * 2 + 4 * 3, 1e-12);
  EXPECT_NEAR(Area(layer.shapes[3]), 6 + 8 * 2 + 4 * 3, 1e-12);
}

TEST(Gerber, ArcsTurnTheirWay) {
  const std::string half = "G36*X1000000Y0D02*";
  const std::string close = "I-1000000J0D01*G01*X1000000Y0D01*G37*";
  const GerberLayer up = Read(half + "G03*X-1000000Y0" + close);
  const GerberLayer down = Read(half + "G02*X-1000000Y0" + close);
  EXPECT_NEAR(Area(up.shapes[0]), kPi / 2, 0.01);
  EXPECT_NEAR(Area(down.shapes[0]), -kPi / 2, 0.01);
  const GerberLayer full =
      Read("G36*X1000000Y0D02*G03*X1000000Y0I-1000000J0D01*G37*");
  EXPECT_NEAR(Area(full.shapes[0]), kPi, 0.01);
}

TEST(Gerber, ChordsStayWithinTwoMicrometres) {
  for (const Shape& shape : Read("D10*X0Y0D03*").shapes) {
    const auto& points = std::get<Polygon>(shape.form).points;
    for (size_t i = 0; i < points.size(); ++i) {
      const Vec2& a = points[i];
      const Vec2& b = points[(i + 1) % points.size()];
      EXPECT_GT(std::hypot(a.x + b.x, a.y + b.y) / 2, 1 - 0.002001);
    }
  }
}

TEST(Gerber, PolarityAndRepeats) {
  const GerberLayer layer =
      Read("D11*%SRX3Y2I5.0J4.0*%X0Y0D03*%LPC*%X1000000D03*%SR*%%LPD*%D03*");
  ASSERT_EQ(layer.shapes.size(), 13u);
  EXPECT_FALSE(layer.shapes[0].clear);
  EXPECT_TRUE(layer.shapes[1].clear);
  EXPECT_TRUE(layer.shapes[11].clear);
  EXPECT_FALSE(layer.shapes[12].clear);
  const auto& last = std::get<Polygon>(layer.shapes[11].form).points;
  EXPECT_DOUBLE_EQ(last[0].x, 1 - 1.5 + 2 * 5);
  EXPECT_DOUBLE_EQ(last[0].y, -1 + 4);
}

TEST(Gerber, InchesStayInches) {
  const auto layer = ParseGerber(File("D10*X1000000Y0D03*", "IN"), "t.gbr");
  ASSERT_TRUE(layer.ok());
  EXPECT_EQ(layer->units, Units::kInch);
  EXPECT_DOUBLE_EQ(std::get<Polygon>(layer->shapes[0].form).points[0].x, 2);
}

TEST(Gerber, AHandMadeBoardBecomesAMesh) {
  const auto layer =
      ReadGerber(std::string(ASSAY_TESTDATA) + "/planar/two_apertures.gbr");
  ASSERT_TRUE(layer.ok()) << layer.error().what;
  ASSERT_EQ(layer->shapes.size(), 4u);
  Layout layout;
  layout.units = layer->units;
  layout.substrate = {4.4, 0, 1.6};
  layout.dx = layout.dy = 0.5;
  layout.metal = layer->shapes;
  for (const double at : {-17.0, 17.0}) {
    Layout::Port port;
    port.at = at;
    port.from = -2.5;
    port.to = 2.5;
    layout.ports.push_back(port);
  }
  const auto raster = Rasterise(layout);
  ASSERT_TRUE(raster.ok()) << raster.error().what;
  EXPECT_EQ(raster->mesh.ports[1].currents.size(), 10u);
  EXPECT_EQ(raster->mesh.nx, 68);
  // The line of 3 mm, both pads, the stub and its half disc.
  const double area = 26 * 3 + 2 * 4 * 5 + 3 * 10.5 + kPi * 1.5 * 1.5 / 2;
  EXPECT_NEAR(raster->mesh.cells.size() * 0.25, area, 1);

  const auto again = ParseLayout(WriteLayout(layout), "w.json");
  ASSERT_TRUE(again.ok()) << again.error().what;
  EXPECT_EQ(Rasterise(*again)->mesh.metal, raster->mesh.metal);
}

TEST(Gerber, WhatIsOutsideTheSubsetIsNamed) {
  const auto code = Code::kUnsupported;
  ExpectFault(File("%AMROUND*1,1,0.5,0,0*%"), "t.gbr:7: the command \"AMROUND",
              code);
  ExpectFault(File("%ADD12ROUND,1X2*%"), "template \"ROUND\" is a macro", code);
  ExpectFault(File("%ABD12*%"), "\"ABD12\"", code);
  ExpectFault(File("%IPNEG*%"), "\"IPNEG\"", code);
  ExpectFault(File("%LR45*%"), "\"LR45\"", code);
  ExpectFault(File("G91*"), "\"G91\"", code);
  ExpectFault(File("M00*"), "\"M00\"", code);
  ExpectFault(File("D11*X0Y0D02*G03*X0Y0I1000000J0D01*"), "\"D01\"", code);
  ExpectFault(File("G74*G03*X0Y0D02*X5Y0I5J0D01*"), "\"G74\"", code);
}

TEST(Gerber, BrokenFilesAreNamedByLine) {
  ExpectFault(File("\n\nD12*"), "t.gbr:9: D12 was not defined");
  ExpectFault(File("X0Y0D03*"), "t.gbr:7: D03 before an aperture");
  ExpectFault(File("D10*X5Y5*"), "no D01, D02 or D03");
  ExpectFault(File("G36*X0Y0D02*X9Y0D01*X9Y9D01*G37*"), "an open contour");
  ExpectFault(File("G36*X0Y0D02*X9Y9D01*X9Y0D01*X0Y9D01*X0Y0D01*G37*"),
              "a contour crosses itself");
  ExpectFault(File("G36*"), "ends inside a region");
  ExpectFault(File("D10*X0Y0D02*G03*X9000000Y0I1000000J0D01*"),
              "the arc's ends are");
  ExpectFault("%FSLAX36Y36*%\n%MOMM*%\n", "ends without M02");
  ExpectFault("%FSLAX36Y36*%\n%MOMM*%\nD1", "t.gbr:3: no * ends \"D1\"");
  ExpectFault("%FSLAX36Y36*\n", "t.gbr:1: no second %");
  ExpectFault("%FSLAX36Y24*%", "no usable format");
  ExpectFault("X0Y0D02*", "coordinates before FS and MO");
  ExpectFault(File("%ADD12R,1X-1*%"), "not above zero");
  ExpectFault(File("%ADD12C,1X1*%"), "hole does not fit");
  ExpectFault(File("%ADD10C,1*%"), "D10 is defined twice");
  ExpectFault(File("%SRX0Y1I0J0*%"), "SR repeats at least once");
  ExpectFault(File("%SRX2*%"), "SR without its values");
  ExpectFault(File("M02*"), "a command after M02");
  ExpectFault("", "ends without M02");
}

TEST(Gerber, RepeatsStopAtTheirLimit) {
  const auto layer =
      ParseGerber(File("D11*%SRX99999Y99999I1J1*%X0Y0D03*%SR*%"), "t.gbr");
  ASSERT_FALSE(layer.ok());
  EXPECT_EQ(layer.error().code, Code::kOverBudget);
}

}  // namespace
}  // namespace assay::planar
