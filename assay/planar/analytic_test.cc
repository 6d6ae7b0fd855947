// Whole simulations against closed forms: plates, tapes, a loop and spirals.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "assay/ops/green/images.h"
#include "assay/planar/assemble.h"
#include "assay/planar/simulate.h"

namespace assay::planar {
namespace {

using green::kEps0;
using green::kPi;

nlohmann::json Table(const std::string& name) {
  std::ifstream file(ASSAY_TESTDATA "/planar/analytic.json");
  return nlohmann::json::parse(file)[name];
}

// Metal in air, in millimetres, over a ground at height h.
Layout InAir(double h, double pixel) {
  Layout layout;
  layout.substrate = {1, 0, h};
  layout.dx = layout.dy = pixel;
  return layout;
}

// Y at one frequency of an answer that passed its tests.
PortMatrix YAt(const Layout& layout, double hz, const Options& options) {
  const Threads threads(2);
  const auto answer = Simulate(threads, layout, std::vector{hz}, options);
  if (!answer.ok()) {
    ADD_FAILURE() << answer.error().what;
    return PortMatrix(layout.ports.size());
  }
  EXPECT_TRUE(answer->verification.passed());
  return answer->y[0];
}

// Capacitance of a square of 1 m in `n` x `n` pixels over a ground, by the
// current into its middle, over 4 pi eps0.
double PlateCapacitance(int n, double h, bool correction) {
  Layout layout = InAir(h, 1.0 / n);
  layout.units = Units::kMetre;
  layout.metal = {{Rect{0, 1, 0, 1}, false}};
  Layout::Port port;
  port.kind = PortKind::kGround;
  port.point = Vec2{0.5 + 0.5 / n, 0.5 + 0.5 / n};
  layout.ports = {port};
  Options options;
  options.edge_correction = correction;
  const double hz = 1e3;
  return YAt(layout, hz, options).values[0].imag() /
         (2 * kPi * hz * 4 * kPi * kEps0);
}

TEST(Plate, AloneHasItsCapacitance) {
  const nlohmann::json table = Table("unit_square_plate");
  const double exact = table["exact_over_4pieps0a"];
  // A ground so far away is one charge more at 2 h.
  const double h = 100;
  const auto alone = [&](int n, bool correction) {
    return 1 / (1 / PlateCapacitance(n, h, correction) + 1 / (2 * h));
  };
  for (const auto& row : table["pixel"]) {
    const int n = row[0];
    const double value = row[1];
    if (n > 32) continue;
    // The same pixels in another program.
    EXPECT_NEAR(alone(n, false) / value, 1, 1e-6) << n;
  }
  EXPECT_NEAR(alone(32, false) / exact, 1, 0.007);
  // 1.3 % without the correction.
  EXPECT_NEAR(alone(16, true) / exact, 1, 0.005);
}

TEST(Plate, OverGroundIsThatOfTheModel) {
  const nlohmann::json rows = Table("plate_over_ground");
  ASSERT_EQ(rows.size(), 3);
  for (const auto& row : rows) {
    const double h = row["h_ground"], value = row["C_over_4pieps0a"]["16"];
    EXPECT_NEAR(PlateCapacitance(16, h, false) / value, 1, 1e-6) << h;
  }
}

TEST(EdgeCorrection, IsRefusedOnLongPixels) {
  const Threads threads(1);
  Layout layout = InAir(1, 0.5);
  layout.metal = {{Rect{0, 6, 0, 1}, false}};
  Layout::Port port;
  port.to = 1;
  layout.ports = {port};
  Options options;
  for (const double dx : {0.25, 0.4, 0.5, 0.75, 1.0}) {
    layout.dx = dx;
    for (const bool correction : {false, true}) {
      options.edge_correction = correction;
      const auto answer = Simulate(threads, layout, std::vector{1e9}, options);
      const bool refused = correction && (dx == 0.25 || dx == 1.0);
      EXPECT_EQ(answer.ok(), !refused) << dx << " " << correction;
    }
  }
}

// The sum of all partial inductances of a tape along x in `rows` rows of
// `cells` currents, each carrying the same: the inductance of the whole.
double TapeInductance(double length, double width, int cells, int rows) {
  Mesh mesh;
  mesh.nx = cells + 1;
  mesh.ny = rows;
  mesh.dx = length / cells;
  mesh.dy = width / rows;
  mesh.metal.assign(static_cast<size_t>(mesh.nx) * rows, 1);
  mesh.substrate = {1, 0, 1e9};  // no ground within reach
  Port port;
  port.kind = PortKind::kGap;
  port.currents = {{static_cast<uint32_t>(rows), Side::kWest}};
  mesh.ports = {port};
  EXPECT_TRUE(NumberUnknowns(mesh).ok());
  const Threads threads(1);
  const auto matrices = Assemble(threads, mesh, {}, 1e18);
  EXPECT_TRUE(matrices.ok());
  double sum = 0;
  for (size_t i = 0; i < mesh.x_edges; ++i) {
    sum += matrices->inductance(i, i);
    for (size_t j = 0; j < i; ++j) sum += 2 * matrices->inductance(i, j);
  }
  return sum / (rows * rows);
}

TEST(Tape, CurrentsAddToRuehlisInductance) {
  const nlohmann::json rows = Table("partial_L_strip");
  ASSERT_EQ(rows.size(), 4);
  for (const auto& row : rows) {
    const double l = row["l"], w = row["w"], value = row["L_ruehli"];
    EXPECT_NEAR(TapeInductance(l, w, 1, 1) / value, 1, 1e-9) << l << " " << w;
    EXPECT_NEAR(TapeInductance(l, w, 10, 1) / value, 1, 1e-9) << l << " " << w;
    EXPECT_NEAR(TapeInductance(l, w, 6, 4) / value, 1, 1e-9) << l << " " << w;
  }
}

// A loop of tape four times as wide as the wire's radius has the wire's
// outer inductance.
double LoopInductance(double side, double radius, int across, bool correction) {
  const double w = 4 * radius, outer = (side + w) / 2, inner = (side - w) / 2;
  Layout layout = InAir(10 * side, w / across);
  layout.metal = {{Rect{-outer, outer, -outer, outer}, false},
                  {Rect{-inner, inner, -inner, inner}, true}};
  Layout::Port port;
  port.kind = PortKind::kGap;
  port.from = -outer;
  port.to = -inner;
  layout.ports = {port};
  Options options;
  options.edge_correction = correction;
  const double hz = 1e6;
  return (1.0 / YAt(layout, hz, options).values[0]).imag() / (2 * kPi * hz);
}

TEST(Loop, HasGroversInductance) {
  const nlohmann::json loop = Table("loop_square_round_wire");
  const double side = loop["s"], radius = loop["a"], value = loop["L_hf"];
  const double plain = LoopInductance(side * 1e3, radius * 1e3, 4, false);
  const double corrected = LoopInductance(side * 1e3, radius * 1e3, 4, true);
  EXPECT_NEAR(plain / value, 1, 0.02);
  EXPECT_NEAR(corrected / value, 1, 0.005);
  EXPECT_LT(corrected, plain);
}

struct Spiral {
  int turns;
  double outer, width, gap;  // metres
};

// A square spiral from its outer corner inwards, a port at each end.
Layout SpiralLayout(const Spiral& spiral, int across) {
  const double w = spiral.width, pitch = w + spiral.gap, half = w / 2;
  Layout layout = InAir(10 * spiral.outer, w / across);
  layout.units = Units::kMetre;
  const double a = (spiral.outer - w) / 2;
  std::vector<Vec2> corners = {{-a, -a}};
  for (int k = 0; k < spiral.turns; ++k) {
    const double in = a - k * pitch;
    corners.push_back({in, corners.back().y});
    corners.push_back({in, in});
    corners.push_back({-in, in});
    corners.push_back({-in, -in + pitch});
  }
  for (size_t i = 1; i < corners.size(); ++i) {
    const auto [x0, x1] = std::minmax(corners[i - 1].x, corners[i].x);
    const auto [y0, y1] = std::minmax(corners[i - 1].y, corners[i].y);
    layout.metal.push_back(
        {Rect{x0 - half, x1 + half, y0 - half, y1 + half}, false});
  }
  Layout::Port out, in;
  out.at = -a - half;
  out.from = -a - half;
  out.to = -a + half;
  in.axis = Axis::kY;
  in.at = corners.back().y - half;
  in.from = corners.back().x - half;
  in.to = corners.back().x + half;
  layout.ports = {out, in};
  return layout;
}

TEST(Spirals, HaveMohansInductance) {
  const nlohmann::json rows = Table("spiral_mohan");
  ASSERT_EQ(rows.size(), 3);
  for (const auto& row : rows) {
    const Spiral spiral = {row["n"], row["dout"], row["w"], row["s"]};
    Layout layout = SpiralLayout(spiral, 5);
    // So thin that resistance alone says where the current flows.
    layout.conductor = LayoutConductor{5.8e7, 1e-7, 0, false};
    Options options;
    options.flat_ports = true;
    const double hz = 1e6;
    const double inductance =
        (-1.0 / YAt(layout, hz, options)(1, 0)).imag() / (2 * kPi * hz);
    const double value = row["current_sheet"];
    EXPECT_NEAR(inductance / value, 1, 0.05) << spiral.turns;
  }
}

}  // namespace
}  // namespace assay::planar
