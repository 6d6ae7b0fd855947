// Laws of the dense solver, and the numbers of the model.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/solve_dense.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "assay/ops/green/images.h"
#include "assay/planar/test_layouts.h"

namespace assay::planar {
namespace {

constexpr double kNoLimit = 1e18;
constexpr double kTwoPi = 2 * green::kPi;

std::unique_ptr<System> SystemOf(const Threads& threads, Mesh mesh,
                                 const AssembleOptions& assembly = {},
                                 const DenseOptions& options = {}) {
  EXPECT_TRUE(NumberUnknowns(mesh).ok());
  auto matrices = Assemble(threads, mesh, assembly, kNoLimit);
  EXPECT_TRUE(matrices.ok());
  auto system = MakeDenseSystem(threads, std::move(*matrices), options);
  EXPECT_TRUE(system.ok());
  return std::move(*system);
}

// Y, row by row, and how it was found.
struct Answer {
  std::vector<Complex> y;
  SolveReport report;
};

Answer AdmittanceOf(System& system, double hz) {
  const size_t p = system.ports(), n = system.unknowns();
  std::vector<Complex> x(n * p);
  const auto report = system.Solve(kTwoPi * hz, x);
  EXPECT_TRUE(report.ok());
  Answer answer{std::vector<Complex>(p * p), *report};
  for (const Source& source : system.sources()) {
    for (size_t c = 0; c < p; ++c) {
      answer.y[source.port * p + c] += source.sign * x[c * n + source.unknown];
    }
  }
  return answer;
}

double Largest(const std::vector<Complex>& y) {
  double most = 0;
  for (const Complex value : y) most = std::max(most, std::abs(value));
  return most;
}

double Distance(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double most = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return most / Largest(b);
}

TEST(SolveDense, AdmittancesAreThoseOfTheModel) {
  std::ifstream file(ASSAY_TESTDATA "/planar/model_small.json");
  const auto data = nlohmann::json::parse(file);
  const Threads threads(2);
  for (const auto& row : data["cases"]) {
    Mesh mesh = MeshOf(data["mask"].get<std::vector<std::string>>());
    mesh.dx = data["dx"];
    mesh.dy = data["dy"];
    mesh.substrate = {data["er"], row["tand"], data["h"]};
    mesh.conductor = {row["sigma"], row["t"], 0, false};
    Port north;
    north.currents = {{9 * 11 + 10, Side::kNorth}};
    mesh.ports = {PortOfColumn(mesh, 0, 0, 3, Side::kWest),
                  PortOfColumn(mesh, 19, 1, 3, Side::kEast), north};
    AssembleOptions assembly;
    assembly.vertical_sheets = row["sheets"];
    assembly.edge_correction = row["name"] == "edge_correction";
    const auto system = SystemOf(threads, mesh, assembly);
    ASSERT_EQ(system->unknowns(), row["n"].get<size_t>());
    for (size_t f = 0; f < 3; ++f) {
      const Answer answer = AdmittanceOf(*system, data["frequencies_hz"][f]);
      EXPECT_EQ(answer.report.method, "ldlt");
      EXPECT_LT(answer.report.backward_error, 1e-13);
      std::vector<Complex> expected;
      for (const auto& line : row["y"][f]) {
        for (const auto& y : line) expected.emplace_back(y[0], y[1]);
      }
      // Rounding, magnified by the condition of Z: 2e-12 was seen.
      EXPECT_LT(Distance(answer.y, expected), 1e-10) << row["name"] << f;
    }
  }
}

// Reciprocal, passive, and without resistance where there is no loss.
void ExpectPhysical(const Answer& answer, size_t p, bool lossless) {
  const double scale = Largest(answer.y);
  for (size_t a = 0; a < p; ++a) {
    for (size_t b = 0; b < p; ++b) {
      EXPECT_LT(std::abs(answer.y[a * p + b] - answer.y[b * p + a]),
                1e-9 * scale);
      if (lossless) {
        EXPECT_EQ(answer.y[a * p + b].real(), 0);
      }
    }
  }
  if (lossless) return;
  // Passive: Re Y is positive definite, so elimination meets positive pivots.
  std::vector<double> real;
  for (const Complex value : answer.y) real.push_back(value.real());
  for (size_t k = 0; k < p; ++k) {
    EXPECT_GT(real[k * p + k], 0);
    for (size_t i = k + 1; i < p; ++i) {
      const double factor = real[i * p + k] / real[k * p + k];
      for (size_t j = k; j < p; ++j)
        real[i * p + j] -= factor * real[k * p + j];
    }
  }
}

TEST(SolveDense, AdmittancesAreReciprocalAndPassive) {
  const Threads threads(2);
  for (const bool lossy : {false, true}) {
    Mesh mesh = Menagerie();
    if (lossy) {
      mesh.substrate.tand = 0.02;
      mesh.conductor = {5.8e7, 35e-6, 1e-6, true};
    }
    const auto system = SystemOf(threads, mesh);
    for (const double hz : {0.2e9, 1e9, 5e9}) {
      ExpectPhysical(AdmittanceOf(*system, hz), 4, !lossy);
    }
  }
}

TEST(SolveDense, AMirroredLayoutHasMirroredPorts) {
  const Threads threads(2);
  const auto system = SystemOf(threads, Stub());
  for (const double hz : {0.5e9, 3e9}) {
    const Answer answer = AdmittanceOf(*system, hz);
    EXPECT_LT(std::abs(answer.y[0] - answer.y[3]), 1e-9 * Largest(answer.y));
  }
}

TEST(SolveDense, AllMethodsAgree) {
  const Threads threads(2);
  Mesh mesh = Menagerie();
  mesh.conductor = {5.8e7, 35e-6, 0, false};
  const Answer ldlt = AdmittanceOf(*SystemOf(threads, mesh), 2e9);
  for (const auto& [first, name] :
       {std::pair{DenseOptions::First::kBunchKaufman, "sytrf"},
        {DenseOptions::First::kRows, "getrf"}}) {
    DenseOptions options;
    options.first = first;
    const Answer answer =
        AdmittanceOf(*SystemOf(threads, mesh, {}, options), 2e9);
    EXPECT_EQ(answer.report.method, name);
    EXPECT_TRUE(answer.report.notes.empty());
    EXPECT_LT(Distance(answer.y, ldlt.y), 1e-10);
  }
}

TEST(SolveDense, ALossyAndALosslessSolveMeetWhereLossVanishes) {
  const Threads threads(1);
  Mesh mesh = Stub();
  const Answer lossless = AdmittanceOf(*SystemOf(threads, mesh), 2e9);
  mesh.conductor = {1e20, 35e-6, 0, false};
  const Answer lossy = AdmittanceOf(*SystemOf(threads, mesh), 2e9);
  EXPECT_LT(Distance(lossy.y, lossless.y), 1e-6);
}

// A system whose first pivot is 0, although it is regular.
DenseMatrices WithoutFirstPivot() {
  DenseMatrices m;
  m.inductance = Panels<double>(2);
  m.potential = Panels<double>(2);
  for (auto* a : {&m.inductance, &m.potential}) std::fill_n(a->at(0), 4, 0.0);
  m.inductance.Add(1, 0, 1e-9);
  m.squares = {0, 0};
  m.sources = {{0, 0, 1}};
  m.ports = 1;
  return m;
}

TEST(SolveDense, AVanishedPivotFallsBackAndIsReported) {
  const Threads threads(1);
  auto system = MakeDenseSystem(threads, WithoutFirstPivot(), {});
  ASSERT_TRUE(system.ok());
  std::vector<Complex> x(2);
  for (int again = 0; again < 2; ++again) {
    const auto report = (*system)->Solve(1e9, x);
    ASSERT_TRUE(report.ok());
    EXPECT_EQ(report->method, "sytrf");
    ASSERT_EQ(report->notes.size(), 1u);
    EXPECT_NE(report->notes[0].find("ldlt"), std::string::npos);
    // j w 1e-9 x1 = 1.
    EXPECT_LT(std::abs(x[1] - Complex(0, -1)), 1e-12);
    EXPECT_LT(std::abs(x[0]), 1e-12);
  }
}

TEST(SolveDense, ASingularSystemIsAnErrorThatNamesTheMethods) {
  DenseMatrices m = WithoutFirstPivot();
  std::fill_n(m.inductance.at(0), 4, 0.0);
  const Threads threads(1);
  auto system = MakeDenseSystem(threads, std::move(m), {});
  ASSERT_TRUE(system.ok());
  std::vector<Complex> x(2);
  const auto report = (*system)->Solve(1e9, x);
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().what.find("getrf"), std::string::npos);
}

TEST(Blas, TheKernelsHaveAName) { EXPECT_FALSE(BlasKernels().empty()); }

TEST(SolveDense, BadArgumentsAreRefused) {
  const Threads threads(1);
  auto system = MakeDenseSystem(threads, WithoutFirstPivot(), {});
  ASSERT_TRUE(system.ok());
  std::vector<Complex> x(2);
  for (const double omega : {0.0, -1.0, static_cast<double>(NAN)}) {
    const auto report = (*system)->Solve(omega, x);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, Code::kInvalidInput);
  }
  DenseOptions options;
  options.max_bytes = 10;
  const auto none = MakeDenseSystem(threads, WithoutFirstPivot(), options);
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, Code::kOverBudget);
}

}  // namespace
}  // namespace assay::planar
