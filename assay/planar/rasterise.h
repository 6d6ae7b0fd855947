// Turns a layout into a mesh and says how far each edge moved.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/layout.h"
#include "assay/planar/mesh.h"

namespace assay::planar {

// How far a line of the drawing lies from the pixels' edge in its place, in
// the layout's unit, positive towards greater x or y.
struct EdgeMove {
  std::string key;  // "metal[0].rect[1]", "metal[1].polygon side 3"
  double moved = 0;
  // A slanted side became a stair: `moved` is then the most that it deviates.
  bool stair = false;
};

struct Raster {
  Mesh mesh;  // numbered
  std::vector<EdgeMove> moves;
  double largest_move = 0;  // the greatest |moved|
  // Pairs of pixels that touch in a corner only: they do not conduct.
  size_t corner_contacts = 0;
  size_t islands = 0;  // connected pieces of metal without port and via
  std::vector<std::string> warnings;
};

constexpr uint64_t kMostPixels = uint64_t{1} << 24;

// A pixel is metal where the last shape over its centre is not a clear one;
// the grid starts at the lower left corner of all metal. Linear in pixels and
// in the rows that sides of polygons cross. Fails with kInvalidInput (the key
// and line of what is wrong: CheckLayout's faults, a port or via off the
// metal, two on one pixel), and with kOverBudget before it allocates more
// than `most_pixels`.
Result<Raster> Rasterise(const Layout& layout,
                         uint64_t most_pixels = kMostPixels);

}  // namespace assay::planar
