// Rectangles by their lines, polygons by the even-odd rule row by row.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "assay/planar/polygon.h"

namespace assay::planar {
namespace {

struct Box {
  double x0 = std::numeric_limits<double>::infinity(), x1 = -x0;
  double y0 = x0, y1 = -x0;

  void Add(double x, double y) {
    x0 = std::min(x0, x);
    x1 = std::max(x1, x);
    y0 = std::min(y0, y);
    y1 = std::max(y1, y);
  }
};

void AddShape(const Shape& shape, const Layout& layout, Box& box) {
  if (const auto* r = std::get_if<Rect>(&shape.form)) {
    box.Add(r->x0, r->y0);
    box.Add(r->x1, r->y1);
  } else if (const auto* p = std::get_if<Polygon>(&shape.form)) {
    for (const Vec2& point : p->points) box.Add(point.x, point.y);
  } else if (const auto* m = std::get_if<PixelMask>(&shape.form)) {
    box.Add(m->origin.x, m->origin.y);
    box.Add(m->origin.x + m->nx * layout.dx, m->origin.y + m->ny * layout.dy);
  }
}

class Canvas {
 public:
  Canvas(const Grid& grid, bool clear, std::vector<uint8_t>& metal)
      : grid_(grid), value_(clear ? 0 : 1), metal_(metal) {}

  uint64_t covered() const { return covered_; }

  // Pixels [i0, i1) of row j.
  void Span(int j, int i0, int i1) {
    if (j < 0 || j >= grid_.ny) return;
    i0 = std::max(i0, 0);
    i1 = std::min(i1, grid_.nx);
    for (int i = i0; i < i1; ++i) {
      metal_[static_cast<size_t>(i) * grid_.ny + j] = value_;
    }
    if (i1 > i0) covered_ += static_cast<uint64_t>(i1 - i0);
  }

  void Draw(const Rect& r) {
    const int i0 = SnapLine(grid_.U(r.x0));
    const int i1 = SnapLine(grid_.U(r.x1));
    const int j1 = std::min(SnapLine(grid_.V(r.y1)), grid_.ny);
    for (int j = std::max(SnapLine(grid_.V(r.y0)), 0); j < j1; ++j) {
      Span(j, i0, i1);
    }
  }

  void Draw(const PixelMask& m) {
    const int i0 = SnapLine(grid_.U(m.origin.x));
    const int j0 = SnapLine(grid_.V(m.origin.y));
    for (int j = 0; j < m.ny; ++j) {
      for (int i = 0; i < m.nx; ++i) {
        if (m.metal[static_cast<size_t>(j) * m.nx + i]) {
          Span(j0 + j, i0 + i, i0 + i + 1);
        }
      }
    }
  }

  void Draw(const Polygon& polygon) {
    CollectSides(polygon);
    std::vector<SideOfRows> open;
    std::vector<double> crossings;
    size_t next = 0;
    for (int j = 0; j < grid_.ny; ++j) {
      while (next < sides_.size() && sides_[next].j0 <= j) {
        open.push_back(sides_[next++]);
      }
      std::erase_if(open, [&](const auto& side) { return side.j1 <= j; });
      crossings.clear();
      for (const SideOfRows& side : open) {
        crossings.push_back(side.u + side.slope * (j + 0.5 - side.v));
      }
      std::ranges::sort(crossings);
      for (size_t k = 0; k + 1 < crossings.size(); k += 2) {
        Span(j, SnapLine(crossings[k]), SnapLine(crossings[k + 1]));
      }
    }
  }

 private:
  // A side and the rows [j0, j1) whose centres it passes.
  struct SideOfRows {
    int j0, j1;
    double u, v, slope;
  };

  void CollectSides(const Polygon& polygon) {
    const std::vector<Vec2> corners = Corners(polygon.points);
    sides_.clear();
    for (size_t k = 0; k < corners.size(); ++k) {
      Vec2 a = corners[k];
      Vec2 b = corners[(k + 1) % corners.size()];
      if (a.y > b.y) std::swap(a, b);
      const double v = grid_.V(a.y);
      const double w = grid_.V(b.y);
      const int j0 = SnapLine(v);
      const int j1 = SnapLine(w);
      if (j0 >= j1) continue;
      const double u = grid_.U(a.x);
      sides_.push_back({j0, j1, u, v, (grid_.U(b.x) - u) / (w - v)});
    }
    std::ranges::sort(sides_, {}, &SideOfRows::j0);
  }

