// Laws of pixels: where metal, ports and vias land, and what is told of it.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/rasterise.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace assay::planar {
namespace {

Layout::Port EdgePort(Axis axis, double at, double from, double to) {
  Layout::Port port;
  port.axis = axis;
  port.at = at;
  port.from = from;
  port.to = to;
  return port;
}

Layout::Port PointPort(double x, double y) {
  Layout::Port port;
  port.kind = PortKind::kGround;
  port.point = Vec2{x, y};
  return port;
}

// The FR4 stub of the references.
Layout Stub() {
  Layout layout;
  layout.substrate = {4.4, 0, 1.6};
  layout.dx = layout.dy = 0.5;
  layout.metal = {{Rect{-15, 15, -1.5, 1.5}}, {Rect{-1.5, 1.5, 1.5, 13.5}}};
  layout.ports = {EdgePort(Axis::kX, -15, -1.5, 1.5),
                  EdgePort(Axis::kX, 15, -1.5, 1.5)};
  return layout;
}

Layout OneShape(Shape shape, double dx, double dy, Vec2 port) {
  Layout layout;
  layout.substrate = {1, 0, 1};
  layout.dx = dx;
  layout.dy = dy;
  layout.metal = {std::move(shape)};
  layout.ports = {PointPort(port.x, port.y)};
  return layout;
}

// Rows from above, '#' for metal.
std::string Picture(const Mesh& mesh) {
  std::string out;
  for (int j = mesh.ny - 1; j >= 0; --j) {
    for (int i = 0; i < mesh.nx; ++i) {
      out += mesh.metal[static_cast<size_t>(i) * mesh.ny + j] ? '#' : '.';
    }
    out += '\n';
  }
  return out;
}

std::string FaultOf(const Layout& layout) {
  const auto raster = Rasterise(layout);
  return raster.ok() ? "accepted"
                     : raster.error().what + " | " + raster.error().hint;
}

void ExpectFault(const Layout& layout, const std::string& expected) {
  const std::string fault = FaultOf(layout);
  EXPECT_NE(fault.find(expected), std::string::npos)
      << fault << "\n  is not: " << expected;
}

TEST(Rasterise, TheReferenceStubHasItsUnknowns) {
  const auto raster = Rasterise(Stub());
  ASSERT_TRUE(raster.ok()) << raster.error().what;
  const Mesh& mesh = raster->mesh;
  EXPECT_EQ(mesh.nx, 60);
  EXPECT_EQ(mesh.ny, 30);
  EXPECT_DOUBLE_EQ(mesh.dx, 0.5e-3);
  EXPECT_DOUBLE_EQ(mesh.x0, -15e-3);
  EXPECT_EQ(mesh.unknowns(), 930u);  // table 12 of the reference study
  EXPECT_EQ(raster->largest_move, 0);
  EXPECT_TRUE(raster->warnings.empty());
  EXPECT_EQ(raster->islands, 0u);
  ASSERT_EQ(mesh.ports[0].currents.size(), 6u);
  for (const auto& c : mesh.ports[0].currents) EXPECT_EQ(c.side, Side::kWest);
  for (const auto& c : mesh.ports[1].currents) EXPECT_EQ(c.side, Side::kEast);
}

TEST(Rasterise, TellsHowFarEachEdgeMoved) {
  Layout layout = Stub();
  layout.metal[1].form = Rect{-1.4, 1.8, 1.5, 13.6};
  const auto raster = Rasterise(layout);
  ASSERT_TRUE(raster.ok()) << raster.error().what;
  const auto moved = [&](const std::string& key) {
    const auto found = std::ranges::find(raster->moves, key, &EdgeMove::key);
    return found == raster->moves.end() ? std::nan("") : found->moved;
  };
  EXPECT_NEAR(moved("metal[1].rect[0]"), -0.1, 1e-9);
  EXPECT_NEAR(moved("metal[1].rect[1]"), 0.2, 1e-9);
  EXPECT_NEAR(moved("metal[1].rect[3]"), -0.1, 1e-9);
  EXPECT_NEAR(moved("ports[0].at"), 0, 1e-9);
  EXPECT_NEAR(raster->largest_move, 0.2, 1e-9);
}

TEST(Rasterise, EdgesMoveByHalfAPixelAtMost) {
  for (int step = 0; step < 40; ++step) {
    Layout layout = Stub();
    const double shift = 0.0371 * step;
    layout.metal[1].form = Rect{-1.5 + shift, 1.5 + 2 * shift, 0, 9 + shift};
    const auto raster = Rasterise(layout);
    ASSERT_TRUE(raster.ok());
    EXPECT_LE(raster->largest_move, 0.25 + 1e-6);
  }
}

TEST(Rasterise, APolygonOfARectangleIsTheRectangle) {
  for (const double width : {3.0, 3.1, 3.25, 3.3, 7.7}) {
    const Rect r{0.3, 0.3 + width, -1.1, 4.2};
    const Polygon p{{{r.x0, r.y0}, {r.x1, r.y0}, {r.x1, r.y1}, {r.x0, r.y1}}};
    const auto a = Rasterise(OneShape({r}, 0.5, 0.2, {1, 1}));
    const auto b = Rasterise(OneShape({p}, 0.5, 0.2, {1, 1}));
    ASSERT_TRUE(a.ok() && b.ok());
    EXPECT_EQ(Picture(a->mesh), Picture(b->mesh)) << width;
    EXPECT_EQ(a->largest_move, b->largest_move);
  }
}

TEST(Rasterise, TrianglesTileTheirSquare) {
  Layout layout =
      OneShape({Polygon{{{0, 0}, {9, 0}, {9, 9}}}}, 0.37, 0.81, {8, 2});
  layout.metal.push_back({Polygon{{{0, 0}, {9, 9}, {0, 9}}}});
  const auto both = Rasterise(layout);
  const auto square =
      Rasterise(OneShape({Rect{0, 9, 0, 9}}, 0.37, 0.81, {8, 2}));
  ASSERT_TRUE(both.ok() && square.ok());
  EXPECT_EQ(Picture(both->mesh), Picture(square->mesh));
  const auto stair = std::ranges::find(both->moves, true, &EdgeMove::stair);
  EXPECT_NE(stair, both->moves.end());
}

TEST(Rasterise, AHoleCutInWithOneOutlineIsAHole) {
  const Polygon ring{{{0, 0},
                      {5, 0},
                      {5, 5},
                      {0, 5},
                      {0, 2},
                      {2, 2},
                      {2, 3},
                      {3, 3},
                      {3, 2},
                      {0, 2}}};
  const auto raster = Rasterise(OneShape({ring}, 1, 1, {0.5, 0.5}));
  ASSERT_TRUE(raster.ok()) << raster.error().what;
  EXPECT_EQ(Picture(raster->mesh), "#####\n#####\n##.##\n#####\n#####\n");
}

TEST(Rasterise, ShapesApplyInOrder) {
  Layout layout = OneShape({Rect{0, 4, 0, 2}}, 1, 1, {0.5, 0.5});
  layout.metal.push_back({Rect{1, 3, 0, 1}, true});
  layout.metal.push_back({Rect{2, 3, 0, 1}});
  EXPECT_EQ(Picture(Rasterise(layout)->mesh), "####\n#.##\n");
}

TEST(Rasterise, AMaskIsDrawnPixelByPixel) {
  PixelMask mask;
  mask.nx = 3;
  mask.ny = 2;
  mask.origin = {10, 20};
  mask.metal = {1, 1, 1, 1, 0, 1};
  const auto raster = Rasterise(OneShape({mask}, 0.2, 0.3, {10.1, 20.1}));
  ASSERT_TRUE(raster.ok()) << raster.error().what;
  EXPECT_EQ(Picture(raster->mesh), "#.#\n###\n");
}

TEST(Rasterise, CornersDoNotConductAndIslandsStay) {
  Layout layout = OneShape({Rect{0, 2, 0, 2}}, 1, 1, {0.5, 0.5});
  layout.metal.push_back({Rect{2, 4, 2, 4}});
  const auto raster = Rasterise(layout);
  ASSERT_TRUE(raster.ok());
  EXPECT_EQ(raster->corner_contacts, 1u);
  EXPECT_EQ(raster->islands, 1u);
  ASSERT_EQ(raster->warnings.size(), 1u);
  EXPECT_NE(raster->warnings[0].find("first at (2, 2)"), std::string::npos);
  EXPECT_EQ(raster->mesh.cells.size(), 8u);
  EXPECT_EQ(raster->mesh.edges.size(), 8u);
}

TEST(Rasterise, GapPortsLieBetweenTwoPixels) {
  Layout layout = OneShape({Rect{0, 6, 0, 2}}, 1, 1, {0.5, 0.5});
  layout.ports = {EdgePort(Axis::kX, 3, 0, 2)};
  layout.ports[0].kind = PortKind::kGap;
  const auto raster = Rasterise(layout);
  ASSERT_TRUE(raster.ok()) << raster.error().what;
  const Port& port = raster->mesh.ports[0];
  EXPECT_EQ(port.kind, PortKind::kGap);
  ASSERT_EQ(port.currents.size(), 2u);
  EXPECT_EQ(port.currents[0].pixel, 3u * 2);
  EXPECT_EQ(port.currents[0].side, Side::kWest);
  EXPECT_EQ(raster->mesh.port_currents, 0u);
  layout.ports[0].at = 6;
  ExpectFault(layout, "metal on both sides");
}

TEST(Rasterise, GroundPortsAndViasSitInPixels) {
  Layout layout = OneShape({Rect{0, 6, 0, 2}}, 1, 0.5, {4.5, 1.6});
  layout.vias = {{{0.2, 0.1}, 0.4}};
  layout.ports.push_back(EdgePort(Axis::kX, 2.5, 0, 2));
  layout.ports[1].kind = PortKind::kGround;
  const auto raster = Rasterise(layout);
  ASSERT_TRUE(raster.ok()) << raster.error().what;
  const Mesh& mesh = raster->mesh;
  EXPECT_EQ(mesh.ports[0].currents[0].pixel, 4u * 4 + 3);
  EXPECT_EQ(mesh.ports[1].currents.size(), 4u);
  EXPECT_EQ(mesh.vias[0].pixel, 0u);
  EXPECT_DOUBLE_EQ(mesh.vias[0].radius, 0.2e-3);
}

TEST(Rasterise, NorthAndSouthPortsAreTurnedEastAndWestOnes) {
  Layout layout = OneShape({Rect{0, 2, 0, 6}}, 1, 1, {0, 0});
  layout.ports = {EdgePort(Axis::kY, 0, 0, 2), EdgePort(Axis::kY, 6, 0, 2)};
  const auto raster = Rasterise(layout);
  ASSERT_TRUE(raster.ok()) << raster.error().what;
  EXPECT_EQ(raster->mesh.ports[0].currents[1].side, Side::kSouth);
  EXPECT_EQ(raster->mesh.ports[1].currents[1].side, Side::kNorth);
  EXPECT_EQ(raster->mesh.ports[1].currents[1].pixel, 1u * 6 + 5);
}

TEST(Rasterise, PortsOffTheMetalAreToldWhereItIs) {
  Layout layout = Stub();
  layout.ports[0].at = -16;
  ExpectFault(layout, "ports[0].at: the port at x = -16 is off the metal");
  ExpectFault(layout, "the nearest rim is at x = -15");
  layout = Stub();
  layout.ports[1].at = 5;
  ExpectFault(layout, "ports[1].at: the line lies inside the metal");
  layout = Stub();
  layout.ports[1].from = 1.3;
  layout.ports[1].to = 1.4;
  ExpectFault(layout, "no pixel's centre lies between 1.3 and 1.4");
  layout = Stub();
  layout.ports.push_back(PointPort(10, 10));
  ExpectFault(layout, "ports[2].at: (10, 10) is off the metal");
  layout = Stub();
  layout.vias = {{{10, 10}, 0.3}};
  ExpectFault(layout, "vias[0].at: (10, 10) is off the metal");
}

TEST(Rasterise, TwoOnOnePixelAreNamed) {
  Layout layout = Stub();
  layout.ports.push_back(PointPort(-14.9, 0.1));
  ExpectFault(layout,
              "ports[2]: it shares the pixel at (-14.75, 0.25) with "
              "ports[0]");
  layout = Stub();
  layout.vias = {{{14.9, 0.1}, 0.3}};
  ExpectFault(layout, "vias[0]: it shares");
}

TEST(Rasterise, APortThatOverhangsIsCutAndTold) {
  Layout layout = Stub();
  layout.ports[0].to = 3;
  const auto raster = Rasterise(layout);
  ASSERT_TRUE(raster.ok());
  EXPECT_EQ(raster->mesh.ports[0].currents.size(), 6u);
  ASSERT_EQ(raster->warnings.size(), 1u);
  EXPECT_NE(raster->warnings[0].find("3 of its 9 pixels"), std::string::npos);
  // Beyond the grid there are no pixels to count.
  layout.ports[0].to = 1000;
  const auto beyond = Rasterise(layout);
  ASSERT_TRUE(beyond.ok());
  ASSERT_EQ(beyond->warnings.size(), 2u);
  EXPECT_NE(beyond->warnings[0].find("1000 and is cut"), std::string::npos);
}

TEST(Rasterise, AViaWiderThanAllMetalIsASlip) {
  Layout layout = Stub();
  layout.vias = {{{0, 0}, 300}};
  ExpectFault(layout, "vias[0].diameter: 300 is wider than the metal");
}

TEST(Rasterise, TooManyPixelsAreRefusedBeforeTheyAreMade) {
  Layout layout = Stub();
  layout.dx = layout.dy = 1e-7;
  const auto raster = Rasterise(layout);
  ASSERT_FALSE(raster.ok());
  EXPECT_EQ(raster.error().code, Code::kOverBudget);
  layout.dx = layout.dy = 100;
  ExpectFault(layout, "larger than the metal");
}

TEST(Rasterise, AFaultIsNamedByTheLineOfItsFile) {
  Layout layout = Stub();
  layout.file = "stub.json";
  layout.text = "{\n\"ports\": [\n{},\n{\"at\": 5}]}";
  layout.ports[1].at = 5;
  ExpectFault(layout, "stub.json:4: ports[1].at");
}

}  // namespace
}  // namespace assay::planar
