// Sides that are too long for chords, and their greatest common divisor.
// SPDX-License-Identifier: Apache-2.0
#include "cli/import_edges.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <variant>

#include "assay/planar/polygon.h"

namespace assay::cli {
namespace {

using planar::Axis;
using planar::Vec2;

constexpr double kMicrometre = 1e-6;
// The reader of Gerber lets a chord deviate that far from its arc. Of an arc
// whose diameter is d, a chord is then no longer than 2 sqrt(d deviation).
constexpr double kDeviationMetres = 2e-6;

void SortUnique(std::vector<double>& values) {
  std::ranges::sort(values);
  const auto tail = std::ranges::unique(values);
  values.erase(tail.begin(), tail.end());
}

void AddSides(const std::vector<Vec2>& corners, double deviation,
              StraightEdges& edges) {
  const auto [west, east] = std::ranges::minmax_element(corners, {}, &Vec2::x);
  const auto [south, north] =
      std::ranges::minmax_element(corners, {}, &Vec2::y);
  const double extent = std::max(east->x - west->x, north->y - south->y);
  const double chord = 2 * std::sqrt(1.1 * extent * deviation);
  for (size_t k = 0; k < corners.size(); ++k) {
    const Vec2& a = corners[k];
    const Vec2& b = corners[(k + 1) % corners.size()];
    if (a.x == b.x && std::abs(b.y - a.y) > chord) edges.x.push_back(a.x);
    if (a.y == b.y && std::abs(b.x - a.x) > chord) edges.y.push_back(a.y);
  }
}

}  // namespace

StraightEdges FindStraight(const std::vector<planar::Shape>& shapes,
                           planar::Units units) {
  StraightEdges edges;
  for (const planar::Shape& shape : shapes) {
    if (const auto* r = std::get_if<planar::Rect>(&shape.form)) {
      edges.x.insert(edges.x.end(), {r->x0, r->x1});
      edges.y.insert(edges.y.end(), {r->y0, r->y1});
    } else if (const auto* p = std::get_if<planar::Polygon>(&shape.form)) {
      const std::vector<Vec2> corners = planar::Corners(p->points);
      if (corners.size() < 3) continue;
      AddSides(corners, kDeviationMetres / planar::Metres(units), edges);
    }
  }
  SortUnique(edges.x);
  SortUnique(edges.y);
  return edges;
}

double LargestMove(const StraightEdges& edges, const planar::Grid& grid) {
  double largest = 0;
  const auto look = [&](Axis axis, const std::vector<double>& at) {
    for (const double edge : at) {
      const int line = planar::SnapLine(grid.Along(axis, edge));
      largest = std::max(largest, std::abs(grid.Back(axis, line) - edge));
    }
  };
  look(Axis::kX, edges.x);
  look(Axis::kY, edges.y);
  return largest;
}

double CommonPitch(const std::vector<double>& at, planar::Units units) {
  const double steps = planar::Metres(units) / kMicrometre;
  int64_t divisor = 0;
  for (const double edge : at) {
    const double distance = (edge - at.front()) * steps;
    if (!(distance < 1e12)) return 0;
    const int64_t whole = std::llround(distance);
    // A board drawn in mil lies between micrometres.
    if (std::abs(distance - static_cast<double>(whole)) > 0.05) return 0;
    divisor = std::gcd(divisor, whole);
  }
  return static_cast<double>(divisor) / steps;
}

}  // namespace assay::cli
