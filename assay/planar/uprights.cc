// Currents of a mesh that the tables do not know: ports' and vias'.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/uprights.h"

#include <cmath>

namespace assay::planar {
namespace {

Upright OfPort(const Mesh& mesh, PortKind kind, const PortCurrent& current) {
  Upright u;
  u.kind = kind;
  const double x = static_cast<double>(current.pixel / mesh.ny) * mesh.dx;
  const double y = static_cast<double>(current.pixel % mesh.ny) * mesh.dy;
  const bool along_x =
      current.side == Side::kWest || current.side == Side::kEast;
  const double outwards =
      current.side == Side::kWest || current.side == Side::kSouth ? -1 : 1;
  u.normal = along_x ? Axis::kX : Axis::kY;
  u.width = along_x ? mesh.dy : mesh.dx;
  u.x = x;
  u.y = y;
  if (kind != PortKind::kEdge) return u;
  u.inwards = -outwards;
  if (along_x) {
    u.x += outwards * mesh.dx / 2;
    u.half = {x + outwards * mesh.dx / 4, y, mesh.dx / 2, mesh.dy};
  } else {
    u.y += outwards * mesh.dy / 2;
    u.half = {x, y + outwards * mesh.dy / 4, mesh.dy / 2, mesh.dx};
  }
  return u;
}

}  // namespace

std::vector<Upright> Uprights(const Mesh& mesh) {
  std::vector<Upright> uprights;
  for (const Port& port : mesh.ports) {
    if (port.kind == PortKind::kGap) continue;
    for (const PortCurrent& current : port.currents) {
      uprights.push_back(OfPort(mesh, port.kind, current));
    }
  }
  for (const Via& via : mesh.vias) {
    Upright u;
    u.kind = PortKind::kGround;
    u.is_via = true;
    u.x = static_cast<double>(via.pixel / mesh.ny) * mesh.dx;
    u.y = static_cast<double>(via.pixel % mesh.ny) * mesh.dy;
    u.radius = via.radius;
    uprights.push_back(u);
  }
  return uprights;
}

double UprightInductance(const green::Kernel& kernel, double h, bool sheets,
                         const Upright& a, const Upright& b, bool same) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  // Without its sheet an edge port has no upright part.
  const auto flat = [&](const Upright& u) {
    return !u.is_via && u.kind == PortKind::kEdge && !sheets;
  };
  if (a.is_via || b.is_via) {
    if (flat(a) || flat(b)) return 0;
    return green::FilamentInductance(same ? a.radius : std::hypot(dx, dy), h);
  }
  if (a.normal != b.normal) return 0;
  const bool along_x = a.normal == Axis::kX;
  double sum = 0;
  if (a.kind == PortKind::kEdge && b.kind == PortKind::kEdge) {
    sum += a.inwards * b.inwards *
           green::MutualInductance(kernel, a.half, b.half, along_x);
  }
  const bool both_inside =
      a.kind == PortKind::kGround && b.kind == PortKind::kGround;
  if (sheets || both_inside) {
    const green::SheetPair pair = {a.width, b.width, along_x ? dy : dx,
                                   std::abs(along_x ? dx : dy)};
    sum += green::SheetInductance(pair, h, kernel.form);
  }
  return sum;
}

std::vector<double> EdgeInductances(const green::Kernel& kernel,
                                    const Mesh& mesh, const Upright& upright) {
  std::vector<double> row(mesh.edges.size());
  if (upright.is_via || upright.kind != PortKind::kEdge) return row;
  const bool along_x = upright.normal == Axis::kX;
  const size_t begin = along_x ? 0 : mesh.x_edges;
  const size_t end = along_x ? mesh.x_edges : mesh.edges.size();
  for (size_t e = begin; e < end; ++e) {
    const uint32_t pixel = mesh.cells[mesh.edges[e].from];
    const double x = static_cast<double>(pixel / mesh.ny) * mesh.dx;
    const double y = static_cast<double>(pixel % mesh.ny) * mesh.dy;
    const green::CurrentCell cell =
        along_x ? green::CurrentCell{x + mesh.dx / 2, y, mesh.dx, mesh.dy}
                : green::CurrentCell{x, y + mesh.dy / 2, mesh.dy, mesh.dx};
    row[e] = upright.inwards *
             green::MutualInductance(kernel, upright.half, cell, along_x);
  }
  return row;
}

}  // namespace assay::planar
