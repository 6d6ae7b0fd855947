// Laws of mask PNGs: what is metal, and that nothing broken gets in.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/mask_png.h"

#include <gtest/gtest.h>
#include <png.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "assay/base/files.h"
#include "assay/planar/layout_json.h"
#include "assay/planar/rasterise.h"

namespace assay::planar {
namespace {

using Bytes = std::vector<std::byte>;
constexpr uint64_t kMost = 1 << 20;

// A PNG of the pixels, row by row from above.
Bytes Png(uint32_t nx, uint32_t ny, uint32_t format,
          const std::vector<uint8_t>& pixels) {
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  image.width = nx;
  image.height = ny;
  image.format = format;
  png_alloc_size_t size = 0;
  EXPECT_NE(png_image_write_to_memory(&image, nullptr, &size, 0, pixels.data(),
                                      0, nullptr),
            0);
  Bytes bytes(size);
  EXPECT_NE(png_image_write_to_memory(&image, bytes.data(), &size, 0,
                                      pixels.data(), 0, nullptr),
            0);
  bytes.resize(size);
  return bytes;
}

// An L, its foot at the lower right: black is metal.
Bytes Corner() { return Png(3, 2, PNG_FORMAT_GRAY, {0, 255, 255, 0, 0, 0}); }

TEST(MaskPng, BlackIsMetalAndTheLowestRowIsRowZero) {
  const auto mask = DecodeMaskPng(Corner(), "m.png", false, kMost);
  ASSERT_TRUE(mask.ok()) << mask.error().what;
  EXPECT_EQ(mask->nx, 3);
  EXPECT_EQ(mask->ny, 2);
  EXPECT_EQ(mask->metal, (std::vector<uint8_t>{1, 1, 1, 1, 0, 0}));
}

TEST(MaskPng, InvertingSwapsBlackAndWhite) {
  const auto mask = DecodeMaskPng(Corner(), "m.png", true, kMost);
  ASSERT_TRUE(mask.ok());
  EXPECT_EQ(mask->metal, (std::vector<uint8_t>{0, 0, 0, 0, 1, 1}));
}

TEST(MaskPng, ColourTypesAgree) {
  const std::vector<uint8_t> gray = {0, 255, 255, 0, 0, 0};
  std::vector<uint8_t> rgb;
  std::vector<uint8_t> rgba;
  for (const uint8_t g : gray) {
    rgb.insert(rgb.end(), {g, g, g});
    rgba.insert(rgba.end(), {g, g, g, 255});
  }
  const auto metal = DecodeMaskPng(Corner(), "m", false, kMost)->metal;
  EXPECT_EQ(
      DecodeMaskPng(Png(3, 2, PNG_FORMAT_RGB, rgb), "m", false, kMost)->metal,
      metal);
  EXPECT_EQ(
      DecodeMaskPng(Png(3, 2, PNG_FORMAT_RGBA, rgba), "m", false, kMost)->metal,
      metal);
}

TEST(MaskPng, TransparentIsNoMetal) {
  const auto mask =
      DecodeMaskPng(Png(2, 1, PNG_FORMAT_RGBA, {0, 0, 0, 255, 0, 0, 0, 0}), "m",
                    false, kMost);
  ASSERT_TRUE(mask.ok());
  EXPECT_EQ(mask->metal, (std::vector<uint8_t>{1, 0}));
}

TEST(MaskPng, GreysAreNamedByTheirPixel) {
  const auto mask = DecodeMaskPng(Png(2, 1, PNG_FORMAT_GRAY, {0, 127}), "m.png",
                                  false, kMost);
  ASSERT_FALSE(mask.ok());
  EXPECT_EQ(mask.error().code, Code::kInvalidInput);
  EXPECT_NE(mask.error().what.find("m.png: pixel 1 of row 0"),
            std::string::npos)
      << mask.error().what;
}

TEST(MaskPng, TooManyPixelsAreRefused) {
  const auto mask = DecodeMaskPng(Corner(), "m", false, 5);
  ASSERT_FALSE(mask.ok());
  EXPECT_EQ(mask.error().code, Code::kOverBudget);
}

TEST(MaskPng, EveryCutIsRefused) {
  const Bytes whole = Corner();
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto mask =
        DecodeMaskPng(std::span(whole).first(size), "m", false, kMost);
    ASSERT_FALSE(mask.ok()) << size;
    EXPECT_EQ(mask.error().code, Code::kCorrupt);
  }
  Bytes longer = whole;
  longer.push_back(std::byte{0});
  EXPECT_FALSE(DecodeMaskPng(longer, "m", false, kMost).ok());
}

TEST(MaskPng, EveryFlippedByteIsRefused) {
  const Bytes whole = Corner();
  for (size_t i = 0; i < whole.size(); ++i) {
    Bytes bent = whole;
    bent[i] ^= std::byte{0x40};
    EXPECT_FALSE(DecodeMaskPng(bent, "m", false, kMost).ok()) << i;
  }
}

TEST(MaskPng, ALayoutDrawsItsMaskFile) {
  const std::string folder = ::testing::TempDir();
  ASSERT_TRUE(WriteFile(folder + "planar_mask.png", Corner()).ok());
  const std::string path = folder + "planar_mask.json";
  ASSERT_TRUE(WriteFile(path, std::string_view(R"({
    "units": "mm", "substrate": {"er": 2, "h": 1}, "pixel": [0.5, 1],
    "metal": [{"mask": "planar_mask.png", "origin": [3, 4]}],
    "ports": [{"axis": "x", "at": 4.5, "from": 4, "to": 5}]})"))
                  .ok());
  const auto layout = ReadLayout(path, kMost);
  ASSERT_TRUE(layout.ok()) << layout.error().what;
  const auto raster = Rasterise(*layout);
  ASSERT_TRUE(raster.ok()) << raster.error().what;
  EXPECT_EQ(raster->mesh.nx, 3);
  EXPECT_EQ(raster->mesh.cells.size(), 4u);
  EXPECT_EQ(raster->mesh.ports[0].currents[0].pixel, 2u * 2);
}

}  // namespace
}  // namespace assay::planar
