// Finds where metal meets its bounding box, which is where ports mostly go.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assay/planar/grid.h"

namespace assay::cli {

// A stretch of metal along one side of the bounding box.
struct Rim {
  planar::Axis axis = planar::Axis::kX;  // the side's normal
  double at = 0, from = 0, to = 0;
  bool is_end = false;    // goes in at least half as far as it is wide
  bool is_round = false;  // widens from row to row

  std::string Flag() const;   // "edge,x,0,1.2,1.5"
  std::string Words() const;  // "metal meets x = 0 between y = 1.2 and 1.5"
};

// Of all four sides: west, east, south, north, the ends of lines first.
// `metal` holds the grid's pixels, i * ny + j.
std::vector<Rim> FindRims(const planar::Grid& grid,
                          std::span<const uint8_t> metal);

}  // namespace assay::cli
