// One row of pixels across the line after the other.
// SPDX-License-Identifier: Apache-2.0
#include "cli/port_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>

namespace assay::cli {
namespace {

using planar::Mesh;
using planar::Side;

// A share of a pixel that a length may be longer than whole pixels.
constexpr double kRounding = 1e-6;

Side Opposite(Side side) {
  switch (side) {
    case Side::kWest: return Side::kEast;
    case Side::kEast: return Side::kWest;
    case Side::kSouth: return Side::kNorth;
    case Side::kNorth: return Side::kSouth;
  }
  return side;
}

// Pixels on which something other than the line begins.
std::map<uint32_t, std::string> Obstacles(const Mesh& mesh, size_t port) {
  const Side facing = Opposite(mesh.ports[port].currents.front().side);
  std::map<uint32_t, std::string> found;
  for (const planar::Via& via : mesh.vias) found[via.pixel] = "a via";
  for (size_t p = 0; p < mesh.ports.size(); ++p) {
    const planar::Port& other = mesh.ports[p];
    if (p == port) continue;
    for (const planar::PortCurrent& current : other.currents) {
      if (other.kind == planar::PortKind::kEdge && current.side == facing) {
        continue;
      }
      found[current.pixel] = fmt::format("port {}", p + 1);
    }
  }
  return found;
}

// The grid as the port sees it: `along` the line and `across` it.
class View {
 public:
  View(const Mesh& mesh, Side side)
      : mesh_(mesh),
        on_x_(side == Side::kWest || side == Side::kEast),
        inwards_(side == Side::kWest || side == Side::kSouth ? 1 : -1) {}

  double step() const { return on_x_ ? mesh_.dx : mesh_.dy; }
  int inwards() const { return inwards_; }
  int Along(uint32_t pixel) const { return on_x_ ? I(pixel) : J(pixel); }
  int Across(uint32_t pixel) const { return on_x_ ? J(pixel) : I(pixel); }
  uint32_t Pixel(int along, int across) const {
    return static_cast<uint32_t>(on_x_ ? along * mesh_.ny + across
                                       : across * mesh_.ny + along);
  }
  bool IsMetal(int along, int across) const {
    const int most_along = on_x_ ? mesh_.nx : mesh_.ny;
    const int most_across = on_x_ ? mesh_.ny : mesh_.nx;
    return along >= 0 && along < most_along && across >= 0 &&
           across < most_across && mesh_.metal[Pixel(along, across)] != 0;
  }

 private:
  int I(uint32_t pixel) const { return static_cast<int>(pixel) / mesh_.ny; }
  int J(uint32_t pixel) const { return static_cast<int>(pixel) % mesh_.ny; }

  const Mesh& mesh_;
  bool on_x_;
  int inwards_;
};

}  // namespace

std::optional<LineEnd> LineEndWithin(const Mesh& mesh, size_t port,
                                     double metres) {
  const auto& currents = mesh.ports[port].currents;
  const View view(mesh, currents.front().side);
  const auto across = [&](const planar::PortCurrent& current) {
    return view.Across(current.pixel);
  };
  const auto [first, last] = std::ranges::minmax(currents, {}, across);
  const int low = across(first);
  const int high = across(last);
  const auto obstacles = Obstacles(mesh, port);

  // Empty: the line goes on.
  const auto fault = [&](int at) -> std::string {
    int count = 0;
    for (int row = low; row <= high; ++row) count += view.IsMetal(at, row);
    if (count == 0) return "the metal ends there";
    if (count <= high - low) return "the metal is narrower there";
    if (view.IsMetal(at, low - 1) || view.IsMetal(at, high + 1)) {
      return "the metal is wider there";
    }
    for (int row = low; row <= high; ++row) {
      const auto found = obstacles.find(view.Pixel(at, row));
      if (found != obstacles.end()) return found->second + " stands there";
    }
    return "";
  };
  const int begin = view.Along(currents.front().pixel);
  for (int k = 0; k * view.step() < metres - kRounding * view.step(); ++k) {
    const std::string why = fault(begin + view.inwards() * k);
    if (!why.empty()) return LineEnd{k * view.step(), why};
  }
  return std::nullopt;
}

}  // namespace assay::cli
