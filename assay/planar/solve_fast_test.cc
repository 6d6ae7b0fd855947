// Laws of the fast solver: it is the dense one, and lives at low frequencies.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/solve_fast.h"

#include <gtest/gtest.h>

#include <cmath>

#include "assay/planar/blas.h"
#include "assay/planar/fast_operator.h"
#include "assay/planar/solve_dense.h"
#include "assay/planar/surface.h"
#include "assay/planar/test_layouts.h"
#include "assay/planar/unknowns.h"

namespace assay::planar {
namespace {

struct Named {
  const char* name;
  Mesh mesh;
};

// Vias, islands, differential ports, loss: five layouts.
std::vector<Named> Layouts() {
  std::vector<Named> all;
  Mesh lossy = Stub();
  lossy.substrate.tand = 0.02;
  lossy.conductor = {5.8e7, 35e-6, 0.5e-6, false};
  Mesh animals = Menagerie();
  animals.conductor = {5.8e7, 18e-6, 0, true};
  all.push_back({"stub", Stub()});
  all.push_back({"lossy stub", lossy});
  all.push_back({"menagerie", Menagerie()});
  all.push_back({"lossy menagerie", animals});
  Mesh alumina = Menagerie();
  alumina.substrate = {9.8, 1e-4, 0.254e-3};
  alumina.conductor = {4.1e7, 5e-6, 0, false};
  all.push_back({"alumina", alumina});
  for (Named& named : all) {
    EXPECT_TRUE(NumberUnknowns(named.mesh).ok()) << named.name;
  }
  return all;
}

std::vector<Complex> YOf(System& system, double hz) {
  std::vector<Complex> x(system.unknowns() * system.ports());
  const auto report = system.Solve(2 * M_PI * hz, x);
  EXPECT_TRUE(report.ok()) << report.error().what;
  if (!report.ok())
    return std::vector<Complex>(system.ports() * system.ports());
  return report->y;
}

double Difference(const std::vector<Complex>& a,
                  const std::vector<Complex>& b) {
  double most = 0, norm = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    norm = std::max(norm, std::abs(b[i]));
  }
  return most / norm;
}

TEST(SolveFast, EqualsTheDenseSolver) {
  const Threads threads(2);
  for (const bool correct : {false, true}) {
    AssembleOptions options;
    options.edge_correction = correct;
    for (Named& named : Layouts()) {
      options.lossy_ground = correct && named.mesh.conductor.sigma > 0;
      auto matrices = Assemble(threads, named.mesh, options, 1e12);
      ASSERT_TRUE(matrices.ok());
      auto dense = MakeDenseSystem(threads, std::move(*matrices), {});
      ASSERT_TRUE(dense.ok());
      auto fast = MakeFastSystem(threads, named.mesh, options, {});
      ASSERT_TRUE(fast.ok());
      for (const double ghz : {0.1, 1.0, 3.0, 6.0, 12.0}) {
        const auto expected = YOf(**dense, ghz * 1e9);
        const auto found = YOf(**fast, ghz * 1e9);
        EXPECT_LE(Difference(found, expected), 1e-7)
            << named.name << " at " << ghz << " GHz";
        const size_t p = (*fast)->ports();
        for (size_t a = 0; a < p; ++a) {
          for (size_t b = 0; b < a; ++b) {
            EXPECT_LE(std::abs(found[a * p + b] - found[b * p + a]),
                      1e-12 * std::abs(found[a * p + a]));
          }
        }
      }
    }
  }
}

// The (current, charge) form as a dense matrix, factored with pivots and
// refined with residuals of long doubles: what holds at any frequency.
std::vector<Complex> YOfAugmented(const Mesh& mesh, const DenseMatrices& m,
                                  const AssembleOptions& options, double hz) {
  using Long = std::complex<long double>;
  const Threads threads(1);
  const auto op = FastOperator::Make(threads, mesh, options);
  EXPECT_TRUE(op.ok());
  const size_t n = mesh.unknowns(), cells = mesh.cells.size(), all = n + cells;
  const double omega = 2 * M_PI * hz;
  const Complex zs = SurfaceImpedance(m.conductor, omega);
  // P from the operator, a column at a time.
  std::vector<Complex> potential(cells * cells);
  for (size_t k = 0; k < cells; ++k) {
    std::vector<Complex> unit(cells);
    unit[k] = 1;
    op->Apply(1, nullptr, nullptr, unit.data(), &potential[k * cells]);
  }
  // Charges in units of 1 / p0, the second row in volts.
  const double p0 = op->self_potential().real();
  std::vector<Complex> a(all * all);
  double volts = 0;
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      a[j * all + i] = Complex(0, omega * m.inductance(i, j));
    }
    a[i * all + i] += zs * m.squares[i];
    volts = std::max(volts, std::abs(a[i * all + i]));
    const Ends ends = op->ends()[i];
    for (size_t k = 0; k < cells; ++k) {
      Complex drop = potential[k * cells + static_cast<size_t>(ends.to)];
      if (ends.from >= 0) {
        drop -= potential[k * cells + static_cast<size_t>(ends.from)];
      }
      a[(n + k) * all + i] = drop / p0;
    }
  }
  for (size_t i = 0; i < n; ++i) {
    const Ends ends = op->ends()[i];
    a[i * all + n + static_cast<size_t>(ends.to)] = volts;
    if (ends.from >= 0) {
      a[i * all + n + static_cast<size_t>(ends.from)] = -volts;
    }
  }
  for (size_t k = 0; k < cells; ++k) {
    a[(n + k) * all + n + k] = Complex(0, -omega * volts / p0);
  }
  std::vector<Complex> factors = a;
  const PivotedFactor factor(Pivoting::kRows, all, factors.data());
  EXPECT_TRUE(factor.ok());
  std::vector<Complex> y(m.ports * m.ports);
  for (size_t p = 0; p < m.ports; ++p) {
    std::vector<Long> x(all);
    for (int step = 0; step < 4; ++step) {
      std::vector<Long> r(all);
      for (const Source& source : m.sources) {
        if (source.port == p) r[source.unknown] += source.sign;
      }
      for (size_t j = 0; j < all; ++j) {
        for (size_t i = 0; i < all; ++i) r[i] -= Long(a[j * all + i]) * x[j];
      }
      std::vector<Complex> d(r.begin(), r.end());
      factor.Solve(1, d.data());
      for (size_t i = 0; i < all; ++i) x[i] += Long(d[i]);
    }
    for (const Source& source : m.sources) {
      y[source.port * m.ports + p] += source.sign * Complex(x[source.unknown]);
    }
  }
  return y;
}

