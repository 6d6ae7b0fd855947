// Each warning appears where its bound is crossed and nowhere else.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/validity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "assay/planar/test_layouts.h"

namespace assay::planar {
namespace {

// nx by ny pixels of metal where `is_metal(i, j)`, 0.5 mm each, on FR4 of
// 1.6 mm.
Mesh Drawn(int nx, int ny, const std::function<bool(int, int)>& is_metal) {
  Mesh mesh;
  mesh.nx = nx;
  mesh.ny = ny;
  mesh.dx = mesh.dy = 0.5e-3;
  mesh.substrate = {4.4, 0.02, 1.6e-3};
  mesh.metal.resize(size_t(nx) * ny);
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      mesh.metal[size_t(i) * ny + j] = is_metal(i, j);
    }
  }
  return mesh;
}

// A horizontal strip of `width` pixels.
Mesh Strip(int width) {
  return Drawn(60, 20, [=](int, int j) { return j >= 8 && j < 8 + width; });
}

// Two strips 6 pixels wide.
Mesh Pair(int gap) {
  return Drawn(60, 30, [=](int, int j) {
    return (j >= 2 && j < 8) || (j >= 8 + gap && j < 14 + gap);
  });
}

// How many warnings there are, and that one of them says `word`.
void ExpectOnly(const Mesh& mesh, double max_hz, const std::string& word) {
  const std::vector<std::string> warnings = ValidityWarnings(mesh, max_hz);
  ASSERT_EQ(warnings.size(), 1) << word;
  EXPECT_NE(warnings[0].find(word), std::string::npos) << warnings[0];
}

void ExpectNone(const Mesh& mesh, double max_hz) {
  for (const std::string& warning : ValidityWarnings(mesh, max_hz)) {
    ADD_FAILURE() << warning;
  }
}

Mesh Turned(const Mesh& mesh) {
  Mesh turned = mesh;
  std::swap(turned.nx, turned.ny);
  std::swap(turned.dx, turned.dy);
  for (int i = 0; i < mesh.nx; ++i) {
    for (int j = 0; j < mesh.ny; ++j) {
      turned.metal[size_t(j) * mesh.nx + i] =
          mesh.metal[size_t(i) * mesh.ny + j];
    }
  }
  return turned;
}

TEST(Validity, TypicalWidthIsAcrossTheLine) {
  EXPECT_NEAR(TypicalWidth(Strip(6)), 3e-3, 1e-12);
  EXPECT_NEAR(TypicalWidth(Turned(Strip(6))), 3e-3, 1e-12);
  // A short pad at its end does not count.
  EXPECT_NEAR(
      TypicalWidth(Drawn(
          60, 20, [](int i, int j) { return i < 8 || (j >= 8 && j < 14); })),
      3e-3, 1e-12);
  EXPECT_EQ(TypicalWidth(Drawn(4, 4, [](int, int) { return false; })), 0);
}

TEST(Validity, WellResolvedLinesPass) {
  for (int width = 3; width < 12; ++width) {
    ExpectNone(Strip(width), 1e9);
    ExpectNone(Turned(Strip(width)), 1e9);
  }
  for (int gap = 3; gap < 12; ++gap) ExpectNone(Pair(gap), 1e9);
  ExpectNone(Stub(), 1e9);
}

TEST(Validity, WholeSheetsAndRoundRimsPass) {
  ExpectNone(Drawn(50, 50, [](int, int) { return true; }), 0.5e9);
  // Discs and holes have short runs at their rims.
  for (double radius = 5; radius < 25; radius += 0.37) {
    const auto disc = [=](int i, int j) {
      return (i - 30) * (i - 30) + (j - 30) * (j - 30) <= radius * radius;
    };
    ExpectNone(Drawn(61, 61, disc), 0);
    ExpectNone(Drawn(61, 61, [=](int i, int j) { return !disc(i, j); }), 0);
  }
  // So does a slanted line of a sound width.
  ExpectNone(Drawn(60, 60, [](int i, int j) { return std::abs(i - j) < 5; }),
             0);
}

