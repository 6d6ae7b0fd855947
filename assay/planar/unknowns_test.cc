// Laws of the numbering of charges and currents.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/unknowns.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay::planar {
namespace {

// A full sheet with an edge port on each short side.
Mesh Sheet(int nx, int ny) {
  Mesh mesh;
  mesh.nx = nx;
  mesh.ny = ny;
  mesh.dx = mesh.dy = 1e-3;
  mesh.metal.assign(static_cast<size_t>(nx) * ny, 1);
  mesh.substrate = {4.4, 0, 1.6e-3};
  mesh.ports.resize(2);
  mesh.ports[0].currents = {{0, Side::kWest}};
  mesh.ports[1].currents = {
      {static_cast<uint32_t>((nx - 1) * ny), Side::kEast}};
  return mesh;
}

TEST(Unknowns, AFullSheetHasTwoTimesNxNyAndAPortEach) {
  // Spec 1: N = 2 * 58 * 57 + 2 = 6614 is one of the seed's sizes.
  Mesh mesh = Sheet(58, 58);
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  EXPECT_EQ(mesh.cells.size(), 58u * 58u);
  EXPECT_EQ(mesh.x_edges, 57u * 58u);
  EXPECT_EQ(mesh.unknowns(), 6614u);
}

TEST(Unknowns, ColumnsOfTheIncidenceMatrixSumToZeroButGroundedOnes) {
  Mesh mesh = Sheet(5, 4);
  mesh.metal[7] = 0;
  mesh.vias.push_back({10, 1e-4});
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  const auto ends = EndsOfCurrents(mesh);
  ASSERT_EQ(ends.size(), mesh.unknowns());
  for (size_t e = 0; e < ends.size(); ++e) {
    EXPECT_GE(ends[e].to, 0);
    EXPECT_EQ(ends[e].from < 0, e >= mesh.edges.size());
  }
}

TEST(Unknowns, EdgesJoinNeighbours) {
  Mesh mesh = Sheet(6, 3);
  mesh.metal[4] = mesh.metal[10] = 0;
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  for (size_t e = 0; e < mesh.edges.size(); ++e) {
    const Edge& edge = mesh.edges[e];
    EXPECT_EQ(edge.axis == Axis::kX, e < mesh.x_edges);
    EXPECT_EQ(mesh.cells[edge.to] - mesh.cells[edge.from],
              edge.axis == Axis::kX ? 3u : 1u);
  }
}

TEST(Unknowns, AGapPortDrivesTheEdgeUnderIt) {
  for (const Side side :
       {Side::kWest, Side::kEast, Side::kSouth, Side::kNorth}) {
    Mesh mesh = Sheet(5, 5);
    mesh.ports.push_back({PortKind::kGap, {{12, side}}, 100});
    ASSERT_TRUE(NumberUnknowns(mesh).ok());
    EXPECT_EQ(mesh.port_currents, 2u);
    const auto sources = Sources(mesh);
    ASSERT_EQ(sources.size(), 3u);
    const auto ends = EndsOfCurrents(mesh);
    const Source& gap = sources[2];
    const Ends end = ends[gap.unknown];
    EXPECT_EQ(gap.sign > 0 ? end.to : end.from, 12);
    const int other = gap.sign > 0 ? end.from : end.to;
    const int expected = side == Side::kWest    ? 7
                         : side == Side::kEast  ? 17
                         : side == Side::kSouth ? 11
                                                : 13;
    EXPECT_EQ(other, expected);
  }
}

// What each change to a good mesh does to it.
template <class Change>
void ExpectRefused(Change change) {
  Mesh mesh = Sheet(4, 4);
  change(mesh);
  const Status status = NumberUnknowns(mesh);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Code::kInvalidInput);
  EXPECT_TRUE(mesh.cells.empty());
}

TEST(Unknowns, BadMeshesAreRefused) {
  ExpectRefused([](Mesh& m) { m.nx = 0; });
  ExpectRefused([](Mesh& m) { m.dx = -1; });
  ExpectRefused([](Mesh& m) { m.dy = NAN; });
  ExpectRefused([](Mesh& m) { m.metal.pop_back(); });
  ExpectRefused([](Mesh& m) { m.substrate.er = 0.5; });
  ExpectRefused([](Mesh& m) { m.substrate.h = 0; });
  ExpectRefused([](Mesh& m) { m.substrate.tand = -1; });
  ExpectRefused([](Mesh& m) { m.conductor.sigma = 5.8e7; });
  ExpectRefused([](Mesh& m) { m.ports.clear(); });
  ExpectRefused([](Mesh& m) { m.ports[0].currents.clear(); });
  ExpectRefused([](Mesh& m) { m.ports[0].z0 = 0; });
  ExpectRefused([](Mesh& m) { m.metal[0] = 0; });
  ExpectRefused([](Mesh& m) { m.ports[0].currents[0].pixel = 99; });
  ExpectRefused([](Mesh& m) { m.ports[0].currents[0].side = Side::kEast; });
  ExpectRefused([](Mesh& m) { m.ports[1] = m.ports[0]; });
  ExpectRefused([](Mesh& m) { m.vias.push_back({0, 1e-4}); });
  ExpectRefused([](Mesh& m) { m.vias.push_back({5, 0}); });
  ExpectRefused([](Mesh& m) {
    m.ports.push_back({PortKind::kGap, {{4, Side::kSouth}}, 50});
  });
}

}  // namespace
}  // namespace assay::planar