TEST(SolveFast, DoesNotBreakDownAtLowFrequencies) {
  const Threads threads(2);
  const AssembleOptions options;
  for (Named& named : Layouts()) {
    const auto matrices = Assemble(threads, named.mesh, options, 1e12);
    ASSERT_TRUE(matrices.ok());
    ASSERT_LE(named.mesh.unknowns(), 1500u);
    auto fast = MakeFastSystem(threads, named.mesh, options, {});
    ASSERT_TRUE(fast.ok());
    for (const double hz : {1e3, 1e4, 1e5, 1e6, 1e7, 1e8}) {
      const auto expected = YOfAugmented(named.mesh, *matrices, options, hz);
      EXPECT_LE(Difference(YOf(**fast, hz), expected), 1e-7)
          << named.name << " at " << hz << " Hz";
    }
  }
}

TEST(SolveFast, ACapacitorIsOneAtAnyFrequency) {
  // An open line without losses: nothing but the loops' tiny impedance lies
  // between the solver's tolerance and a current of nanoamperes.
  Mesh mesh = MeshOf({"############", "############", "############"});
  mesh.ports = {PortOfColumn(mesh, 0, 0, 2, Side::kWest)};
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  const Threads threads(1);
  FastOptions options;
  options.tolerance = 1e-7;
  auto fast = MakeFastSystem(threads, mesh, {}, options);
  ASSERT_TRUE(fast.ok());
  const double expected = YOf(**fast, 1e6)[0].imag() / 1e6;
  for (const double hz : {1e3, 1e4, 1e5}) {
    EXPECT_NEAR(YOf(**fast, hz)[0].imag() / hz / expected, 1, 1e-5) << hz;
  }
}

}  // namespace
}  // namespace assay::planar