TEST(Validity, FewPixelsAcrossAStripOrAGap) {
  for (const int width : {1, 2}) {
    const std::string count = std::to_string(width) + " pixel";
    for (const Mesh& mesh : {Strip(width), Turned(Strip(width))}) {
      ExpectOnly(mesh, 1e9, "strip is " + count);
    }
    for (const Mesh& mesh : {Pair(width), Turned(Pair(width))}) {
      ExpectOnly(mesh, 1e9, "gap is " + count);
    }
  }
  // In the middle of the strip: 8.5 pixels of 0.5 mm up.
  const std::string text = ValidityWarnings(Strip(1), 0)[0];
  EXPECT_NE(text.find("y = 4.25 mm"), std::string::npos) << text;
  EXPECT_NE(text.find("0.167 mm"), std::string::npos) << text;
}

TEST(Validity, ANarrowLineBesideAWideOneIsFound) {
  const Mesh mesh = Drawn(60, 30, [](int i, int j) {
    return (j >= 2 && j < 12) || (i >= 30 && i < 32 && j >= 12 && j < 20);
  });
  ExpectOnly(mesh, 0, "strip is 2 pixels");
}

TEST(Validity, ThinRingsAndSlantedLinesAreFound) {
  for (const double thickness : {1.5, 2.0}) {
    const Mesh ring = Drawn(61, 61, [=](int i, int j) {
      return std::abs(std::hypot(i - 30, j - 30) - 20) < thickness / 2;
    });
    ExpectOnly(ring, 0, "strip is");
  }
  ExpectOnly(Drawn(40, 80,
                   [](int i, int j) { return j / 2 == i || (j + 1) / 2 == i; }),
             0, "strip is");
}

TEST(Validity, DispersionIsThatOfTheSpecification) {
  // Shift 1.0 % at 3 GHz for w/h = 1.875.
  ExpectOnly(Strip(6), 3e9, "1.0 % too high");
  Mesh thin = Strip(6);
  thin.dx = thin.dy = 0.095e-3;
  thin.substrate = {3.66, 0, 0.254e-3};
  ExpectNone(thin, 3.7e9);
  Mesh air = Strip(6);
  air.substrate.er = 1;
  ExpectNone(air, 5e9);
}

TEST(Validity, HighSubstrates) {
  Mesh air = Strip(6);
  air.substrate.er = 1;
  // 0.03 wavelengths are 1.6 mm at 5.62 GHz.
  ExpectNone(air, 5.6e9);
  ExpectOnly(air, 5.7e9, "wavelengths high");
}

TEST(Validity, PixelsGreaterThanTheSubstrateIsHigh) {
  Mesh mesh = Strip(6);
  mesh.substrate.h = 0.5e-3;
  ExpectNone(mesh, 0);
  ExpectNone(Turned(mesh), 0);
  mesh.dx = 0.51e-3;
  ExpectOnly(mesh, 0, "substrate's height");
  ExpectOnly(Turned(mesh), 0, "substrate's height");
}

TEST(Validity, LongPixelsAgainstTheWave) {
  // 20 pixels a wave: 0.75 mm at 20 GHz in air.
  Mesh mesh = Strip(6);
  mesh.substrate = {1, 0, 0.2e-3};
  mesh.dy = 0.2e-3;
  mesh.dx = 0.2e-3;
  ExpectNone(mesh, 20e9);
  mesh.dx = 0.76e-3;
  bool said = false;
  for (const std::string& warning : ValidityWarnings(mesh, 20e9)) {
    said |= warning.find("wavelength on the line") != std::string::npos;
  }
  EXPECT_TRUE(said);
  mesh.dx = 0.74e-3;
  for (const std::string& warning : ValidityWarnings(mesh, 20e9)) {
    EXPECT_EQ(warning.find("wavelength on the line"), std::string::npos);
  }
}

TEST(Validity, ThickMetal) {
  Mesh pair = Pair(4);  // a gap of 2 mm, strips of 3 mm
  pair.conductor = {5.8e7, 0.14e-3, 0, false};
  ExpectNone(pair, 0);
  pair.conductor.thickness = 0.16e-3;
  ExpectOnly(pair, 0, "0.05 of a strip of 3 mm");
  pair.conductor.thickness = 0.21e-3;
  const std::vector<std::string> warnings = ValidityWarnings(pair, 0);
  ASSERT_EQ(warnings.size(), 2);
  EXPECT_NE(warnings[0].find("of a gap of 2 mm"), std::string::npos)
      << warnings[0];
}

}  // namespace
}  // namespace assay::planar
