// Writes pictures of few colours as PNG.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/colour_map.h"

namespace assay::planar {

// Rows from above, each pixel an index into the palette. A palette instead of
// three bytes a pixel keeps files small.
struct PaletteImage {
  int width = 0, height = 0;
  std::vector<uint8_t> pixels;
  std::vector<Colour> palette;  // 1 to 256
  std::string description;      // kept in the file; printable ASCII
};

// The file's bytes. Fails with kInvalidInput where sizes do not fit together
// or a pixel has no colour, with kInternal where libpng gives up.
Result<std::vector<std::byte>> EncodePng(const PaletteImage& image);

}  // namespace assay::planar
