// Laws of the sum-check of a product.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/product_sumcheck/product_sumcheck.h"

#include <gtest/gtest.h>

#include "assay/base/split_mix.h"

namespace assay::product_sumcheck {
namespace {

Gf2_128 Random(uint64_t seed, uint64_t i) {
  return {SplitMix64(seed, 2 * i), SplitMix64(seed, 2 * i + 1)};
}

Columns RandomColumns(uint64_t seed, size_t factors, size_t size) {
  Columns columns(factors);
  for (size_t j = 0; j < factors; ++j) {
    for (size_t i = 0; i < size; ++i) {
      columns[j].push_back(Random(seed, j * size + i));
    }
  }
  return columns;
}

// The element of node k.
Gf2_128 Node(size_t k) { return Gf2_128::From(k < 2 ? k : k - 1); }

std::vector<Gf2_128> AtNodes(const std::vector<Gf2_128>& coefficients) {
  std::vector<Gf2_128> values;
  for (size_t k = 0; k < coefficients.size(); ++k) {
    values.push_back(k == kNodeInfinity ? coefficients.back()
                                        : Evaluate(coefficients, Node(k)));
  }
  return values;
}

TEST(ProductSumcheck, TheValuesAtZeroAndOneSumToTheClaim) {
  for (size_t d = 1; d <= kMaxFactors; ++d) {
    for (size_t size = 2; size <= 16; size *= 2) {
      const Columns columns = RandomColumns(d, d, size);
      const std::vector<Gf2_128> r = Round(columns);
      ASSERT_EQ(r.size(), d + 1);
      EXPECT_EQ(Evaluate(r, Gf2_128::Zero()) + Evaluate(r, Gf2_128::One()),
                Sum(columns));
    }
  }
}

TEST(ProductSumcheck, TheClaimGivesTheTopCoefficient) {
  for (size_t d = 1; d <= kMaxFactors; ++d) {
    const Columns columns = RandomColumns(10 + d, d, 8);
    const std::vector<Gf2_128> r = Round(columns);
    EXPECT_EQ(TopCoefficient(Sum(columns), std::span(r).first(d)), r.back());
  }
}

TEST(ProductSumcheck, TheNextClaimIsTheSumOverTheBoundColumns) {
  for (size_t d = 1; d <= kMaxFactors; ++d) {
    Columns columns = RandomColumns(20 + d, d, 8);
    const std::vector<Gf2_128> round = Round(columns);
    const Gf2_128 r = Random(1, d);
    for (auto& column : columns) Bind(column, r);
    EXPECT_EQ(Evaluate(round, r), Sum(columns));
  }
}

TEST(ProductSumcheck, BindingToABitPicksAHalf) {
  const Columns columns = RandomColumns(30, 1, 8);
  for (const uint64_t bit : {0, 1}) {
    std::vector<Gf2_128> bound = columns[0];
    Bind(bound, Gf2_128::From(bit));
    ASSERT_EQ(bound.size(), 4u);
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(bound[i], columns[0][i + 4 * bit]);
    }
  }
}

TEST(ProductSumcheck, ValuesAtTheNodesGiveBackTheCoefficients) {
  for (size_t d = 1; d <= kMaxFactors; ++d) {
    for (uint64_t trial = 0; trial < 5; ++trial) {
      std::vector<Gf2_128> coefficients;
      for (size_t k = 0; k <= d; ++k) {
        coefficients.push_back(Random(40 + trial, k));
      }
      EXPECT_EQ(Interpolate(AtNodes(coefficients)), coefficients);
    }
  }
}

// Section 2.5's closed form for three factors, written out on its own.
TEST(ProductSumcheck, InterpolationAgreesWithTheClosedFormForThree) {
  const std::vector<Gf2_128> values = {Random(50, 0), Random(50, 1),
                                       Random(50, 2), Random(50, 3)};
  const Gf2_128 x = Gf2_128::From(2);
  const Gf2_128 a0 = values[0];
  const Gf2_128 a3 = values[2];
  const Gf2_128 u = values[1] + a0 + a3;
  const Gf2_128 v = (values[3] + a0 + x * x * x * a3) * x.Inverse();
  const Gf2_128 a2 = (u + v) * Gf2_128::From(3).Inverse();
  EXPECT_EQ(Interpolate(values), (std::vector{a0, u + a2, a2, a3}));
}

TEST(ProductSumcheck, OneGridHoldsTwoRounds) {
  for (size_t d = 1; d <= kMaxFactors; ++d) {
    for (size_t size = 4; size <= 16; size *= 2) {
      Columns columns = RandomColumns(60 + d, d, size);
      const std::vector<Gf2_128> grid = Grid(columns);
      ASSERT_EQ(grid.size(), (d + 1) * (d + 1));
      EXPECT_EQ(Interpolate(FirstOfGrid(grid)), Round(columns));
      EXPECT_EQ(grid[0] + grid[1] + grid[d + 1] + grid[d + 2], Sum(columns));
      const Gf2_128 r = Random(2, d);
      for (auto& column : columns) Bind(column, r);
      EXPECT_EQ(Interpolate(SecondOfGrid(grid, r)), Round(columns));
    }
  }
}

TEST(ProductSumcheck, AZeroColumnMakesEveryRoundZero) {
  Columns columns = RandomColumns(70, 3, 8);
  columns[1].assign(8, Gf2_128::Zero());
  EXPECT_EQ(Round(columns), std::vector<Gf2_128>(4));
}

}  // namespace
}  // namespace assay::product_sumcheck
