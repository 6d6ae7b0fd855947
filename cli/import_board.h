// Reads the metal of a board in the unit of the layout and cuts it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/layout.h"

namespace assay::cli {

struct Board {
  std::string kind;  // "Gerber in mm", "mask of 3 x 2 pixels"
  bool is_mask = false;
  std::vector<planar::Shape> shapes;
};

// A PNG by its first bytes, Gerber else. A mask is named as seen from the
// folder of `layout_path`. Fails as ReadGerber and ReadMaskPng.
Result<Board> ReadBoard(const std::string& path, planar::Units units,
                        bool invert, const std::string& layout_path);

// The smallest rectangle around all shapes that are not clear; for a mask in
// pixels of dx x dy. Precondition: there is such a shape.
planar::Rect BoundsOf(const std::vector<planar::Shape>& shapes, double dx,
                      double dy);

// Reads "x0:x1,y0:y1" with x0 < x1 and y0 < y1. Fails with kInvalidInput.
Result<planar::Rect> ParseCrop(std::string_view text);

// What lies within `window`. Precondition: no masks.
std::vector<planar::Shape> Crop(const std::vector<planar::Shape>& shapes,
                                const planar::Rect& window);

// Numbers between commas. Fails with kInvalidInput.
Result<std::vector<double>> ParseNumbers(std::string_view text);

// "edge,x,0,1.2,1.5,50": kind, axis, at, from, to and, where it is not 50
// ohms, z0; or "ground,1,2,50" for a ground port in one point. Fails with
// kInvalidInput.
Result<planar::Layout::Port> ParsePort(std::string_view text);

// "x,y,diameter". Fails with kInvalidInput.
Result<planar::Layout::Via> ParseVia(std::string_view text);

}  // namespace assay::cli
