// Laws of the assembled matrices.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/assemble.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "assay/planar/test_layouts.h"
#include "assay/planar/uprights.h"

namespace assay::planar {
namespace {

constexpr double kNoLimit = 1e18;

TEST(Assemble, PotentialIsThatOfPixelsOneByOne) {
  Mesh mesh = Menagerie();
  mesh.substrate.tand = 0.02;
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  const Threads threads(2);
  const auto m = Assemble(threads, mesh, {}, kNoLimit);
  ASSERT_TRUE(m.ok());
  const auto tables = MakeTables(threads, mesh, {});
  ASSERT_TRUE(tables.ok());
  const auto ends = EndsOfCurrents(mesh);
  const auto p = [&](int32_t a, int32_t b, const std::vector<double>& table) {
    if (a < 0 || b < 0) return 0.0;
    const int ny = mesh.ny;
    const auto pa = static_cast<int>(mesh.cells[static_cast<size_t>(a)]);
    const auto pb = static_cast<int>(mesh.cells[static_cast<size_t>(b)]);
    return table[tables->At(std::abs(pa / ny - pb / ny),
                            std::abs(pa % ny - pb % ny))];
  };
  const auto psi = [&](Ends a, Ends b, const std::vector<double>& table) {
    return p(a.to, b.to, table) - p(a.from, b.to, table) -
           p(a.to, b.from, table) + p(a.from, b.from, table);
  };
  const double scale = m->potential(0, 0);
  for (size_t a = 0; a < ends.size(); ++a) {
    for (size_t b = 0; b < ends.size(); ++b) {
      EXPECT_NEAR(m->potential(a, b), psi(ends[a], ends[b], tables->p),
                  1e-13 * scale);
      EXPECT_NEAR(m->potential_loss(a, b),
                  psi(ends[a], ends[b], tables->p_imag), 1e-13 * scale);
    }
  }
}

TEST(Assemble, PerpendicularCurrentsDoNotInduce) {
  Mesh mesh = Stub();
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  const auto m = Assemble(Threads(1), mesh, {}, kNoLimit);
  ASSERT_TRUE(m.ok());
  for (size_t a = 0; a < mesh.x_edges; ++a) {
    for (size_t b = mesh.x_edges; b < mesh.edges.size(); ++b) {
      ASSERT_EQ(m->inductance(a, b), 0);
    }
  }
}

// Positive definite: an unpivoted factor has only positive pivots.
TEST(Assemble, InductanceIsPositiveDefinite) {
  for (const bool correction : {false, true}) {
    for (Mesh mesh : {Stub(), Menagerie()}) {
      ASSERT_TRUE(NumberUnknowns(mesh).ok());
      AssembleOptions options;
      options.edge_correction = correction;
      auto m = Assemble(Threads(2), mesh, options, kNoLimit);
      ASSERT_TRUE(m.ok());
      ASSERT_TRUE(FactorLdlt(Threads(1), m->inductance));
      for (size_t i = 0; i < mesh.unknowns(); ++i) {
        EXPECT_GT(m->inductance(i, i), 0) << i;
      }
    }
  }
}

TEST(Assemble, TheCorrectionTouchesOnlySelfTermsOfCellsAtTheEdge) {
  Mesh mesh = Stub();
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  AssembleOptions options;
  const auto plain = Assemble(Threads(1), mesh, options, kNoLimit);
  options.edge_correction = true;
  const auto corrected = Assemble(Threads(1), mesh, options, kNoLimit);
  ASSERT_TRUE(plain.ok() && corrected.ok());
  const auto ends = EndsOfCurrents(mesh);
  for (size_t a = 0; a < ends.size(); ++a) {
    for (size_t b = 0; b < ends.size(); ++b) {
      const double change =
          corrected->inductance(a, b) - plain->inductance(a, b);
      EXPECT_LE(change, 0);
      if (a != b) {
        EXPECT_EQ(change, 0);
      }
      const bool share =
          ends[a].to == ends[b].to || ends[a].to == ends[b].from ||
          (ends[a].from >= 0 &&
           (ends[a].from == ends[b].from || ends[a].from == ends[b].to));
      if (!share) {
        EXPECT_EQ(corrected->potential(a, b), plain->potential(a, b));
      }
    }
  }
  // The middle row of the line, away from the stub: no side is exposed.
  const auto middle = static_cast<size_t>(mesh.cell_of[3 * 10 + 1]);
  for (size_t a = 0; a < ends.size(); ++a) {
    if (static_cast<size_t>(ends[a].to) == middle && a < mesh.x_edges) {
      EXPECT_EQ(corrected->inductance(a, a), plain->inductance(a, a));
    }
  }
}

TEST(Assemble, TheSeedsFormDiffersInTheFarPairs) {
  Mesh mesh = Stub();
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  AssembleOptions options;
  const auto ours = Assemble(Threads(1), mesh, options, kNoLimit);
  options.far = green::FarForm::kPoint;
  const auto seed = Assemble(Threads(1), mesh, options, kNoLimit);
  ASSERT_TRUE(ours.ok() && seed.ok());
  EXPECT_EQ(ours->inductance(1, 0), seed->inductance(1, 0));
  const size_t far = mesh.x_edges - 1;
  const double relative =
      std::abs(ours->inductance(far, 0) / seed->inductance(far, 0) - 1);
  EXPECT_GT(relative, 1e-6);
  EXPECT_LT(relative, 0.1);
}

TEST(Assemble, TooLittleMemoryIsRefusedBeforeAnythingIsDone) {
  Mesh mesh = Stub();
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  const auto m = Assemble(Threads(1), mesh, {}, 1000);
  ASSERT_FALSE(m.ok());
  EXPECT_EQ(m.error().code, Code::kOverBudget);
}

TEST(Assemble, ThreadsDoNotChangeTheNumbers) {
  Mesh mesh = Menagerie();
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  const auto one = Assemble(Threads(1), mesh, {}, kNoLimit);
  const auto two = Assemble(Threads(2), mesh, {}, kNoLimit);
  ASSERT_TRUE(one.ok() && two.ok());
  for (size_t a = 0; a < mesh.unknowns(); ++a) {
    for (size_t b = 0; b <= a; ++b) {
      ASSERT_EQ(one->inductance(a, b), two->inductance(a, b));
      ASSERT_EQ(one->potential(a, b), two->potential(a, b));
    }
  }
}

TEST(Uprights, AreAPositiveSystemWithAndWithoutSheets) {
  Mesh mesh = MeshOf({"##########", "##########", "##########"});
  mesh.substrate.h = 3e-3;
  Port inner;
  inner.kind = PortKind::kGround;
  inner.currents = {{5 * 3 + 1, Side::kWest}};
  mesh.ports = {PortOfColumn(mesh, 0, 0, 2, Side::kWest), inner};
  mesh.vias = {{1 * 3 + 1, 0.1e-3}, {8 * 3 + 1, 0.2e-3}};
  ASSERT_TRUE(NumberUnknowns(mesh).ok());
  const auto kernel = KernelOf(mesh, green::FarForm::kMultipole);
  ASSERT_TRUE(kernel.ok());
  const auto all = Uprights(mesh);
  for (const bool sheets : {false, true}) {
    // Cholesky's pivots are positive.
    const size_t m = all.size();
    std::vector<double> l(m * m);
    for (size_t a = 0; a < m; ++a) {
      for (size_t b = 0; b < m; ++b) {
        l[a * m + b] = UprightInductance(*kernel, mesh.substrate.h, sheets,
                                         all[a], all[b], a == b);
      }
    }
    for (size_t k = 0; k < m; ++k) {
      ASSERT_GT(l[k * m + k], 0) << sheets << " " << k;
      for (size_t i = k + 1; i < m; ++i) {
        const double share = l[i * m + k] / l[k * m + k];
        for (size_t j = k; j < m; ++j) l[i * m + j] -= share * l[k * m + j];
      }
    }
    // An edge port without its sheet does not meet a via.
    EXPECT_EQ(UprightInductance(*kernel, mesh.substrate.h, sheets, all[0],
                                all[4], false) != 0,
              sheets);
  }
}

}  // namespace
}  // namespace assay::planar
