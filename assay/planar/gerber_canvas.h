// Collects what a Gerber file draws: shapes, contours and their repeats.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/gerber_shapes.h"
#include "assay/planar/layout.h"

namespace assay::planar {

// Errors name no line: that is for the caller to add. All methods fail with
// kOverBudget above four million points.
class GerberCanvas {
 public:
  void SetClear(bool clear) { clear_ = clear; }

  Status Add(Points points) { return Append(std::move(points), clear_); }

  // Lengthens the open contour, which starts at `from` if it is new.
  Status Lengthen(Vec2 from, const Points& path);
  // Adds the contour, if there is one. Fails with kCorrupt for an open one or
  // one that crosses itself.
  Status CloseContour();

  // Shapes from here on come nx * ny times, `step` apart.
  void OpenRepeat(int nx, int ny, Vec2 step);
  // Makes the copies of an open repeat.
  Status CloseRepeat();

  std::vector<Shape> Take() { return std::move(shapes_); }

 private:
  struct Repeat {
    int nx = 1, ny = 1;
    Vec2 step;
    size_t first_shape = 0;
  };

  Status Count(size_t points);
  Status Append(Points points, bool clear);

  bool clear_ = false;
  std::vector<Shape> shapes_;
  Points contour_;
  std::optional<Repeat> repeat_;
  size_t points_ = 0;
};

}  // namespace assay::planar
