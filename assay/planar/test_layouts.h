// Small layouts for the tests of the planar engine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/planar/mesh.h"

namespace assay::planar {

// A mesh from rows of '#' and '.', row j at greater y than row j-1, on FR4 of
// 0.8 mm with pixels of 0.5 mm. No ports yet.
inline Mesh MeshOf(const std::vector<std::string>& rows) {
  Mesh mesh;
  mesh.nx = static_cast<int>(rows[0].size());
  mesh.ny = static_cast<int>(rows.size());
  mesh.dx = mesh.dy = 0.5e-3;
  mesh.substrate = {4.4, 0, 0.8e-3};
  mesh.metal.resize(rows.size() * rows[0].size());
  for (size_t j = 0; j < rows.size(); ++j) {
    for (size_t i = 0; i < rows[j].size(); ++i) {
      mesh.metal[i * rows.size() + j] = rows[j][i] == '#';
    }
  }
  return mesh;
}

// An edge port of the metal pixels of column i, rows `low` to `high`.
inline Port PortOfColumn(const Mesh& mesh, int i, int low, int high,
                         Side side) {
  Port port;
  for (int j = low; j <= high; ++j) {
    port.currents.push_back({static_cast<uint32_t>(i * mesh.ny + j), side});
  }
  return port;
}

// A line with a stub in its middle, symmetric left to right, and a port at
// each end.
inline Mesh Stub() {
  Mesh mesh = MeshOf({
      "#####################",
      "#####################",
      "#####################",
      ".........###.........",
      ".........###.........",
      ".........###.........",
      ".........###.........",
      ".........###.........",
      ".........###.........",
      ".........###.........",
  });
  mesh.ports = {PortOfColumn(mesh, 0, 0, 2, Side::kWest),
                PortOfColumn(mesh, 20, 0, 2, Side::kEast)};
  return mesh;
}

// Everything at once: a via, an island, an inner port, a gap port, edge ports
// in both directions, pixels that are not square.
inline Mesh Menagerie() {
  Mesh mesh = MeshOf({
      "################....",
      "################....",
      "################.##.",
      ".....###.........##.",
      ".....###...####..##.",
      ".....###...####.....",
      ".....###############",
      ".....###############",
  });
  mesh.dy = 0.4e-3;
  Port north;
  north.currents = {{5 * 8 + 7, Side::kNorth}, {6 * 8 + 7, Side::kNorth}};
  Port inner;
  inner.kind = PortKind::kGround;
  inner.currents = {{12 * 8 + 1, Side::kWest}};
  Port gap;
  gap.kind = PortKind::kGap;
  gap.currents = {{11 * 8 + 6, Side::kWest}, {11 * 8 + 7, Side::kWest}};
  gap.z0 = 100;
  mesh.ports = {PortOfColumn(mesh, 0, 0, 2, Side::kWest), north, inner, gap};
  mesh.vias = {{18 * 8 + 6, 0.15e-3}};
  return mesh;
}

}  // namespace assay::planar