  const Grid& grid_;
  uint8_t value_;
  std::vector<uint8_t>& metal_;
  uint64_t covered_ = 0;
  std::vector<SideOfRows> sides_;
};

// What an edge at `at` moves by when it snaps.
double Moved(const Grid& grid, Axis axis, double at) {
  return grid.Back(axis, SnapLine(grid.Along(axis, at))) - at;
}

void AppendSides(const Polygon& polygon, const Grid& grid,
                 const std::string& key, std::vector<EdgeMove>& moves) {
  const std::vector<Vec2> corners = Corners(polygon.points);
  for (size_t k = 0; k < corners.size(); ++k) {
    const Vec2 a = corners[k];
    const Vec2 b = corners[(k + 1) % corners.size()];
    const std::string side = fmt::format("{} side {}", key, k);
    if (a.x == b.x) {
      moves.push_back({side, Moved(grid, Axis::kX, a.x)});
    } else if (a.y == b.y) {
      moves.push_back({side, Moved(grid, Axis::kY, a.y)});
    } else {
      const double length = std::hypot(b.x - a.x, b.y - a.y);
      const double most =
          (std::abs(b.y - a.y) * grid.dx + std::abs(b.x - a.x) * grid.dy) /
          length / 2;
      moves.push_back({side, most, true});
    }
  }
}

}  // namespace

Result<Grid> MakeGrid(const Layout& layout, uint64_t most_pixels) {
  Box box;
  for (const Shape& shape : layout.metal) {
    if (!shape.clear) AddShape(shape, layout, box);
  }
  if (!(box.x0 < box.x1 && box.y0 < box.y1)) {
    return FaultError(layout, {"metal", "there is no metal",
                               "all shapes are empty or clear others"});
  }
  Grid grid;
  grid.origin = {box.x0, box.y0};
  grid.dx = layout.dx;
  grid.dy = layout.dy;
  const double nx = std::ceil(grid.U(box.x1) - 0.5 - kGridSlack);
  const double ny = std::ceil(grid.V(box.y1) - 0.5 - kGridSlack);
  if (nx < 1 || ny < 1) {
    return FaultError(
        layout, {"pixel",
                 fmt::format("a pixel of {} x {} {} is larger than the metal",
                             layout.dx, layout.dy, UnitName(layout.units)),
                 "at least 3 pixels should lie across each strip"});
  }
  if (nx > (1 << 30) || ny > (1 << 30) ||
      nx * ny > static_cast<double>(most_pixels)) {
    Error error = FaultError(
        layout, {"pixel",
                 fmt::format("a grid of {:.0f} x {:.0f} pixels is more than {}",
                             nx, ny, most_pixels),
                 fmt::format("pixels {:.2g} times as wide would fit",
                             1.05 * std::sqrt(nx / most_pixels * ny))});
    error.code = Code::kOverBudget;
    return error;
  }
  grid.nx = static_cast<int>(nx);
  grid.ny = static_cast<int>(ny);
  return grid;
}

uint64_t DrawShape(const Shape& shape, const Grid& grid,
                   std::vector<uint8_t>& metal) {
  Canvas canvas(grid, shape.clear, metal);
  std::visit([&](const auto& form) { canvas.Draw(form); }, shape.form);
  return canvas.covered();
}

void AppendMoves(const Shape& shape, const Grid& grid, const std::string& key,
                 std::vector<EdgeMove>& moves) {
  if (const auto* r = std::get_if<Rect>(&shape.form)) {
    const std::string rect = key + ".rect";
    moves.push_back({rect + "[0]", Moved(grid, Axis::kX, r->x0)});
    moves.push_back({rect + "[1]", Moved(grid, Axis::kX, r->x1)});
    moves.push_back({rect + "[2]", Moved(grid, Axis::kY, r->y0)});
    moves.push_back({rect + "[3]", Moved(grid, Axis::kY, r->y1)});
  } else if (const auto* p = std::get_if<Polygon>(&shape.form)) {
    AppendSides(*p, grid, key + ".polygon", moves);
  } else if (const auto* m = std::get_if<PixelMask>(&shape.form)) {
    moves.push_back({key + ".origin[0]", Moved(grid, Axis::kX, m->origin.x)});
    moves.push_back({key + ".origin[1]", Moved(grid, Axis::kY, m->origin.y)});
  }
}

}  // namespace assay::planar
