// Lines of ports become pixels and the sides that their currents enter.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/terminals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace assay::planar {
namespace {

class Placer {
 public:
  Placer(const Layout& layout, const Grid& grid, Raster& raster)
      : layout_(layout), grid_(grid), raster_(raster), mesh_(raster.mesh) {}

  Status PlacePort(size_t index) {
    const Layout::Port& spec = layout_.ports[index];
    key_ = fmt::format("ports[{}]", index);
    Port port;
    port.kind = spec.kind;
    port.z0 = spec.z0;
    if (spec.point) {
      ASSAY_ASSIGN(pixel, PixelOf(*spec.point));
      port.currents.push_back({pixel, Side::kWest});
    } else {
      ASSAY_TRY(PlaceLine(spec, port));
    }
    for (const PortCurrent& current : port.currents) {
      ASSAY_TRY(Claim(current.pixel));
    }
    mesh_.ports.push_back(std::move(port));
    return {};
  }

  Status PlaceVia(size_t index) {
    const Layout::Via& via = layout_.vias[index];
    key_ = fmt::format("vias[{}]", index);
    ASSAY_ASSIGN(pixel, PixelOf(via.at));
    ASSAY_TRY(Claim(pixel));
    // Barrels stand in the middle of their pixels.
    const double radius = via.diameter / 2 * Metres(layout_.units);
    if (2 * radius > std::hypot(mesh_.nx * mesh_.dx, mesh_.ny * mesh_.dy)) {
      return Fail(
          ".diameter", fmt::format("{} is wider than the metal", via.diameter),
          fmt::format("lengths are in {} here", UnitName(layout_.units)));
    }
    for (size_t other = 0; other < mesh_.vias.size(); ++other) {
      const uint32_t there = mesh_.vias[other].pixel;
      const auto ny = static_cast<uint32_t>(mesh_.ny);
      const double dx =
          (static_cast<double>(pixel / ny) - static_cast<double>(there / ny)) *
          mesh_.dx;
      const double dy =
          (static_cast<double>(pixel % ny) - static_cast<double>(there % ny)) *
          mesh_.dy;
      if (std::hypot(dx, dy) >= radius + mesh_.vias[other].radius) continue;
      return Fail("", fmt::format("it overlaps vias[{}]", other),
                  "smaller diameters, or one via for both");
    }
    mesh_.vias.push_back({pixel, radius});
    return {};
  }

 private:
  // A line across the grid: pixel `along` on the axis, `across` beside it.
  std::optional<uint32_t> Metal(Axis axis, int along, int across) const {
    const int i = axis == Axis::kX ? along : across;
    const int j = axis == Axis::kX ? across : along;
    if (i < 0 || j < 0 || i >= grid_.nx || j >= grid_.ny) return {};
    const auto pixel = static_cast<uint32_t>(i) * grid_.ny + j;
    if (!mesh_.metal[pixel]) return {};
    return pixel;
  }

  Error Fail(const std::string& name, std::string what,
             std::string hint = "") const {
    return FaultError(layout_, {key_ + name, std::move(what), std::move(hint)});
  }

  Result<uint32_t> PixelOf(const Vec2& point) const {
    const auto pixel =
        Metal(Axis::kX, PixelAt(grid_.U(point.x)), PixelAt(grid_.V(point.y)));
    if (pixel) return *pixel;
    return Fail(".at",
                fmt::format("({}, {}) is off the metal", point.x, point.y),
                MetalHint());
  }

  std::string MetalHint() const {
    return fmt::format(
        "the metal lies in x {:.6g}..{:.6g}, y {:.6g}..{:.6g} {}", grid_.X(0),
        grid_.X(grid_.nx), grid_.Y(0), grid_.Y(grid_.ny),
        UnitName(layout_.units));
  }

  Status PlaceLine(const Layout::Port& spec, Port& port) {
    const Axis across = Across(spec.axis);
    const int begin = std::max(SnapLine(grid_.Along(across, spec.from)), 0);
    const int end =
        std::min(SnapLine(grid_.Along(across, spec.to)), grid_.Count(across));
    NoteMove(spec, across, begin, end);
    NoteCut(spec, across, begin, end);
    int pixels_off = 0;
    for (int k = begin; k < end; ++k) {
      const size_t before = port.currents.size();
      ASSAY_TRY(PlacePixel(spec, k, port));
      if (port.currents.size() == before) ++pixels_off;
    }
    if (port.currents.empty()) return OffMetal(spec, begin, end);
    if (pixels_off > 0) {
      raster_.warnings.push_back(fmt::format(
          "{}: {} of its {} pixels lie off the metal and are left out", key_,
          pixels_off, end - begin));
    }
    return {};
  }

