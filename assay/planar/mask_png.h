// Reads a pixel mask from a black and white PNG.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "assay/base/result.h"
#include "assay/planar/layout.h"

namespace assay::planar {

// A mask of the image's size at the origin; black is metal, with `invert`
// white is; what is fully transparent is none. The image's lowest row is row
// 0. `file` is for messages. Fails with kCorrupt for a broken PNG,
// with kInvalidInput for greys, colours and half-transparent pixels, with
// kOverBudget for more than `most_pixels` before any is decoded.
Result<PixelMask> DecodeMaskPng(std::span<const std::byte> bytes,
                                const std::string& file, bool invert,
                                uint64_t most_pixels);

// DecodeMaskPng of a file. Fails with kIo too.
Result<PixelMask> ReadMaskPng(const std::string& path, bool invert,
                              uint64_t most_pixels);

}  // namespace assay::planar
