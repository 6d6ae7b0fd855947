// A sweep over sides sorted by their left ends finds the pairs to compare.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/polygon.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace assay::planar {
namespace {

// Below this share of the product of lengths a turn counts as straight: the
// decimal coordinates of touching sides are rounded once each.
constexpr double kStraight = 1e-12;

struct Segment {
  Vec2 a, b;  // a.x <= b.x
  double low, high;
};

// The sign of the turn from a over b to c, 0 where they are in line.
int Turn(const Vec2& a, const Vec2& b, const Vec2& c) {
  const Vec2 u = {b.x - a.x, b.y - a.y};
  const Vec2 v = {c.x - a.x, c.y - a.y};
  const double area = u.x * v.y - u.y * v.x;
  const double scale =
      (std::abs(u.x) + std::abs(u.y)) * (std::abs(v.x) + std::abs(v.y));
  if (std::abs(area) <= kStraight * scale) return 0;
  return area > 0 ? 1 : -1;
}

bool Cross(const Segment& s, const Segment& t) {
  return Turn(s.a, s.b, t.a) * Turn(s.a, s.b, t.b) < 0 &&
         Turn(t.a, t.b, s.a) * Turn(t.a, t.b, s.b) < 0;
}

Vec2 Meet(const Segment& s, const Segment& t) {
  const Vec2 u = {s.b.x - s.a.x, s.b.y - s.a.y};
  const Vec2 v = {t.b.x - t.a.x, t.b.y - t.a.y};
  const double along =
      ((t.a.x - s.a.x) * v.y - (t.a.y - s.a.y) * v.x) / (u.x * v.y - u.y * v.x);
  return {s.a.x + along * u.x, s.a.y + along * u.y};
}

// How many pairs of sides overlap along one coordinate.
double PairsOver(std::span<const Vec2> corners, double Vec2::* along) {
  std::vector<double> begins, ends;
  for (size_t i = 0; i < corners.size(); ++i) {
    const double a = corners[i].*along;
    const double b = corners[(i + 1) % corners.size()].*along;
    begins.push_back(std::min(a, b));
    ends.push_back(std::max(a, b));
  }
  std::ranges::sort(begins);
  std::ranges::sort(ends);
  double pairs = 0;
  size_t closed = 0;
  for (size_t i = 0; i < begins.size(); ++i) {
    while (ends[closed] < begins[i]) ++closed;
    pairs += static_cast<double>(i - closed);
  }
  return pairs;
}

}  // namespace

std::vector<Vec2> Corners(std::span<const Vec2> points) {
  std::vector<Vec2> corners;
  for (const Vec2& point : points) {
    if (corners.empty() || !(corners.back() == point)) {
      corners.push_back(point);
    }
  }
  while (corners.size() > 1 && corners.front() == corners.back()) {
    corners.pop_back();
  }
  return corners;
}

std::optional<Vec2> FindCrossing(std::span<const Vec2> corners) {
  // Across the sides of a comb few are open at a time, along them all are.
  const bool turned =
      PairsOver(corners, &Vec2::y) < PairsOver(corners, &Vec2::x);
  std::vector<Segment> sides;
  for (size_t i = 0; i < corners.size(); ++i) {
    Vec2 a = corners[i];
    Vec2 b = corners[(i + 1) % corners.size()];
    if (turned) {
      std::swap(a.x, a.y);
      std::swap(b.x, b.y);
    }
    if (a.x > b.x) std::swap(a, b);
    sides.push_back({a, b, std::min(a.y, b.y), std::max(a.y, b.y)});
  }
  std::ranges::sort(sides, {}, [](const Segment& side) { return side.a.x; });
  std::vector<Segment> open;  // sides that reach the sweep's x
  for (const Segment& side : sides) {
    std::erase_if(open,
                  [&](const Segment& other) { return other.b.x < side.a.x; });
    for (const Segment& other : open) {
      if (other.high < side.low || other.low > side.high) continue;
      if (!Cross(side, other)) continue;
      const Vec2 meet = Meet(side, other);
      return turned ? Vec2{meet.y, meet.x} : meet;
    }
    open.push_back(side);
  }
  return {};
}

}  // namespace assay::planar
