// Finds the straight edges of a board and the pixels that they fit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "assay/planar/grid.h"
#include "assay/planar/layout.h"

namespace assay::cli {

// Where edges along an axis lie, rising and each once: x of the vertical
// ones, y of the horizontal ones. Chords of arcs are none.
struct StraightEdges {
  std::vector<double> x, y;
};
StraightEdges FindStraight(const std::vector<planar::Shape>& shapes,
                           planar::Units units);

// The greatest distance of a straight edge from its grid line.
double LargestMove(const StraightEdges& edges, const planar::Grid& grid);

// The largest pitch that meets all of `at`, counted from the first and to a
// micrometre; 0 where edges are closer than that, or there is one only.
double CommonPitch(const std::vector<double>& at, planar::Units units);

}  // namespace assay::cli