  // One pixel's breadth of the port.
  Status PlacePixel(const Layout::Port& spec, int k, Port& port) {
    const bool x = spec.axis == Axis::kX;
    const Side low_side = x ? Side::kWest : Side::kSouth;
    const Side high_side = x ? Side::kEast : Side::kNorth;
    const double u = grid_.Along(spec.axis, spec.at);
    if (spec.kind == PortKind::kGround) {
      if (const auto pixel = Metal(spec.axis, PixelAt(u), k)) {
        port.currents.push_back({*pixel, low_side});
      }
      return {};
    }
    const int line = SnapLine(u);
    const auto below = Metal(spec.axis, line - 1, k);
    const auto above = Metal(spec.axis, line, k);
    if (spec.kind == PortKind::kGap) {
      if (below && above) port.currents.push_back({*above, low_side});
      return {};
    }
    if (below && above) {
      return Fail(".at", "the line lies inside the metal",
                  "an edge port lies on the metal's rim; inside it a port is "
                  "of kind gap or ground");
    }
    if (!below && !above) return {};
    const Side side = above ? low_side : high_side;
    if (!port.currents.empty() && port.currents.back().side != side) {
      return Fail(".at",
                  "metal lies now on one side of the line, now on the "
                  "other",
                  "make one port for each side");
    }
    port.currents.push_back({above ? *above : *below, side});
    return {};
  }

  void NoteMove(const Layout::Port& spec, Axis across, int begin, int end) {
    const auto note = [&](const char* name, Axis axis, int line, double at) {
      raster_.moves.push_back({key_ + name, grid_.Back(axis, line) - at});
    };
    if (spec.kind != PortKind::kGround) {
      note(".at", spec.axis, SnapLine(grid_.Along(spec.axis, spec.at)),
           spec.at);
    }
    if (begin >= end) return;
    // What reaches beyond the grid is cut there and not moved.
    if (begin > 0) note(".from", across, begin, spec.from);
    if (end < grid_.Count(across)) note(".to", across, end, spec.to);
  }

  // What ends more than half a pixel beyond the grid may be a slip.
  void NoteCut(const Layout::Port& spec, Axis across, int begin, int end) {
    const bool cut = grid_.Along(across, spec.from) < -0.5 ||
                     grid_.Along(across, spec.to) > grid_.Count(across) + 0.5;
    if (!cut || begin >= end) return;
    raster_.warnings.push_back(fmt::format(
        "{} goes from {} to {} and is cut to the metal's {:.6g} to {:.6g}",
        key_, spec.from, spec.to, grid_.Back(across, begin),
        grid_.Back(across, end)));
  }

  Error OffMetal(const Layout::Port& spec, int begin, int end) const {
    if (begin >= end) {
      return Fail(".from",
                  fmt::format("no pixel's centre lies between {} and {}",
                              spec.from, spec.to),
                  MetalHint());
    }
    const std::string name = spec.axis == Axis::kX ? "x" : "y";
    std::string hint = MetalHint();
    if (const auto line = NearestRim(spec, begin, end);
        line && spec.kind == PortKind::kEdge) {
      hint = fmt::format("the nearest rim is at {} = {:.6g}", name,
                         grid_.Back(spec.axis, *line));
    }
    if (spec.kind == PortKind::kGap) {
      hint = "a gap port needs metal on both sides of its line";
    }
    return Fail(
        ".at",
        fmt::format("the port at {} = {} is off the metal", name, spec.at),
        hint);
  }

  std::optional<int> NearestRim(const Layout::Port& spec, int begin,
                                int end) const {
    const double u = grid_.Along(spec.axis, spec.at);
    std::optional<int> best;
    for (int line = 0; line <= grid_.Count(spec.axis); ++line) {
      if (best && std::abs(line - u) >= std::abs(*best - u)) continue;
      for (int k = begin; k < end; ++k) {
        if (Metal(spec.axis, line - 1, k).has_value() !=
            Metal(spec.axis, line, k).has_value()) {
          best = line;
          break;
        }
      }
    }
    return best;
  }

  Status Claim(uint32_t pixel) {
    const auto [taken, is_new] = owner_.emplace(pixel, key_);
    if (is_new) return {};
    return Fail("",
                fmt::format("it shares the pixel at ({:.6g}, {:.6g}) "
                            "with {}",
                            grid_.X(pixel / mesh_.ny + 0.5),
                            grid_.Y(pixel % mesh_.ny + 0.5), taken->second),
                "move one of them, or use smaller pixels");
  }

  const Layout& layout_;
  const Grid& grid_;
  Raster& raster_;
  Mesh& mesh_;
  std::string key_;
  std::map<uint32_t, std::string> owner_;
};

}  // namespace

Status SetTerminals(const Layout& layout, const Grid& grid, Raster& raster) {
  Placer placer(layout, grid, raster);
  for (size_t i = 0; i < layout.ports.size(); ++i) {
    ASSAY_TRY(placer.PlacePort(i));
  }
  for (size_t i = 0; i < layout.vias.size(); ++i) {
    ASSAY_TRY(placer.PlaceVia(i));
  }
  return {};
}

}  // namespace assay::planar
