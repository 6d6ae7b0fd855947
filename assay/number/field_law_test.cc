// The laws that every field keeps, on edges and on random elements.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "assay/number/babybear.h"
#include "assay/number/ext4.h"
#include "assay/number/gf2_128.h"

namespace assay {
namespace {

constexpr uint32_t kEdges[] = {0, 1, 2, BabyBear::kPrime - 2,
                               BabyBear::kPrime - 1};

BabyBear RandomBase(std::mt19937_64& random) {
  return BabyBear::FromResidue(
      static_cast<uint32_t>(random() % BabyBear::kPrime));
}

// How the suite makes elements of a field; `kDegree` over the prime field.
template <class F>
struct Elements;

template <>
struct Elements<BabyBear> {
  static constexpr uint32_t kPrime = BabyBear::kPrime;
  static constexpr int kDegree = 1;
  static BabyBear Random(std::mt19937_64& random) { return RandomBase(random); }
  static std::vector<BabyBear> Edges() {
    std::vector<BabyBear> edges;
    for (const uint32_t x : kEdges) {
      edges.push_back(BabyBear::From(x));
      edges.push_back(BabyBear::FromResidue(x));
    }
    return edges;
  }
  static BabyBear Frobenius(BabyBear x) { return x; }
};

template <>
struct Elements<Ext4> {
  static constexpr uint32_t kPrime = BabyBear::kPrime;
  static constexpr int kDegree = 4;
  static Ext4 Random(std::mt19937_64& random) {
    Ext4 x;
    for (BabyBear& c : x.c) c = RandomBase(random);
    return x;
  }
  static std::vector<Ext4> Edges() {
    std::vector<Ext4> edges;
    for (const uint32_t x : kEdges) {
      const BabyBear c = BabyBear::FromResidue(x);
      edges.push_back(Ext4::From(BabyBear::From(x)));
      edges.push_back(Ext4{{c, c, c, c}});
    }
    for (int i = 1; i < 4; ++i) {
      Ext4 power;
      power.c[i] = BabyBear::One();
      edges.push_back(power);
    }
    return edges;
  }
  static Ext4 Frobenius(const Ext4& x) { return x.Frobenius(); }
};

template <>
struct Elements<Gf2_128> {
  static constexpr uint32_t kPrime = 2;
  static constexpr int kDegree = 128;
  static Gf2_128 Random(std::mt19937_64& random) {
    return {random(), random()};
  }
  static std::vector<Gf2_128> Edges() {
    constexpr uint64_t kTop = uint64_t{1} << 63;
    constexpr uint64_t kAll = ~uint64_t{0};
    return {{0, 0},    {1, 0},    {2, 0},    {kTop, 0},   {0, 1},
            {0, kTop}, {0, kAll}, {kAll, 0}, {kAll, kAll}};
  }
  static Gf2_128 Frobenius(Gf2_128 x) { return x.Square(); }
};

template <class F>
class Field : public testing::Test {
 protected:
  Field() {
    std::mt19937_64 random(1);
    elements_ = Elements<F>::Edges();
    for (int i = 0; i < 12; ++i) {
      elements_.push_back(Elements<F>::Random(random));
    }
  }
  const std::vector<F>& elements() const { return elements_; }

