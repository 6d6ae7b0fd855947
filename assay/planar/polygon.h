// Tells corners of polygons from repeats, and finds where one crosses itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "assay/planar/layout.h"

namespace assay::planar {

// The points without repeats of the one before, and without a last point that
// repeats the first.
std::vector<Vec2> Corners(std::span<const Vec2> points);

// Where two sides of a closed polygon cross, none if none do. Sides that only
// touch or lie on each other do not cross: this is how a hole is cut in with
// one outline. O(n log n) for outlines whose sides are short along x or along
// y, O(n^2) at worst.
std::optional<Vec2> FindCrossing(std::span<const Vec2> corners);

}  // namespace assay::planar
