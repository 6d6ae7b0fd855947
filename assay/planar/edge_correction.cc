// Correct the self terms of cells at the metal's edge.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/edge_correction.h"

#include <array>
#include <cmath>

#include "assay/ops/green/images.h"

namespace assay::planar {
namespace {

// Exposed sides of each cell by Side.
std::vector<std::array<uint8_t, 4>> ExposedSides(const Mesh& mesh) {
  std::vector<std::array<uint8_t, 4>> exposed(mesh.cells.size());
  for (size_t c = 0; c < mesh.cells.size(); ++c) {
    const uint32_t pixel = mesh.cells[c];
    const auto ny = static_cast<uint32_t>(mesh.ny);
    const uint32_t i = pixel / ny, j = pixel % ny;
    const auto bare = [&](bool inside, uint32_t neighbour) -> uint8_t {
      return !inside || !mesh.metal[neighbour];
    };
    exposed[c] = {bare(i > 0, pixel - ny),
                  bare(i + 1 < static_cast<uint32_t>(mesh.nx), pixel + ny),
                  bare(j > 0, pixel - 1), bare(j + 1 < ny, pixel + 1)};
  }
  for (const Port& port : mesh.ports) {
    if (port.kind != PortKind::kEdge) continue;
    for (const PortCurrent& current : port.currents) {
      const auto cell = static_cast<size_t>(mesh.cell_of[current.pixel]);
      exposed[cell][static_cast<size_t>(current.side)] = 0;
    }
  }
  return exposed;
}

double Fitted(double normal, double h) {
  return 0.23186 / (1 + 0.58823 * std::pow(normal / h, 1.22433));
}

}  // namespace

EdgeCorrection CorrectEdges(const Mesh& mesh) {
  const auto exposed = ExposedSides(mesh);
  const Substrate& s = mesh.substrate;
  const double cx = Fitted(mesh.dx, s.h), cy = Fitted(mesh.dy, s.h);
  const std::complex<double> mean =
      (1.0 + s.er * std::complex<double>(1, -s.tand)) / 2.0;
  EdgeCorrection correction;
  correction.potential.reserve(mesh.cells.size());
  for (const auto& [west, east, south, north] : exposed) {
    correction.potential.push_back(
        -((west + east) * cx / mesh.dy + (south + north) * cy / mesh.dx) /
        (2 * green::kPi * green::kEps0 * mean));
  }
  correction.inductance.reserve(mesh.edges.size());
  for (const Edge& edge : mesh.edges) {
    const bool along_x = edge.axis == Axis::kX;
    const size_t first = along_x ? 2 : 0;  // the two sides along the current
    int count = 0;
    for (const uint32_t cell : {edge.from, edge.to}) {
      count += exposed[cell][first] + exposed[cell][first + 1];
    }
    correction.inductance.push_back(-0.5 * count * (along_x ? cy : cx) *
                                    (along_x ? mesh.dx : mesh.dy) *
                                    green::kMu0 / (2 * green::kPi));
  }
  return correction;
}

}  // namespace assay::planar