 private:
  std::vector<F> elements_;
};

using Fields = testing::Types<BabyBear, Ext4, Gf2_128>;
TYPED_TEST_SUITE(Field, Fields);

TYPED_TEST(Field, AdditionIsACommutativeGroup) {
  using F = TypeParam;
  for (const F& a : this->elements()) {
    EXPECT_EQ(a + F::Zero(), a);
    EXPECT_EQ(a + (-a), F::Zero());
    EXPECT_EQ(-(-a), a);
    for (const F& b : this->elements()) {
      EXPECT_EQ(a + b, b + a);
      EXPECT_EQ(a - b, a + (-b));
      EXPECT_EQ((a - b) + b, a);
      for (const F& c : this->elements()) EXPECT_EQ((a + b) + c, a + (b + c));
    }
  }
}

TYPED_TEST(Field, MultiplicationIsCommutativeAndAssociative) {
  using F = TypeParam;
  for (const F& a : this->elements()) {
    EXPECT_EQ(a * F::One(), a);
    EXPECT_EQ(a * F::Zero(), F::Zero());
    for (const F& b : this->elements()) {
      EXPECT_EQ(a * b, b * a);
      for (const F& c : this->elements()) EXPECT_EQ((a * b) * c, a * (b * c));
    }
  }
}

TYPED_TEST(Field, MultiplicationDistributes) {
  using F = TypeParam;
  for (const F& a : this->elements()) {
    for (const F& b : this->elements()) {
      for (const F& c : this->elements()) {
        EXPECT_EQ(a * (b + c), a * b + a * c);
        EXPECT_EQ(a * (b - c), a * b - a * c);
      }
    }
  }
}

TYPED_TEST(Field, InversesInvertAllButZero) {
  using F = TypeParam;
  EXPECT_EQ(F::Zero().Inverse(), F::Zero());
  for (const F& a : this->elements()) {
    if (a == F::Zero()) continue;
    EXPECT_EQ(a * a.Inverse(), F::One());
    EXPECT_EQ(a.Inverse().Inverse(), a);
  }
}

TYPED_TEST(Field, ThereAreNoZeroDivisors) {
  using F = TypeParam;
  for (const F& a : this->elements()) {
    for (const F& b : this->elements()) {
      EXPECT_EQ(a * b == F::Zero(), a == F::Zero() || b == F::Zero());
    }
  }
}

TYPED_TEST(Field, PowersAreRepeatedProducts) {
  using F = TypeParam;
  for (const F& a : this->elements()) {
    F power = F::One();
    for (uint64_t e = 0; e < 20; ++e, power *= a) EXPECT_EQ(a.Pow(e), power);
    EXPECT_EQ(a.Pow(1000).Pow(1001), a.Pow(1001000));
    EXPECT_EQ(a.Pow(12345) * a.Pow(54321), a.Pow(66666));
  }
}

TYPED_TEST(Field, FrobeniusIsThePrimesPower) {
  using F = TypeParam;
  for (const F& a : this->elements()) {
    const F image = Elements<F>::Frobenius(a);
    EXPECT_EQ(image, a.Pow(Elements<F>::kPrime));
    F orbit = a;
    for (int i = 0; i < Elements<F>::kDegree; ++i) {
      orbit = Elements<F>::Frobenius(orbit);
    }
    EXPECT_EQ(orbit, a);
    for (const F& b : this->elements()) {
      EXPECT_EQ(Elements<F>::Frobenius(a + b),
                image + Elements<F>::Frobenius(b));
      EXPECT_EQ(Elements<F>::Frobenius(a * b),
                image * Elements<F>::Frobenius(b));
    }
  }
}

TYPED_TEST(Field, AssignmentsAreTheOperators) {
  using F = TypeParam;
  for (const F& a : this->elements()) {
    for (const F& b : this->elements()) {
      F sum = a;
      F difference = a;
      F product = a;
      EXPECT_EQ(sum += b, a + b);
      EXPECT_EQ(difference -= b, a - b);
      EXPECT_EQ(product *= b, a * b);
    }
  }
}

nlohmann::json Vectors(const char* name) {
  std::ifstream file(std::string(ASSAY_TESTDATA "/whir/") + name);
  return nlohmann::json::parse(file);
}

BabyBear BaseFromJson(const nlohmann::json& value) {
  return BabyBear::From(value.get<uint32_t>());
}

Ext4 ExtFromJson(const nlohmann::json& value) {
  Ext4 x;
  for (size_t i = 0; i < 4; ++i) x.c[i] = BaseFromJson(value[i]);
  return x;
}

TEST(BabyBear, ComputesThePublishedVectors) {
  const auto vectors = Vectors("field.json");
  ASSERT_FALSE(vectors["ops"].empty());
  for (const auto& vector : vectors["ops"]) {
    const BabyBear a = BaseFromJson(vector["a"]);
    const BabyBear b = BaseFromJson(vector["b"]);
    EXPECT_EQ(a.residue, vector["a_montgomery"].get<uint32_t>());
    EXPECT_EQ(a + b, BaseFromJson(vector["add"]));
    EXPECT_EQ(a - b, BaseFromJson(vector["sub"]));
    EXPECT_EQ(a * b, BaseFromJson(vector["mul"]));
    EXPECT_EQ(a.Inverse(), BaseFromJson(vector["inv_a"]));
  }
  const auto& generators = vectors["two_adic_generators"];
  ASSERT_EQ(generators.size(), size_t{BabyBear::kTwoAdicity + 1});
  for (int k = 0; k <= BabyBear::kTwoAdicity; ++k) {
    EXPECT_EQ(BabyBear::TwoAdicGenerator(k),
              BaseFromJson(generators[static_cast<size_t>(k)]));
  }
}

TEST(BabyBear, ConversionsKeepTheValue) {
  for (const uint32_t x : kEdges) {
    EXPECT_EQ(BabyBear::From(x).Canonical(), x);
    EXPECT_EQ(BabyBear::From64(x + uint64_t{BabyBear::kPrime} * 5).Canonical(),
              x);
  }
  EXPECT_EQ(BabyBear::From(BabyBear::kPrime), BabyBear::Zero());
  EXPECT_EQ(BabyBear::From(UINT32_MAX).Canonical(),
            UINT32_MAX % BabyBear::kPrime);
  EXPECT_EQ(BabyBear::From64(UINT64_MAX).Canonical(),
            UINT64_MAX % BabyBear::kPrime);
}

TEST(BabyBear, TheGeneratorHasFullOrder) {
  const BabyBear g = BabyBear::From(BabyBear::kGenerator);
  EXPECT_EQ(g.Pow(BabyBear::kPrime - 1), BabyBear::One());
  for (const uint32_t q : {2u, 3u, 5u}) {
    EXPECT_FALSE(g.Pow((BabyBear::kPrime - 1) / q) == BabyBear::One());
  }
}

TEST(Ext4, ComputesThePublishedVectors) {
  const auto vectors = Vectors("ext4.json");
  ASSERT_FALSE(vectors["ops"].empty());
  for (const auto& vector : vectors["ops"]) {
    const Ext4 a = ExtFromJson(vector["a"]);
    EXPECT_EQ(a * ExtFromJson(vector["b"]), ExtFromJson(vector["mul"]));
    EXPECT_EQ(a * a, ExtFromJson(vector["sq_a"]));
    EXPECT_EQ(a.Inverse(), ExtFromJson(vector["inv_a"]));
  }
}

TEST(Ext4, TheRootOfElevenIsOne) {
  Ext4 x;
  x.c[1] = BabyBear::One();
  EXPECT_EQ(x.Pow(4), Ext4::From(BabyBear::From(Ext4::kW)));
}

TEST(Ext4, ScalingIsMultiplicationByALiftedElement) {
  std::mt19937_64 random(2);
  const Ext4 a = Elements<Ext4>::Random(random);
  for (const BabyBear b : Elements<BabyBear>::Edges()) {
    EXPECT_EQ(a * b, a * Ext4::From(b));
  }
}

}  // namespace
}  // namespace assay
