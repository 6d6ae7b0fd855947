// Laws of folds, weights and bit reversal.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/fold/fold.h"

#include <gtest/gtest.h>

#include <vector>

#include "assay/base/bits.h"
#include "assay/ops/sumcheck/sumcheck.h"
#include "assay/ops/test_vectors.h"
#include "assay/protocol/multilinear.h"

namespace assay::fold {
namespace {

using Table = std::vector<Ext4>;

Ext4 Sum(const Table& table) {
  Ext4 sum;
  for (const Ext4& x : table) sum += x;
  return sum;
}

TEST(Fold, ReversingBitsTwiceIsTheIdentity) {
  EXPECT_EQ(ReverseBits(0b00110, 5), 0b01100u);
  EXPECT_EQ(ReverseBits(0, 0), 0u);
  for (int bits = 0; bits <= 8; ++bits) {
    for (size_t i = 0; i < size_t{1} << bits; ++i) {
      EXPECT_EQ(ReverseBits(ReverseBits(i, bits), bits), i);
    }
    std::vector<BabyBear> table = RandomBases(1, size_t{1} << bits);
    const std::vector<BabyBear> before = table;
    ReverseTable(table);
    for (size_t i = 0; i < table.size(); ++i) {
      EXPECT_EQ(table[ReverseBits(i, bits)], before[i]);
    }
    ReverseTable(table);
    EXPECT_EQ(table, before);
  }
}

TEST(Fold, EqWeightsAreThePublishedTable) {
  const auto vector = ReadVectors("multilinear.json")["eq_table"];
  EXPECT_EQ(EqWeights(ExtsFromJson(vector["point"])),
            ExtsFromJson(vector["table"]));
}

TEST(Fold, EqWeightsSumToOne) {
  for (size_t m = 0; m <= 7; ++m) {
    EXPECT_EQ(Sum(EqWeights(RandomExts(m, m))), Ext4::One());
  }
}

TEST(Fold, EqWeightsOfACornerPickItsEntry) {
  for (size_t b = 0; b < 8; ++b) {
    Table corner;
    for (const int bit : {2, 1, 0}) {
      corner.push_back(b >> bit & 1 ? Ext4::One() : Ext4::Zero());
    }
    Table expected(8);
    expected[b] = Ext4::One();
    EXPECT_EQ(EqWeights(corner), expected);
  }
}

TEST(Fold, EqWeightsAreProductsOfThoseOfTheParts) {
  const Table z = RandomExts(2, 6);
  for (size_t high = 0; high <= z.size(); ++high) {
    EXPECT_EQ(ProductWeights(EqWeights(std::span(z).subspan(high)),
                             EqWeights(std::span(z).first(high))),
              EqWeights(z));
  }
}

TEST(Fold, FoldingBindsTheTopVariables) {
  const std::vector<BabyBear> table = RandomBases(3, 64);
  const Table z = RandomExts(4, 6);
  Table bound;
  for (const BabyBear x : table) bound.push_back(Ext4::From(x));
  for (size_t k = 0; k <= z.size(); ++k) {
    EXPECT_EQ(FoldBase(table, EqWeights(std::span(z).first(k))), bound);
    if (k < z.size()) {
      sumcheck::Bind(bound, z[k], sumcheck::Order::kPrefix);
    }
  }
  EXPECT_EQ(bound, Table{EvalBase(table, z)});
}

TEST(Fold, SelectWeightsArePowers) {
  const auto vector = ReadVectors("multilinear.json")["select"];
  const std::vector y = {BabyBear::From(vector["x"].get<uint32_t>())};
  const Table one = {Ext4::One()};
  Table expected;
  for (const BabyBear power : BasesFromJson(vector["table"])) {
    expected.push_back(Ext4::From(power));
  }
  EXPECT_EQ(SelectWeights(y, one, 4, false), expected);
}

TEST(Fold, SelectWeightsSumValuesOfThePolynomial) {
  const Table f = RandomExts(5, 32);
  const std::vector<BabyBear> y = RandomBases(6, 7);
  const Table coefficients = RandomExts(7, 7);
  Ext4 expected;
  for (size_t j = 0; j < y.size(); ++j) {
    expected += coefficients[j] * EvalUnivariate(f, y[j]);
  }
  EXPECT_EQ(sumcheck::Dot(f, SelectWeights(y, coefficients, 5, false)),
            expected);
}

TEST(Fold, ReversedSelectWeightsAreThoseOfTheReversedTable) {
  const std::vector<BabyBear> y = RandomBases(8, 3);
  const Table coefficients = RandomExts(9, 3);
  const Table weights = SelectWeights(y, coefficients, 6, false);
  const Table reversed = SelectWeights(y, coefficients, 6, true);
  for (size_t i = 0; i < weights.size(); ++i) {
    EXPECT_EQ(reversed[ReverseBits(i, 6)], weights[i]);
  }
}

}  // namespace
}  // namespace assay::fold
