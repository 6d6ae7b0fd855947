// Draws the shapes of a layout on its grid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/grid.h"
#include "assay/planar/rasterise.h"

namespace assay::planar {

// The grid that holds all metal of a checked layout. Fails with kInvalidInput
// if no pixel's centre can be covered, with kOverBudget above `most_pixels`.
Result<Grid> MakeGrid(const Layout& layout, uint64_t most_pixels);

// Sets or, for a clear shape, clears the pixels of `metal` (i * ny + j) whose
// centres `shape` covers. Returns how many it covers.
uint64_t DrawShape(const Shape& shape, const Grid& grid,
                   std::vector<uint8_t>& metal);

// Appends where the edges of `shape` went; `key` is "metal[0]".
void AppendMoves(const Shape& shape, const Grid& grid, const std::string& key,
                 std::vector<EdgeMove>& moves);

}  // namespace assay::planar
