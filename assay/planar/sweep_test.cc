// Laws of the adaptive sweep.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/sweep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "assay/planar/solve_dense.h"
#include "assay/planar/test_layouts.h"

namespace assay::planar {
namespace {

using Complex = std::complex<double>;

std::vector<double> Grid(double low, double high, size_t count) {
  std::vector<double> hz;
  for (size_t i = 0; i < count; ++i) {
    hz.push_back(low + (high - low) * static_cast<double>(i) /
                           static_cast<double>(count - 1));
  }
  return hz;
}

std::unique_ptr<System> SystemOf(const Threads& threads, Mesh mesh) {
  EXPECT_TRUE(NumberUnknowns(mesh).ok());
  auto matrices = Assemble(threads, mesh, {}, 1e18);
  EXPECT_TRUE(matrices.ok());
  auto system = MakeDenseSystem(threads, std::move(*matrices), {});
  EXPECT_TRUE(system.ok());
  return std::move(*system);
}

Mesh WithCopper(Mesh mesh) {
  mesh.conductor = {5.8e7, 35e-6, 0, false};
  return mesh;
}
Mesh WithLoss(Mesh mesh) {
  mesh = WithCopper(mesh);
  mesh.substrate.tand = 0.02;
  return mesh;
}
Mesh WithTwoLines() {
  Mesh mesh = MeshOf({"####################", "####################",
                      "....................", "####################",
                      "####################"});
  mesh.ports = {PortOfColumn(mesh, 0, 0, 1, Side::kWest),
                PortOfColumn(mesh, 19, 0, 1, Side::kEast),
                PortOfColumn(mesh, 0, 3, 4, Side::kWest),
                PortOfColumn(mesh, 19, 3, 4, Side::kEast)};
  return mesh;
}

TEST(Sweep, AdaptiveAndDirectAgree) {
  const Threads threads(2);
  const auto hz = Grid(0.2e9, 10e9, 41);
  for (const Mesh& mesh :
       {Stub(), WithCopper(Stub()), WithLoss(Stub()), WithTwoLines(),
        WithCopper(WithTwoLines()), Menagerie(), WithLoss(Menagerie())}) {
    const auto system = SystemOf(threads, mesh);
    SweepOptions options;
    const auto adaptive = Sweep(threads, *system, hz, options);
    options.adaptive = false;
    const auto direct = Sweep(threads, *system, hz, options);
    ASSERT_TRUE(adaptive.ok() && direct.ok());
    const std::vector<double> z0(system->ports(), 50.0);
    double most = 0;
    for (size_t i = 0; i < hz.size(); ++i) {
      most =
          std::max(most, ScatteringDistance(adaptive->y[i], direct->y[i], z0));
      if (!adaptive->IsExact(i)) {
        EXPECT_LT(adaptive->residual[i], options.tolerance);
      }
    }
    EXPECT_LT(most, 1e-6);
    EXPECT_EQ(direct->exact.size(), hz.size());
    EXPECT_FALSE(direct->measured.has_value());
    // What was measured is what is promised.
    ASSERT_TRUE(adaptive->measured.has_value());
    EXPECT_LT(adaptive->measured->s_error, 1e-6);
    EXPECT_LT(adaptive->exact.size(), hz.size() / 2);
  }
}

TEST(Sweep, ExactFrequenciesAreNamedOnce) {
  const Threads threads(1);
  const auto system = SystemOf(threads, WithCopper(Stub()));
  const auto result = Sweep(threads, *system, Grid(1e9, 6e9, 21), {});
  ASSERT_TRUE(result.ok());
  std::set<size_t> seen;
  for (const ExactPoint& point : result->exact) {
    EXPECT_TRUE(seen.insert(point.index).second);
    EXPECT_EQ(point.report.method, "ldlt");
    EXPECT_LT(result->residual[point.index], 1e-10);
  }
  EXPECT_TRUE(seen.contains(0) && seen.contains(20));
  EXPECT_TRUE(result->IsExact(result->measured->index));
}

TEST(Sweep, ReducedAdmittancesAreSymmetric) {
  const Threads threads(1);
  const auto system = SystemOf(threads, WithLoss(Menagerie()));
  const auto result = Sweep(threads, *system, Grid(0.3e9, 8e9, 31), {});
  ASSERT_TRUE(result.ok());
  for (const auto& y : result->y) {
    double scale = 0;
    for (const Complex value : y) scale = std::max(scale, std::abs(value));
    for (size_t a = 0; a < 4; ++a) {
      EXPECT_GT(y[a * 4 + a].real(), 0);
      for (size_t b = 0; b < a; ++b) {
        EXPECT_LT(std::abs(y[a * 4 + b] - y[b * 4 + a]), 1e-12 * scale);
      }
    }
  }
}

TEST(Sweep, LosslessAdmittancesAreImaginary) {
  const Threads threads(1);
  const auto system = SystemOf(threads, Stub());
  const auto result = Sweep(threads, *system, Grid(0.3e9, 8e9, 31), {});
  ASSERT_TRUE(result.ok());
  for (const auto& y : result->y) {
    for (const Complex value : y) {
      EXPECT_LT(std::abs(value.real()), 1e-12 * std::abs(value));
    }
  }
}

TEST(Sweep, TheModelsResidualIsThatOfTheWholeSystem) {
  const Threads threads(1);
  const auto system = SystemOf(threads, WithLoss(Menagerie()));
  const auto hz = Grid(0.5e9, 9e9, 25);
  SweepOptions options;
  options.tolerance = 0.3;
  const auto result = Sweep(threads, *system, hz, options);
  ASSERT_TRUE(result.ok());
  const size_t n = system->unknowns(), ports = system->ports();
  for (size_t i = 0; i < hz.size(); ++i) {
    const double omega = 2 * 3.141592653589793 * hz[i];
    const ReducedAnswer answer = result->model->Evaluate(omega);
    const auto x = result->model->Expand(answer);
    // Z x part by part, real and imaginary columns apart.
    std::vector<double> split(2 * n * ports), product(split.size());
    for (size_t k = 0; k < n * ports; ++k) {
      split[k] = x[k].real();
      split[n * ports + k] = x[k].imag();
    }
    std::vector<Complex> left(n * ports);
    const auto add = [&](Part part, Complex weight) {
      system->Multiply(part, 2 * ports, split.data(), product.data());
      for (size_t k = 0; k < n * ports; ++k) {
        left[k] += weight * Complex(product[k], product[n * ports + k]);
      }
    };
    add(Part::kInductance, Complex(0, omega));
    add(Part::kPotential, Complex(0, -1 / omega));
    add(Part::kPotentialLoss, 1 / omega);
    add(Part::kResistance, system->surface_impedance(omega));
    std::vector<double> sources(ports);
    for (const Source& source : system->sources()) {
      left[source.port * n + source.unknown] -= source.sign;
      sources[source.port] += 1;
    }
    double expected = 0;
    for (size_t p = 0; p < ports; ++p) {
      double sum = 0;
      for (size_t k = 0; k < n; ++k) sum += std::norm(left[p * n + k]);
      expected = std::max(expected, std::sqrt(sum / sources[p]));
    }
    EXPECT_NEAR(answer.residual, expected, 1e-6 * expected + 1e-10);
  }
}

TEST(Sweep, OneAndTwoFrequenciesAreSolvedExactly) {
  const Threads threads(1);
  const auto system = SystemOf(threads, Stub());
  for (const std::vector<double>& hz :
       {std::vector<double>{1e9}, std::vector<double>{1e9, 2e9}}) {
    const auto result = Sweep(threads, *system, hz, {});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(result->exact.size(), hz.size());
    EXPECT_FALSE(result->measured.has_value());
    EXPECT_EQ(result->y.size(), hz.size());
  }
}

TEST(Sweep, AModelThatNobodyUsesHasNoError) {
  // So loose that the last measurement solves the last open frequency.
  const Threads threads(1);
  const auto system = SystemOf(threads, WithLoss(Stub()));
  for (const double tolerance : {1e-12, 0.5, 0.8, 2.0}) {
    for (size_t count = 2; count < 9; ++count) {
      SweepOptions options;
      options.tolerance = tolerance;
      const auto result =
          Sweep(threads, *system, Grid(1e9, 10e9, count), options);
      ASSERT_TRUE(result.ok());
      if (result->exact.size() < count) continue;
      EXPECT_FALSE(result->measured.has_value()) << tolerance << " " << count;
    }
  }
}

TEST(Sweep, AFullModelIsHelpedByExactSolutions) {
  const Threads threads(2);
  const auto hz = Grid(0.2e9, 10e9, 41);
  const auto system = SystemOf(threads, WithLoss(Stub()));
  SweepOptions options;
  const auto free = Sweep(threads, *system, hz, options);
  options.most_basis = 8;
  const auto tight = Sweep(threads, *system, hz, options);
  ASSERT_TRUE(free.ok() && tight.ok());
  ASSERT_GT(free->model->basis(), 8u);
  EXPECT_LE(tight->model->basis(), 8u);
  EXPECT_GT(tight->exact.size(), free->exact.size());
  const std::vector<double> z0(system->ports(), 50.0);
  for (size_t i = 0; i < hz.size(); ++i) {
    EXPECT_LT(ScatteringDistance(tight->y[i], free->y[i], z0), 1e-5) << i;
  }
}

TEST(Sweep, AFinerGridCostsHardlyMoreSolutions) {
  const Threads threads(2);
  const auto system = SystemOf(threads, WithCopper(Stub()));
  const auto coarse = Sweep(threads, *system, Grid(0.2e9, 10e9, 41), {});
  const auto fine = Sweep(threads, *system, Grid(0.2e9, 10e9, 1001), {});
  ASSERT_TRUE(coarse.ok() && fine.ok());
  EXPECT_LE(fine->exact.size(), coarse->exact.size() + 3);
}

TEST(Sweep, BadFrequenciesAreRefused) {
  const Threads threads(1);
  const auto system = SystemOf(threads, Stub());
  const std::vector<std::vector<double>> bad = {
      {}, {0}, {-1e9}, {NAN}, {INFINITY}, {2e9, 1e9}, {1e9, 1e9}};
  for (const auto& hz : bad) {
    const auto result = Sweep(threads, *system, hz, {});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, Code::kInvalidInput);
  }
  SweepOptions options;
  options.tolerance = 0;
  EXPECT_FALSE(Sweep(threads, *system, Grid(1e9, 2e9, 3), options).ok());
  options.tolerance = 1e-3;
  options.z0 = {50};
  EXPECT_FALSE(Sweep(threads, *system, Grid(1e9, 2e9, 3), options).ok());
}

TEST(Sweep, ProgressMayCancel) {
  const Threads threads(1);
  const auto system = SystemOf(threads, Stub());
  const Progress progress = [](std::string_view, uint64_t done, uint64_t) {
    return done < 2;
  };
  const auto result =
      Sweep(threads, *system, Grid(1e9, 9e9, 11), {}, &progress);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, Code::kCancelled);
}

TEST(Scattering, AMatchedLoadReflectsNothing) {
  const std::vector<Complex> matched = {1.0 / 75}, open = {0}, none = {1e300};
  const std::vector<double> z0 = {75};
  EXPECT_NEAR(ScatteringDistance(open, matched, z0), 1, 1e-15);
  EXPECT_NEAR(ScatteringDistance(open, none, z0), 2, 1e-12);
}

}  // namespace
}  // namespace assay::planar
