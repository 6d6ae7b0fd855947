// Laws of multilinear tables and claim weights.
// SPDX-License-Identifier: Apache-2.0
#include "assay/protocol/multilinear.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "assay/ops/fold/fold.h"

namespace assay {
namespace {

nlohmann::json Vectors() {
  std::ifstream file(ASSAY_TESTDATA "/whir/multilinear.json");
  return nlohmann::json::parse(file);
}

Ext4 ExtFromJson(const nlohmann::json& values) {
  Ext4 x;
  for (size_t i = 0; i < 4; ++i) {
    x.c[i] = BabyBear::From(values[i].get<uint32_t>());
  }
  return x;
}

std::vector<Ext4> ExtsFromJson(const nlohmann::json& values) {
  std::vector<Ext4> xs;
  for (const auto& value : values) xs.push_back(ExtFromJson(value));
  return xs;
}

std::vector<BabyBear> BasesFromJson(const nlohmann::json& values) {
  std::vector<BabyBear> xs;
  for (const auto& value : values) {
    xs.push_back(BabyBear::From(value.get<uint32_t>()));
  }
  return xs;
}

std::vector<Ext4> Lift(const std::vector<BabyBear>& xs) {
  std::vector<Ext4> lifted;
  for (const BabyBear x : xs) lifted.push_back(Ext4::From(x));
  return lifted;
}

// The bits of b as a point, x_0 the most significant.
std::vector<Ext4> Corner(size_t b, size_t m) {
  std::vector<Ext4> corner(m);
  for (size_t i = 0; i < m; ++i) {
    corner[i] = b >> (m - 1 - i) & 1 ? Ext4::One() : Ext4::Zero();
  }
  return corner;
}

TEST(Multilinear, EvaluatesTheVectorsTable) {
  const auto vector = Vectors()["eval"];
  const auto table = BasesFromJson(vector["f"]);
  const auto point = ExtsFromJson(vector["point"]);
  const Ext4 value = ExtFromJson(vector["value"]);
  EXPECT_EQ(EvalBase(table, point), value);
  EXPECT_EQ(EvalExt(Lift(table), point), value);
}

TEST(Multilinear, ATableWithoutVariablesIsItsValue) {
  const BabyBear table[] = {BabyBear::From(9)};
  EXPECT_EQ(EvalBase(table, {}), Ext4::From(BabyBear::From(9)));
  const Ext4 lifted[] = {Ext4::One()};
  EXPECT_EQ(EvalExt(lifted, {}), Ext4::One());
}

TEST(Multilinear, EqIsTheEntryOfItsTable) {
  const auto vector = Vectors()["eq_table"];
  const auto point = ExtsFromJson(vector["point"]);
  const auto table = ExtsFromJson(vector["table"]);
  EXPECT_EQ(fold::EqWeights(point), table);
  for (size_t b = 0; b < table.size(); ++b) {
    EXPECT_EQ(Eq(point, Corner(b, point.size())), table[b]);
  }
}

TEST(Multilinear, ExpandIsThePeers) {
  const auto vector = Vectors()["expand_from_univariate"];
  EXPECT_EQ(Expand(ExtFromJson(vector["z"]), vector["n"].get<int>()),
            ExtsFromJson(vector["point"]));
}

TEST(Multilinear, SelectExtendsThePowers) {
  const auto vector = Vectors()["select"];
  const BabyBear y = BabyBear::From(vector["x"].get<uint32_t>());
  const auto point = ExtsFromJson(vector["point"]);
  const auto table = BasesFromJson(vector["table"]);
  for (size_t b = 0; b < table.size(); ++b) {
    EXPECT_EQ(table[b], y.Pow(b));
    EXPECT_EQ(Select(y, Corner(b, point.size())), Ext4::From(table[b]));
  }
  const Ext4 value = ExtFromJson(vector["value_at_point"]);
  EXPECT_EQ(Select(y, point), value);
  EXPECT_EQ(EvalBase(table, point), value);
}

TEST(Multilinear, UnivariateIsTheSumOverSelect) {
  const auto coefficients = ExtsFromJson(Vectors()["eq_table"]["table"]);
  const BabyBear y = BabyBear::From(12345);
  Ext4 sum = Ext4::Zero();
  for (size_t b = 0; b < coefficients.size(); ++b) {
    sum += coefficients[b] * y.Pow(b);
  }
  EXPECT_EQ(EvalUnivariate(coefficients, y), sum);
}

}  // namespace
}  // namespace assay
