// Laws of sum-check rounds in both orders of variables.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/sumcheck/sumcheck.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "assay/base/bits.h"
#include "assay/ops/fold/fold.h"
#include "assay/ops/test_vectors.h"
#include "assay/protocol/multilinear.h"

namespace assay::sumcheck {
namespace {

using Table = std::vector<Ext4>;

Table Reversed(const Table& table) {
  const int bits = std::bit_width(table.size()) - 1;
  Table reversed(table.size());
  for (size_t i = 0; i < table.size(); ++i) {
    reversed[ReverseBits(i, bits)] = table[i];
  }
  return reversed;
}

TEST(Sumcheck, RunsThePublishedRounds) {
  const auto vectors = ReadVectors("multilinear.json")["sumcheck"];
  std::vector<Order> orders;
  for (const auto& vector : vectors) {
    const Order order =
        vector["order"] == "prefix" ? Order::kPrefix : Order::kSuffix;
    orders.push_back(order);
    Table f = ExtsFromJson(vector["f"]);
    Table w = ExtsFromJson(vector["w"]);
    Ext4 claim = Dot(f, w);
    for (const auto& round : vector["rounds"]) {
      EXPECT_EQ(claim, ExtFromJson(round["claim"]));
      const Message message = Round(f, w, order);
      EXPECT_EQ(message.h0, ExtFromJson(round["h0"]));
      EXPECT_EQ(message.hinf, ExtFromJson(round["hinf"]));
      const Ext4 r = ExtFromJson(round["r"]);
      Bind(f, r, order);
      Bind(w, r, order);
      EXPECT_EQ(f, ExtsFromJson(round["f_after"]));
      EXPECT_EQ(w, ExtsFromJson(round["w_after"]));
      claim = NextClaim(claim, message, r);
      EXPECT_EQ(claim, ExtFromJson(round["next_claim"]));
    }
    EXPECT_EQ(f.size(), 1u);
  }
  EXPECT_EQ(orders, (std::vector{Order::kPrefix, Order::kSuffix}));
}

class SumcheckOrders : public testing::TestWithParam<Order> {};

TEST_P(SumcheckOrders, TheValuesAtZeroAndOneSumToTheClaim) {
  for (size_t size = 2; size <= 64; size *= 2) {
    const Table f = RandomExts(1, size);
    const Table w = RandomExts(2, size);
    const Message message = Round(f, w, GetParam());
    const Ext4 claim = Dot(f, w);
    EXPECT_EQ(NextClaim(claim, message, Ext4::Zero()), message.h0);
    EXPECT_EQ(NextClaim(claim, message, Ext4::Zero()) +
                  NextClaim(claim, message, Ext4::One()),
              claim);
  }
}

TEST_P(SumcheckOrders, TheNextClaimIsTheSumOverTheBoundTables) {
  Table f = RandomExts(3, 32);
  Table w = RandomExts(4, 32);
  const Message message = Round(f, w, GetParam());
  const Ext4 claim = Dot(f, w);
  const Ext4 r = RandomExts(5, 1).front();
  Bind(f, r, GetParam());
  Bind(w, r, GetParam());
  EXPECT_EQ(NextClaim(claim, message, r), Dot(f, w));
}

TEST_P(SumcheckOrders, BindingAllVariablesEvaluates) {
  const Table table = RandomExts(6, 32);
  Table bound = table;
  Table point = RandomExts(7, 5);
  for (const Ext4& r : point) Bind(bound, r, GetParam());
  if (GetParam() == Order::kSuffix) std::reverse(point.begin(), point.end());
  EXPECT_EQ(bound, Table{EvalExt(table, point)});
}

TEST_P(SumcheckOrders, BindingToABitPicksAHalf) {
  const Table table = RandomExts(8, 16);
  for (const size_t bit : {0, 1}) {
    Table bound = table;
    Bind(bound, bit == 0 ? Ext4::Zero() : Ext4::One(), GetParam());
    for (size_t i = 0; i < 8; ++i) {
      EXPECT_EQ(
          bound[i],
          table[GetParam() == Order::kPrefix ? i + 8 * bit : 2 * i + bit]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, SumcheckOrders,
                         testing::Values(Order::kPrefix, Order::kSuffix),
                         [](const auto& order) {
                           return order.param == Order::kPrefix ? "Prefix"
                                                                : "Suffix";
                         });

TEST(Sumcheck, SuffixIsPrefixOnTheBitReversedTable) {
  Table f = RandomExts(9, 64);
  const Table w = RandomExts(10, 64);
  EXPECT_EQ(Round(f, w, Order::kSuffix),
            Round(Reversed(f), Reversed(w), Order::kPrefix));
  Table reversed = Reversed(f);
  const Ext4 r = RandomExts(11, 1).front();
  Bind(f, r, Order::kSuffix);
  Bind(reversed, r, Order::kPrefix);
  EXPECT_EQ(Reversed(f), reversed);
}

}  // namespace
}  // namespace assay::sumcheck
