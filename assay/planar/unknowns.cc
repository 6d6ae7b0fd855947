// Number the charges and currents of a mesh.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/unknowns.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

namespace assay::planar {
namespace {

Error Invalid(std::string what, std::string hint = {}) {
  return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
}

bool IsPositive(double x) { return std::isfinite(x) && x > 0; }
bool IsNonNegative(double x) { return std::isfinite(x) && x >= 0; }

// The pixel beyond `side`, -1 outside the grid.
int64_t Neighbour(const Mesh& mesh, uint32_t pixel, Side side) {
  const int i = static_cast<int>(pixel) / mesh.ny;
  const int j = static_cast<int>(pixel) % mesh.ny;
  switch (side) {
    case Side::kWest: return i > 0 ? int64_t{pixel} - mesh.ny : -1;
    case Side::kEast: return i + 1 < mesh.nx ? int64_t{pixel} + mesh.ny : -1;
    case Side::kSouth: return j > 0 ? int64_t{pixel} - 1 : -1;
    case Side::kNorth: return j + 1 < mesh.ny ? int64_t{pixel} + 1 : -1;
  }
  return -1;
}

Status CheckMaterials(const Mesh& mesh) {
  const Substrate& s = mesh.substrate;
  if (!(std::isfinite(s.er) && s.er >= 1)) {
    return Invalid(fmt::format("relative permittivity is {}", s.er),
                   "it is at least 1");
  }
  if (!IsNonNegative(s.tand)) {
    return Invalid(fmt::format("loss tangent is {}", s.tand));
  }
  if (!IsPositive(s.h)) {
    return Invalid(fmt::format("substrate height is {} m", s.h));
  }
  const Conductor& c = mesh.conductor;
  if (!IsNonNegative(c.sigma) || !IsNonNegative(c.thickness) ||
      !IsNonNegative(c.roughness)) {
    return Invalid("a property of the conductor is negative or not finite");
  }
  if (c.sigma > 0 && c.thickness == 0) {
    return Invalid("the conductor has a conductivity and no thickness",
                   "give its thickness, or leave the conductivity out");
  }
  return {};
}

Status CheckGrid(const Mesh& mesh) {
  if (mesh.nx <= 0 || mesh.ny <= 0 ||
      int64_t{mesh.nx} * mesh.ny > int64_t{1} << 30) {
    return Invalid(fmt::format("the grid has {} x {} pixels", mesh.nx, mesh.ny),
                   "1 to 2^30 pixels in all");
  }
  if (!IsPositive(mesh.dx) || !IsPositive(mesh.dy)) {
    return Invalid(fmt::format("a pixel measures {} x {} m", mesh.dx, mesh.dy));
  }
  if (mesh.metal.size() != static_cast<size_t>(mesh.nx) * mesh.ny) {
    return Invalid(fmt::format("the mask holds {} pixels for a grid of {} x {}",
                               mesh.metal.size(), mesh.nx, mesh.ny));
  }
  return {};
}

// Claims a pixel for a port or via. `taken` marks claimed pixels.
Status Claim(const Mesh& mesh, uint32_t pixel, const std::string& who,
             std::vector<uint8_t>& taken) {
  if (pixel >= mesh.metal.size() || !mesh.metal[pixel]) {
    return Invalid(fmt::format("{} lies off the metal", who),
                   "move it onto a metal pixel");
  }
  if (taken[pixel]) {
    return Invalid(
        fmt::format("{} shares pixel ({}, {}) with another port or "
                    "via",
                    who, pixel / mesh.ny, pixel % mesh.ny));
  }
  taken[pixel] = 1;
  return {};
}

Status CheckPorts(const Mesh& mesh) {
  std::vector<uint8_t> taken(mesh.metal.size());
  if (mesh.ports.empty()) return Invalid("the layout has no port");
  for (size_t p = 0; p < mesh.ports.size(); ++p) {
    const Port& port = mesh.ports[p];
    const std::string who = fmt::format("port {}", p + 1);
    if (!IsPositive(port.z0)) {
      return Invalid(fmt::format("{} has z0 = {} ohms", who, port.z0));
    }
    if (port.currents.empty()) {
      return Invalid(fmt::format("{} touches no pixel", who));
    }
    for (const PortCurrent& current : port.currents) {
      ASSAY_TRY(Claim(mesh, current.pixel, who, taken));
      const int64_t beyond = Neighbour(mesh, current.pixel, current.side);
      const bool goes_on = beyond >= 0 && mesh.metal[beyond];
      if (port.kind == PortKind::kEdge && goes_on) {
        return Invalid(
            fmt::format("{} enters through a side where metal goes on", who),
            "put it on the rim, or use a ground port");
      }
      if (port.kind == PortKind::kGap && !goes_on) {
        return Invalid(
            fmt::format("{} is a gap port with metal on one side only", who));
      }
    }
  }
  for (size_t v = 0; v < mesh.vias.size(); ++v) {
    const std::string who = fmt::format("via {}", v + 1);
    ASSAY_TRY(Claim(mesh, mesh.vias[v].pixel, who, taken));
    if (!IsPositive(mesh.vias[v].radius)) {
      return Invalid(
          fmt::format("{} has radius {} m", who, mesh.vias[v].radius));
    }
  }
  return {};
}

// The current that a gap port drives, and its sign into the port's pixel.
// Edges are sorted by their first cell within an axis.
Source GapSource(const Mesh& mesh, const PortCurrent& current, uint32_t port) {
  const int64_t beyond = Neighbour(mesh, current.pixel, current.side);
  const auto here = static_cast<uint32_t>(mesh.cell_of[current.pixel]);
  const auto there = static_cast<uint32_t>(mesh.cell_of[beyond]);
  const bool along_x =
      current.side == Side::kWest || current.side == Side::kEast;
  const bool inwards =
      current.side == Side::kWest || current.side == Side::kSouth;
  const uint32_t from = inwards ? there : here;
  size_t low = along_x ? 0 : mesh.x_edges;
  size_t high = along_x ? mesh.x_edges : mesh.edges.size();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (mesh.edges[middle].from < from) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return {static_cast<uint32_t>(low), port, inwards ? 1.0 : -1.0};
}

}  // namespace

Status NumberUnknowns(Mesh& mesh) {
  ASSAY_TRY(CheckGrid(mesh));
  ASSAY_TRY(CheckMaterials(mesh));
  ASSAY_TRY(CheckPorts(mesh));

  const size_t pixels = mesh.metal.size();
  mesh.cells.clear();
  mesh.cell_of.assign(pixels, -1);
  for (uint32_t pixel = 0; pixel < pixels; ++pixel) {
    if (!mesh.metal[pixel]) continue;
    mesh.cell_of[pixel] = static_cast<int32_t>(mesh.cells.size());
    mesh.cells.push_back(pixel);
  }
  mesh.edges.clear();
  for (const Axis axis : {Axis::kX, Axis::kY}) {
    const Side side = axis == Axis::kX ? Side::kEast : Side::kNorth;
    for (const uint32_t pixel : mesh.cells) {
      const int64_t beyond = Neighbour(mesh, pixel, side);
      if (beyond < 0 || !mesh.metal[beyond]) continue;
      mesh.edges.push_back({axis, static_cast<uint32_t>(mesh.cell_of[pixel]),
                            static_cast<uint32_t>(mesh.cell_of[beyond])});
    }
    if (axis == Axis::kX) mesh.x_edges = mesh.edges.size();
  }
  mesh.port_currents = 0;
  for (const Port& port : mesh.ports) {
    if (port.kind != PortKind::kGap) mesh.port_currents += port.currents.size();
  }
  return {};
}

std::vector<Ends> EndsOfCurrents(const Mesh& mesh) {
  std::vector<Ends> ends;
  ends.reserve(mesh.unknowns());
  for (const Edge& edge : mesh.edges) {
    ends.push_back(
        {static_cast<int32_t>(edge.from), static_cast<int32_t>(edge.to)});
  }
  for (const Port& port : mesh.ports) {
    if (port.kind == PortKind::kGap) continue;
    for (const PortCurrent& current : port.currents) {
      ends.push_back({-1, mesh.cell_of[current.pixel]});
    }
  }
  for (const Via& via : mesh.vias) {
    ends.push_back({-1, mesh.cell_of[via.pixel]});
  }
  return ends;
}

std::vector<Source> Sources(const Mesh& mesh) {
  std::vector<Source> sources;
  auto unknown = static_cast<uint32_t>(mesh.edges.size());
  for (uint32_t p = 0; p < mesh.ports.size(); ++p) {
    for (const PortCurrent& current : mesh.ports[p].currents) {
      if (mesh.ports[p].kind == PortKind::kGap) {
        sources.push_back(GapSource(mesh, current, p));
      } else {
        sources.push_back({unknown++, p, 1.0});
      }
    }
  }
  return sources;
}

}  // namespace assay::planar
