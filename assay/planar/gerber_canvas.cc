// Shapes in their order, and a bound on their points.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/gerber_canvas.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "assay/planar/polygon.h"

namespace assay::planar {
namespace {

constexpr size_t kMostPoints = 4'000'000;

}  // namespace

Status GerberCanvas::Count(size_t points) {
  points_ += points;
  if (points_ <= kMostPoints) return {};
  return Error{Code::kOverBudget,
               fmt::format("more than {} points", kMostPoints), ""};
}

Status GerberCanvas::Append(Points points, bool clear) {
  ASSAY_TRY(Count(points.size()));
  shapes_.push_back({Polygon{std::move(points)}, clear});
  return {};
}

Status GerberCanvas::Lengthen(Vec2 from, const Points& path) {
  if (contour_.empty()) contour_.push_back(from);
  contour_.insert(contour_.end(), path.begin(), path.end());
  return Count(path.size());
}

Status GerberCanvas::CloseContour() {
  if (contour_.empty()) return {};
  const Points contour = std::exchange(contour_, {});
  const Vec2 begin = contour.front();
  const Vec2 end = contour.back();
  if (!(begin == end)) {
    return Error{Code::kCorrupt,
                 fmt::format("an open contour: it goes from ({:.6g}, {:.6g}) "
                             "to ({:.6g}, {:.6g})",
                             begin.x, begin.y, end.x, end.y),
                 "a contour of a region ends where it began"};
  }
  Points corners = Corners(contour);
  if (corners.size() < 3) return {};
  if (const auto crossing = FindCrossing(corners)) {
    return Error{Code::kCorrupt,
                 fmt::format("a contour crosses itself near ({:.6g}, {:.6g})",
                             crossing->x, crossing->y),
                 ""};
  }
  return Add(std::move(corners));
}

void GerberCanvas::OpenRepeat(int nx, int ny, Vec2 step) {
  repeat_ = Repeat{nx, ny, step, shapes_.size()};
}

Status GerberCanvas::CloseRepeat() {
  if (!repeat_) return {};
  const Repeat repeat = *repeat_;
  repeat_.reset();
  const size_t end = shapes_.size();
  if (end == repeat.first_shape) return {};
  for (int i = 0; i < repeat.nx; ++i) {
    for (int j = 0; j < repeat.ny; ++j) {
      if (i == 0 && j == 0) continue;
      for (size_t k = repeat.first_shape; k < end; ++k) {
        Polygon copy = std::get<Polygon>(shapes_[k].form);
        for (Vec2& point : copy.points) {
          point.x += i * repeat.step.x;
          point.y += j * repeat.step.y;
        }
        ASSAY_TRY(Append(std::move(copy.points), shapes_[k].clear));
      }
    }
  }
  return {};
}

}  // namespace assay::planar
