// Laws of a whole sweep: from a layout to an answer that passed its tests.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/simulate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "assay/planar/layout_json.h"
#include "assay/planar/plan.h"
#include "assay/planar/solve_fast.h"
#include "assay/planar/unknowns.h"

namespace assay::planar {
namespace {

// A line with a stub in its middle, mirror-symmetric.
Layout StubLayout() {
  Layout layout;
  layout.substrate = {4.4, 0, 1.6};
  layout.dx = layout.dy = 0.5;
  layout.metal = {{Rect{0, 20, 0, 3}, false}, {Rect{9, 11, 3, 12}, false}};
  Layout::Port west, east;
  west.at = 0;
  west.from = 0;
  west.to = 3;
  east = west;
  east.at = 20;
  layout.ports = {west, east};
  return layout;
}

const Check* Find(const Answer& answer, const std::string& name) {
  for (const Check& check : answer.verification.checks) {
    if (check.name == name) return &check;
  }
  return nullptr;
}

class Solvers : public testing::TestWithParam<Solver> {};

TEST_P(Solvers, AnswerPassesItsTests) {
  const Threads threads(2);
  const auto hz = LinearFrequencies(0.1e9, 6e9, 41);
  ASSERT_TRUE(hz.ok());
  Options options;
  options.solver = GetParam();
  options.fields = true;
  for (const bool lossy : {false, true}) {
    Layout layout = StubLayout();
    if (lossy) {
      layout.substrate.tand = 0.02;
      layout.conductor = LayoutConductor{5.8e7, 0.035, 0, false};
      options.ground_loss = true;
    }
    const std::vector<size_t> at = {0, 20};
    const auto answer = Simulate(threads, layout, *hz, options, at);
    ASSERT_TRUE(answer.ok()) << answer.error().what;
    EXPECT_EQ(answer->solver, GetParam());
    for (const Check& check : answer->verification.checks) {
      EXPECT_TRUE(check.passed) << check.name << " " << check.value;
    }
    EXPECT_EQ(Find(*answer, "power balance") != nullptr, !lossy);
    ASSERT_NE(Find(*answer, "residual"), nullptr);
    EXPECT_GT(Find(*answer, "residual")->value, 0);
    EXPECT_LT(answer->exact.size(), 12u);
    ASSERT_EQ(answer->s.size(), 41u);
    for (const PortMatrix& s : answer->s) {
      // The layout is its own mirror image.
      EXPECT_LE(std::abs(s(0, 0) - s(1, 1)), 1e-6);
    }
    ASSERT_EQ(answer->fields.size(), 4u);
    // What the source gives is what Y says: I = Y V.
    const Field& field = answer->fields[2];
    EXPECT_EQ(field.index, 20u);
    EXPECT_EQ(field.port, 0u);
    Complex current = 0;
    for (const Source& source : Sources(answer->raster.mesh)) {
      if (source.port == 0) current += field.currents[source.unknown];
    }
    // 1 V behind 50 ohm: I = (1 - S11) / (2 z0).
    EXPECT_LE(std::abs(current - (1.0 - answer->s[20](0, 0)) / 100.0), 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Both, Solvers,
                         testing::Values(Solver::kDense, Solver::kFast));

TEST(Simulate, AdaptiveEqualsDirect) {
  const Threads threads(2);
  const auto hz = LinearFrequencies(0.1e9, 6e9, 41);
  for (const Solver solver : {Solver::kDense, Solver::kFast}) {
    Options options;
    options.solver = solver;
    const auto adaptive = Simulate(threads, StubLayout(), *hz, options);
    options.direct = true;
    const auto direct = Simulate(threads, StubLayout(), *hz, options);
    ASSERT_TRUE(adaptive.ok() && direct.ok());
    for (size_t i = 0; i < hz->size(); ++i) {
      for (size_t k = 0; k < 4; ++k) {
        EXPECT_LE(std::abs(adaptive->s[i].values[k] - direct->s[i].values[k]),
                  1e-6);
      }
    }
  }
}

TEST(Simulate, DcIsAPointLikeOthers) {
  const Threads threads(1);
  const std::vector<double> hz = {0, 1e3, 1e6, 1e9};
  Layout layout = StubLayout();
  layout.conductor = LayoutConductor{5.8e7, 0.035, 0, false};
  const auto answer = Simulate(threads, layout, hz, {});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  ASSERT_EQ(answer->s.size(), 4u);
  ASSERT_NE(Find(*answer, "current at DC"), nullptr);
  for (const Check& check : answer->verification.checks) {
    EXPECT_TRUE(check.passed) << check.name << " " << check.value;
  }
  // About seven squares of copper: nearly a through.
  EXPECT_NEAR(std::abs(answer->s[0](1, 0)), 1, 1e-3);
  EXPECT_LE(std::abs(answer->s[0](1, 0) - answer->s[1](1, 0)), 1e-4);
  EXPECT_EQ(answer->solver, Solver::kFast);
}

TEST(Simulate, PerfectMetalHasALimitAtDc) {
  const Threads threads(1);
  const std::vector<double> hz = {0, 1e3, 1e5, 1e9};
  const auto answer = Simulate(threads, StubLayout(), hz, {});
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  for (const Check& check : answer->verification.checks) {
    EXPECT_TRUE(check.passed) << check.name << " " << check.value;
  }
  EXPECT_LE(std::abs(answer->s[0](1, 0) - 1.0), 1e-6);
}

TEST(Simulate, ACheatedAnswerFails) {
  const Threads threads(1);
  const auto hz = LinearFrequencies(1e9, 2e9, 5);
  const auto answer = Simulate(threads, StubLayout(), *hz, {});
  ASSERT_TRUE(answer.ok());
  // Symmetric, but with gain.
  std::vector<PortMatrix> s = answer->s;
  s[2](0, 1) = s[2](1, 0) = 1.1;
  const auto checks = CheckScattering(s, true);
  EXPECT_FALSE(checks[0].passed);
  EXPECT_FALSE(checks[1].passed);

  // Currents that are right, and then nearly right.
  const Mesh& mesh = answer->raster.mesh;
  auto system = MakeFastSystem(threads, mesh, {}, {});
  ASSERT_TRUE(system.ok());
  Sample sample{1.5e9, {}, {}, 1e-8};
  sample.currents.resize(mesh.unknowns() * 2);
  const auto report =
      (*system)->Solve(2 * green::kPi * sample.hz, sample.currents);
  ASSERT_TRUE(report.ok());
  sample.charges = report->charges;
  for (const bool cheat : {false, true}) {
    if (cheat) sample.currents[mesh.unknowns() / 2] *= 1.0001;
    const auto found = CheckResiduals(mesh, {}, std::vector{sample}, 100000);
    ASSERT_TRUE(found.ok());
    ASSERT_EQ(found->size(), 2u);
    for (const Check& check : *found) {
      EXPECT_EQ(check.passed, !cheat) << check.name << " " << check.value;
    }
  }
}

TEST(Simulate, LittleMemoryGivesTheSameAnswer) {
  const Threads threads(2);
  const auto hz = LinearFrequencies(0.1e9, 6e9, 21);
  Options options;
  options.solver = Solver::kFast;
  const auto free = Simulate(threads, StubLayout(), *hz, options);
  ASSERT_TRUE(free.ok());
  // Room for the solver and a few vectors.
  options.tolerance = 1e-9;
  options.memory_bytes = 48 << 20;
  const auto tight = Simulate(threads, StubLayout(), *hz, options);
  ASSERT_TRUE(tight.ok()) << tight.error().what;
  EXPECT_LE(tight->costs.planned_bytes, 48 << 20);
  for (size_t i = 0; i < hz->size(); ++i) {
    for (size_t k = 0; k < 4; ++k) {
      EXPECT_LE(std::abs(free->s[i].values[k] - tight->s[i].values[k]), 1e-6);
    }
  }
}

TEST(Simulate, AShortPassesItsTestsAtLowFrequencies) {
  // Without losses a via leaves loops of microohms at 1 kHz: charges are then
  // a share of 1e-11 of the currents.
  const Threads threads(1);
  Layout layout = StubLayout();
  layout.ports.pop_back();
  layout.vias = {{{19.25, 1.25}, 0.3}};
  for (const double hz : {10.0, 300.0, 1e3, 1e5}) {
    for (const bool direct : {false, true}) {
      Options options;
      options.direct = direct;
      options.solver = Solver::kFast;
      const auto answer = Simulate(threads, layout, std::vector{hz}, options);
      ASSERT_TRUE(answer.ok()) << answer.error().what;
      for (const Check& check : answer->verification.checks) {
        EXPECT_TRUE(check.passed)
            << check.name << " " << check.value << " at " << hz;
      }
    }
  }
}

TEST(Simulate, ALonePixelIsAnIslandAtDcToo) {
  const Threads threads(1);
  Layout layout = StubLayout();
  layout.metal.push_back({Rect{15, 15.5, 8, 8.5}, false});
  const auto answer =
      Simulate(threads, layout, std::vector{0.0, 1e9}, Options());
  ASSERT_TRUE(answer.ok()) << answer.error().what;
  EXPECT_TRUE(answer->verification.passed());
}

TEST(Simulate, RefusesWhatItCanNotDo) {
  const Threads threads(1);
  const Layout layout = StubLayout();
  for (const std::vector<double>& hz :
       {std::vector<double>{}, {-1.0}, {2.0, 1.0}, {NAN}, {1.0, 1.0}}) {
    const auto answer = Simulate(threads, layout, hz, {});
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, Code::kInvalidInput);
  }
  Options small;
  small.memory_bytes = 1 << 20;
  const auto answer = Simulate(threads, layout, std::vector{1e9}, small);
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().code, Code::kOverBudget);
  const Progress stop = [](std::string_view, uint64_t, uint64_t) {
    return false;
  };
  const auto cancelled =
      Simulate(threads, layout, std::vector{1e9}, {}, {}, &stop);
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().code, Code::kCancelled);
}

TEST(Frequencies, AreSpacedAsAsked) {
  const auto linear = LinearFrequencies(1, 3, 5);
  ASSERT_TRUE(linear.ok());
  EXPECT_EQ(*linear, (std::vector<double>{1, 1.5, 2, 2.5, 3}));
  const auto log = LogFrequencies(1e3, 1e9, 7);
  ASSERT_TRUE(log.ok());
  for (int i = 0; i < 7; ++i) {
    EXPECT_NEAR((*log)[static_cast<size_t>(i)] / std::pow(10, 3 + i), 1, 1e-12);
  }
  EXPECT_FALSE(LinearFrequencies(0, 1, 3).ok());
  EXPECT_FALSE(LinearFrequencies(2, 1, 3).ok());
  EXPECT_FALSE(LinearFrequencies(1, 2, 0).ok());
  EXPECT_FALSE(LinearFrequencies(1, 2, 1).ok());
  EXPECT_TRUE(LinearFrequencies(1, 1, 1).ok());
}

}  // namespace
}  // namespace assay::planar
