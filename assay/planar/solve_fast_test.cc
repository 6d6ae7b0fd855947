// Laws of the fast solver: it is the dense one, and lives at low frequencies.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/solve_fast.h"

#include <gtest/gtest.h>

#include <cmath>

#include "assay/planar/solve_dense.h"
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
  const size_t n = system.unknowns(), p = system.ports();
  std::vector<Complex> x(n * p), y(p * p);
  const auto report = system.Solve(2 * M_PI * hz, x);
  EXPECT_TRUE(report.ok()) << report.error().what;
  if (!report.ok()) return y;
  for (const Source& source : system.sources()) {
    for (size_t b = 0; b < p; ++b) {
      y[source.port * p + b] += source.sign * x[b * n + source.unknown];
    }
  }
  return y;
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

}  // namespace
}  // namespace assay::planar
