// Maps the lengths of a layout to lines and pixels of its grid.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "assay/planar/layout.h"

namespace assay::planar {

// Pixels of a layout in its own unit. Line k is where pixel k begins.
struct Grid {
  Vec2 origin;  // the outer corner of pixel (0, 0)
  double dx = 0, dy = 0;
  int nx = 0, ny = 0;

  // In pixels from the origin.
  double U(double x) const { return (x - origin.x) / dx; }
  double V(double y) const { return (y - origin.y) / dy; }
  double X(double u) const { return origin.x + u * dx; }
  double Y(double v) const { return origin.y + v * dy; }

  double Along(Axis axis, double at) const {
    return axis == Axis::kX ? U(at) : V(at);
  }
  double Back(Axis axis, double u) const {
    return axis == Axis::kX ? X(u) : Y(u);
  }
  int Count(Axis axis) const { return axis == Axis::kX ? nx : ny; }
  double Pitch(Axis axis) const { return axis == Axis::kX ? dx : dy; }
};

// Decimal coordinates meet grid lines and centres up to this share of a pixel.
constexpr double kGridSlack = 1e-6;

// The line that an edge at `u` pixels snaps to: the pixels from it on have
// their centres at or behind the edge. Far outside it stays outside.
inline int SnapLine(double u) {
  constexpr double kFar = 1 << 30;
  return static_cast<int>(
      std::ceil(std::clamp(u, -kFar, kFar) - 0.5 - kGridSlack));
}

// The pixel that holds `u`.
inline int PixelAt(double u) {
  constexpr double kFar = 1 << 30;
  return static_cast<int>(std::floor(std::clamp(u, -kFar, kFar) + kGridSlack));
}

// The other axis.
inline Axis Across(Axis axis) { return axis == Axis::kX ? Axis::kY : Axis::kX; }

}  // namespace assay::planar
