// Laws of the resistive limit.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/dc.h"

#include <gtest/gtest.h>

#include <cmath>

#include "assay/planar/network.h"
#include "assay/planar/solve_fast.h"
#include "assay/planar/test_layouts.h"
#include "assay/planar/unknowns.h"

namespace assay::planar {
namespace {

constexpr double kOhms = 1 / (5.8e7 * 35e-6);  // a square

PortMatrix ScatteringOf(const Mesh& mesh) {
  const auto dc = SolveDc(mesh);
  EXPECT_TRUE(dc.ok());
  PortMatrix y(mesh.ports.size());
  y.values = dc->y;
  const std::vector<double> z0(y.ports, 50.0);
  const auto s = SFromY(y, z0);
  EXPECT_TRUE(s.ok());
  return *s;
}

TEST(Dc, AStripHasItsSquares) {
  // 21 pixels in a row, a port at each end: 20 squares between the middles of
  // the end pixels, which the ports' currents enter.
  Mesh mesh = MeshOf({"#####################"});
  mesh.conductor = {5.8e7, 35e-6, 0, false};
  mesh.ports = {PortOfColumn(mesh, 0, 0, 0, Side::kWest),
                PortOfColumn(mesh, 20, 0, 0, Side::kEast)};
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  const auto dc = SolveDc(mesh);
  ASSERT_TRUE(dc.ok());
  EXPECT_NEAR(dc->y[0].real() * 20 * kOhms, 1, 1e-6);
  EXPECT_NEAR(dc->y[1].real() * 20 * kOhms, -1, 1e-6);
}

TEST(Dc, NothingFlowsIntoAnOpenEnd) {
  Mesh mesh = MeshOf({"#######..##", "#######..##"});
  mesh.conductor = {5.8e7, 35e-6, 0, false};
  mesh.ports = {PortOfColumn(mesh, 0, 0, 1, Side::kWest)};
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  EXPECT_NEAR(std::abs(ScatteringOf(mesh)(0, 0) - 1.0), 0, 1e-9);
}

TEST(Dc, PerfectMetalShortsOrConnects) {
  Mesh through = Stub();
  ASSERT_TRUE(NumberUnknowns(through).ok());
  const PortMatrix s = ScatteringOf(through);
  EXPECT_NEAR(std::abs(s(0, 0)), 0, 1e-6);
  EXPECT_NEAR(std::abs(s(1, 0) - 1.0), 0, 1e-6);

  Mesh grounded = MeshOf({"#####", "#####"});
  grounded.ports = {PortOfColumn(grounded, 0, 0, 1, Side::kWest)};
  grounded.vias = {{4 * 2 + 0, 0.1e-3}};
  ASSERT_TRUE(NumberUnknowns(grounded).ok());
  EXPECT_NEAR(std::abs(ScatteringOf(grounded)(0, 0) + 1.0), 0, 1e-6);
}

TEST(Dc, IsTheLimitOfLowFrequencies) {
  const Threads threads(1);
  Mesh mesh = Menagerie();
  mesh.conductor = {5.8e7, 18e-6, 0, true};
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  auto fast = MakeFastSystem(threads, mesh, {}, {});
  ASSERT_TRUE(fast.ok());
  std::vector<std::complex<double>> x((*fast)->unknowns() * (*fast)->ports());
  const auto report = (*fast)->Solve(2 * M_PI * 10, x);
  ASSERT_TRUE(report.ok()) << report.error().what;
  const auto dc = SolveDc(mesh);
  ASSERT_TRUE(dc.ok());
  for (size_t i = 0; i < dc->y.size(); ++i) {
    EXPECT_LE(std::abs(dc->y[i] - report->y[i]), 1e-3 * std::abs(dc->y[0]))
        << i;
  }
}

}  // namespace
}  // namespace assay::planar
