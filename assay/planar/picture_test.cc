// Laws of pictures: continuity of what is drawn, and even steps of colour.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/picture.h"

#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "assay/planar/test_layouts.h"
#include "assay/planar/unknowns.h"

namespace assay::planar {
namespace {

using Complex = std::complex<double>;

struct Decoded {
  uint32_t width = 0, height = 0;
  std::vector<uint8_t> rgb;
};

Decoded Decode(const std::vector<std::byte>& bytes) {
  Decoded decoded;
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_NE(
      png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()), 0);
  image.format = PNG_FORMAT_RGB;
  decoded.width = image.width;
  decoded.height = image.height;
  decoded.rgb.resize(PNG_IMAGE_SIZE(image));
  EXPECT_NE(
      png_image_finish_read(&image, nullptr, decoded.rgb.data(), 0, nullptr),
      0);
  return decoded;
}

Mesh Strip(int nx, int ny) {
  Mesh mesh = MeshOf(std::vector<std::string>(ny, std::string(nx, '#')));
  mesh.dy = 0.4e-3;
  mesh.ports = {PortOfColumn(mesh, 0, 0, ny - 1, Side::kWest),
                PortOfColumn(mesh, nx - 1, 0, ny - 1, Side::kEast)};
  EXPECT_TRUE(NumberUnknowns(mesh).ok());
  return mesh;
}

// A current of `flow` amperes from the left port to the right one, evenly.
std::vector<Complex> Through(const Mesh& mesh, Complex flow) {
  std::vector<Complex> currents(mesh.unknowns());
  const Complex share = flow / double(mesh.ny);
  std::fill_n(currents.begin(), mesh.x_edges, share);
  const auto first = currents.begin() + ptrdiff_t(mesh.edges.size());
  std::fill_n(first, mesh.ny, share);
  std::fill_n(first + mesh.ny, mesh.ny, -share);
  return currents;
}

TEST(Picture, AnEvenCurrentHasTheSameDensityUpToThePorts) {
  const Mesh mesh = Strip(7, 3);
  const auto density = CurrentDensity(mesh, Through(mesh, {0.3, 0.4}));
  ASSERT_EQ(density.size(), 21U);
  for (const double value : density) {
    EXPECT_NEAR(value, 0.5 / (3 * mesh.dy), 1e-9);
  }
}

TEST(Picture, AtAPhaseOnlyTheRealPartFlows) {
  const Mesh mesh = Strip(5, 2);
  const auto currents = Through(mesh, std::polar(2.0, 0.7));
  for (const double phase : {-0.7, 0.0, 1.1}) {
    const double expected = std::abs(2 * std::cos(0.7 + phase));
    for (const double value : CurrentDensity(mesh, currents, phase)) {
      EXPECT_NEAR(value * 2 * mesh.dy, expected, 1e-12);
    }
  }
}

TEST(Picture, EachUnknownTouchesTheCellsOfItsEnds) {
  Mesh mesh = Menagerie();
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  const auto ends = EndsOfCurrents(mesh);
  const size_t edge_ports = 5;  // the currents of the first two ports
  for (size_t k = 0; k < mesh.unknowns(); ++k) {
    std::vector<Complex> currents(mesh.unknowns());
    currents[k] = {0, 2};
    const auto density = CurrentDensity(mesh, currents);
    const bool edge = k < mesh.edges.size();
    const bool upright = k >= mesh.edges.size() + edge_ports;
    double sum = 0;
    for (size_t c = 0; c < density.size(); ++c) {
      const auto cell = static_cast<int32_t>(c);
      const bool end = cell == ends[k].to || (edge && cell == ends[k].from);
      EXPECT_EQ(density[c] > 0, end && !upright) << k;
      sum += density[c];
    }
    // Half of its density on each of two cells, or on one.
    const bool along_x = edge ? k < mesh.x_edges : k < mesh.edges.size() + 3;
    const double width = along_x ? mesh.dy : mesh.dx;
    EXPECT_NEAR(sum, upright ? 0 : (edge ? 2 : 1) / width, 1e-9) << k;
  }
}

TEST(Picture, TheChargeOfAllCellsIsTheirDensityTimesTheArea) {
  const Mesh mesh = Strip(4, 2);
  std::vector<Complex> charges;
  Complex total = 0;
  for (int c = 0; c < 8; ++c) {
    charges.push_back(std::polar(1e-12 * (c + 1), 0.5 * c));
    total += charges.back();
  }
  double sum = 0;
  for (const double value : ChargeDensity(mesh, charges, 0.3)) sum += value;
  EXPECT_NEAR(sum * mesh.dx * mesh.dy, (total * std::polar(1.0, 0.3)).real(),
              1e-24);
  EXPECT_NEAR(ChargeDensity(mesh, charges)[7], 8e-12 / (mesh.dx * mesh.dy),
              1e-12);
}

TEST(Picture, NoPhaseShowsMoreThanThePhaseOfMost) {
  const std::vector<Complex> values = {{1, 2}, {-3, 0.5}, {0.2, -4}, {2, 2}};
  const auto power = [&](double phase) {
    double sum = 0;
    for (const Complex& value : values) {
      sum += std::pow((value * std::polar(1.0, phase)).real(), 2);
    }
    return sum;
  };
  const double most = PhaseOfMost(values);
  for (int k = 0; k < 360; ++k) {
    EXPECT_LE(power(k * std::numbers::pi / 180), power(most) + 1e-12);
  }
  const std::vector<Complex> standing = {std::polar(2.0, 1.0),
                                         std::polar(-1.0, 1.0)};
  EXPECT_NEAR(PhaseOfMost(standing), -1.0, 1e-12);
  EXPECT_EQ(PhaseOfMost({}), 0);
}

TEST(Picture, AQuantileIsExceededByNoMoreThanTheRest) {
  std::vector<double> values;
  for (int k = 0; k <= 100; ++k) values.push_back(k % 2 == 0 ? k : -k);
  EXPECT_EQ(Quantile(values, 0.5), 50);
  EXPECT_EQ(Quantile(values, 1), 100);
  EXPECT_EQ(Quantile(values, 0), 0);
  EXPECT_EQ(Quantile({}, 0.5), 0);
}

TEST(Picture, TheLayoutStandsUprightAndShowsPortsAndVias) {
  Mesh mesh = MeshOf({"##", "#."});  // the second row lies above
  mesh.ports = {PortOfColumn(mesh, 0, 1, 1, Side::kNorth)};
  mesh.vias = {{2, 0.1e-3}};  // pixel (1, 0)
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  PictureOptions options;
  options.least_side = 2;
  const Picture picture = DrawLayout(mesh, options);
  EXPECT_EQ(picture.image.width, 2);
  EXPECT_EQ(picture.image.height, 2);
  const auto& pixels = picture.image.pixels;
  // From above: port, nothing, metal, via, all of them different.
  EXPECT_EQ(pixels[1], 0);
  EXPECT_EQ(std::vector<uint8_t>({pixels[2], pixels[0], pixels[3]}),
            std::vector<uint8_t>({1, 3, 4}));
  EXPECT_EQ(picture.columns, 2);
  EXPECT_EQ(picture.rows, 2);
}

TEST(Picture, SmallGridsAreEnlargedAndKeepTheirShape) {
  Mesh mesh = Strip(10, 4);
  mesh.dx = 2 * mesh.dy;
  PictureOptions options;
  options.least_side = 200;
  const Picture picture = DrawLayout(mesh, options);
  EXPECT_GE(picture.image.width, 200);
  EXPECT_EQ(picture.image.width, 5 * picture.image.height);
}

TEST(Picture, AShrunkPictureShowsTheGreatestOfItsBlock) {
  const Mesh mesh = Strip(300, 7);
  std::vector<double> values(mesh.cells.size(), 0.1);
  values[123 * 7 + 4] = -1;
  PictureOptions options;
  options.with_sign = true;
  options.least_side = options.most_side = 100;
  const Picture picture = DrawField(mesh, values, options);
  EXPECT_LE(picture.image.width, 100);
  EXPECT_GE(picture.columns, 300);
  EXPECT_EQ(picture.greatest, 1);
  const auto& pixels = picture.image.pixels;
  // -1 has the first colour after the ground's, once.
  EXPECT_EQ(std::count(pixels.begin(), pixels.end(), 1), 1);
}

TEST(Picture, DecibelsSpanTheRange) {
  const Mesh mesh = Strip(3, 1);
  const std::vector<double> values = {10, 1, 1e-6};
  PictureOptions options;
  options.least_side = 3;
  options.decibel = true;
  options.range_db = 40;
  const Picture picture = DrawField(mesh, values, options);
  const auto last = static_cast<uint8_t>(picture.colours.size());
  EXPECT_EQ(picture.image.pixels,
            (std::vector<uint8_t>{last, uint8_t(last / 2 + 1), 1}));
  EXPECT_EQ(picture.low, -40);
  EXPECT_EQ(picture.high, 0);
}

TEST(Picture, NothingHasTheColourOfNothing) {
  const Mesh mesh = Strip(3, 1);
  const std::vector<double> zeros(3);
  PictureOptions options;
  options.least_side = 1;
  for (const bool decibel : {false, true}) {
    options.decibel = decibel;
    EXPECT_EQ(DrawField(mesh, zeros, options).image.pixels[1], 1);
  }
  options.decibel = false;
  options.with_sign = true;
  const Picture picture = DrawField(mesh, zeros, options);
  EXPECT_EQ(picture.image.pixels[1], picture.colours.size() / 2 + 1);
}

TEST(Picture, APngHoldsThePixels) {
  Mesh mesh = Menagerie();
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  const Picture picture = DrawLayout(mesh, {});
  const auto bytes = EncodePng(picture.image);
  ASSERT_TRUE(bytes.ok()) << bytes.error().what;
  const Decoded decoded = Decode(*bytes);
  ASSERT_EQ(decoded.width, uint32_t(picture.image.width));
  ASSERT_EQ(decoded.height, uint32_t(picture.image.height));
  for (size_t i = 0; i < picture.image.pixels.size(); ++i) {
    const Colour c = picture.image.palette[picture.image.pixels[i]];
    ASSERT_EQ(decoded.rgb[3 * i], c.red);
    ASSERT_EQ(decoded.rgb[3 * i + 1], c.green);
    ASSERT_EQ(decoded.rgb[3 * i + 2], c.blue);
  }
}

TEST(Picture, ALargeFieldIsASmallFile) {
  const int n = 700;
  const Mesh mesh = Strip(n, n);
  std::vector<double> values;
  for (const uint32_t pixel : mesh.cells) {
    const double x = int(pixel) / n;
    const double y = int(pixel) % n;
    values.push_back(std::sin(x / 40) * std::cos(y / 55) + 0.3);
  }
  PictureOptions options;
  options.what = "a wave";
  options.unit = "C/m^2";
  options.with_sign = true;
  const auto bytes = EncodePng(DrawField(mesh, values, options).image);
  ASSERT_TRUE(bytes.ok());
  EXPECT_LT(bytes->size(), 100'000U);
  const std::string text(reinterpret_cast<const char*>(bytes->data()),
                         bytes->size());
  EXPECT_NE(text.find("a wave: -1.3 to 1.3 C/m^2"), std::string::npos);
}

TEST(Picture, AnImageThatDoesNotFitTogetherIsRefused) {
  PaletteImage image;
  EXPECT_FALSE(EncodePng(image).ok());
  image = {2, 1, {0, 1}, {{0, 0, 0}, {9, 9, 9}}, ""};
  EXPECT_TRUE(EncodePng(image).ok());
  image.pixels[0] = 2;  // a colour that is not there
  EXPECT_FALSE(EncodePng(image).ok());
  image.pixels = {0};
  EXPECT_FALSE(EncodePng(image).ok());
}

double Step(Colour p, Colour q) {
  const Lab x = LabOf(p);
  const Lab y = LabOf(q);
  return std::hypot(x.lightness - y.lightness, x.a - y.a, x.b - y.b);
}

TEST(ColourMap, StepsAreEven) {
  for (const auto& map : {SequentialMap(33), DivergingMap(33)}) {
    ASSERT_EQ(map.size(), 33U);
    std::vector<double> steps;
    for (size_t k = 1; k < map.size(); ++k) {
      steps.push_back(Step(map[k - 1], map[k]));
    }
    const auto [least, most] = std::minmax_element(steps.begin(), steps.end());
    // Rounding to eight bits costs up to about one unit.
    EXPECT_GT(*least, 0.6 * *most);
  }
}

TEST(ColourMap, GreyRisesAndPeaksInTheMiddle) {
  const auto rising = SequentialMap(63);
  for (size_t k = 1; k < rising.size(); ++k) {
    EXPECT_GT(LabOf(rising[k]).lightness, LabOf(rising[k - 1]).lightness);
  }
  const auto both = DivergingMap(63);
  for (size_t k = 1; k < both.size(); ++k) {
    EXPECT_EQ(LabOf(both[k]).lightness > LabOf(both[k - 1]).lightness, k <= 31);
  }
  EXPECT_LT(std::hypot(LabOf(both[31]).a, LabOf(both[31]).b), 1);
}

TEST(ColourMap, WhiteAndBlackAreTheEndsOfLightness) {
  EXPECT_NEAR(LabOf({255, 255, 255}).lightness, 100, 0.01);
  EXPECT_NEAR(LabOf({0, 0, 0}).lightness, 0, 0.01);
}

}  // namespace
}  // namespace assay::planar
