// Laws of GF(2^128) beyond those of every field, and its vectors.
// SPDX-License-Identifier: Apache-2.0
#include "assay/number/gf2_128.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "assay/number/gf2_128_reflected.h"

namespace assay {
namespace {

std::vector<Word128> Words() {
  constexpr uint64_t kAll = ~uint64_t{0};
  std::vector<Word128> words = {{0, 0},    {1, 0},    {0, 1},
                                {kAll, 0}, {0, kAll}, {kAll, kAll}};
  std::mt19937_64 random(1);
  for (int i = 0; i < 40; ++i) words.push_back({random(), random()});
  return words;
}

// The definition: one shifted copy for each bit.
Word128 ByBits(uint64_t a, uint64_t b) {
  Word128 product;
  for (int i = 0; i < 64; ++i) {
    if ((b >> i & 1) == 0) continue;
    product = product ^ Word128 { a << i, i == 0 ? 0 : a >> (64 - i) };
  }
  return product;
}

Gf2_128 FromHex(const nlohmann::json& value) {
  const auto text = value.get<std::string>();
  std::array<uint8_t, 16> bytes = {};
  for (size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] =
        static_cast<uint8_t>(std::stoi(text.substr(2 * i, 2), nullptr, 16));
  }
  const Gf2_128 x = Gf2_128::FromBytes(bytes);
  std::array<uint8_t, 16> back = {};
  x.ToBytes(back);
  EXPECT_EQ(back, bytes);
  return x;
}

TEST(Clmul, ProductsAreSumsOfShiftedCopies) {
  for (const Word128 a : Words()) {
    for (const Word128 b : Words()) {
      EXPECT_EQ(clmul::Mul(a.low, b.high), ByBits(a.low, b.high));
      EXPECT_EQ(clmul::Mul(a.low, b.high).low, clmul::Low(a.low, b.high));
    }
  }
}

TEST(Clmul, KaratsubaSchoolbookAndTheInstructionAgree) {
  for (const Word128 a : Words()) {
    for (const Word128 b : Words()) {
      EXPECT_EQ(clmul::Karatsuba(a, b), clmul::Schoolbook(a, b));
      EXPECT_EQ(clmul::MulHost(a, b), clmul::Schoolbook(a, b));
    }
  }
}

TEST(Clmul, TheInstructionIsUsedWhereTheProcessorHasIt) {
#if defined(__x86_64__)
  EXPECT_EQ(clmul::HasInstruction(), __builtin_cpu_supports("pclmul") != 0);
#else
  EXPECT_FALSE(clmul::HasInstruction());
#endif
}

TEST(Clmul, BothReductionsAgreeOnAny256Bits) {
  for (const Word128 a : Words()) {
    for (const Word128 b : Words()) {
      const Word256 x = {a.low, a.high, b.low, b.high};
      EXPECT_EQ(clmul::Reduce(x), clmul::ReduceByProducts(x));
      EXPECT_EQ(reflected::Reduce(x), reflected::ReduceByProducts(x));
    }
  }
}

TEST(Clmul, ReductionIsLinearAndKeepsWhatIsReduced) {
  for (const Word128 a : Words()) {
    EXPECT_EQ(clmul::Reduce({a.low, a.high, 0, 0}), a);
    for (const Word128 b : Words()) {
      const Word256 x = clmul::Schoolbook(a, b);
      const Word256 y = {b.low, a.high, a.low, b.high};
      EXPECT_EQ(clmul::Reduce(x ^ y), clmul::Reduce(x) ^ clmul::Reduce(y));
    }
  }
}

TEST(Gf2_128, ComputesThePublishedVectors) {
  std::ifstream file(ASSAY_TESTDATA "/binary/field128.json");
  const auto vectors = nlohmann::json::parse(file);
  ASSERT_EQ(vectors["rows"].size(), 256u);
  for (const auto& row : vectors["rows"]) {
    const Gf2_128 a = FromHex(row["a"]);
    EXPECT_EQ(a * FromHex(row["b"]), FromHex(row["ab"]));
    EXPECT_EQ(a.Square(), FromHex(row["a2"]));
    EXPECT_EQ(a.Inverse(), FromHex(row["inv_a"]));
  }
}

// Once compiled in, once by the processor.
TEST(Gf2_128, ConstantsAreWhatRunsComputes) {
  constexpr Gf2_128 kA = {0x0123456789abcdef, 0xfedcba9876543210};
  constexpr Gf2_128 kProduct = kA * kA.TimesX();
  constexpr Gf2_128 kInverse = kA.Inverse();
  const Gf2_128 a = kA;
  EXPECT_EQ(a * a.TimesX(), kProduct);
  EXPECT_EQ(a.Inverse(), kInverse);
}

TEST(Gf2_128, ShiftsAreProductsWithXAndItsInverse) {
  const Gf2_128 x = Gf2_128::From(2);
  for (const Word128 word : Words()) {
    const Gf2_128 a = Gf2_128::From(word);
    EXPECT_EQ(a.TimesX(), a * x);
    EXPECT_EQ(a.OverX() * x, a);
    EXPECT_EQ(a.Square(), a * a);
    EXPECT_EQ(a.Squares(5), a.Pow(32));
  }
  EXPECT_EQ(x.Inverse(), (Gf2_128{0x43, uint64_t{1} << 63}));
  EXPECT_EQ(Gf2_128::From(3).Inverse(),
            (Gf2_128{~uint64_t{0} - 0x7d, ~uint64_t{0}}));
}

TEST(Gf2_128, SumsOfProductsAreReducedOnceAndExactly) {
  const std::vector<Word128> words = Words();
  Gf2_128 expected;
  SumOfProducts sum;
  for (size_t i = 0; i < words.size(); ++i) {
    const Gf2_128 a = Gf2_128::From(words[i]);
    const Gf2_128 b = Gf2_128::From(words[words.size() - 1 - i]);
    sum.Add(a, b);
    expected += a * b;
    EXPECT_EQ(sum.Sum(), expected);
  }
}

TEST(Reflected, ProductsAreThoseOfTheReversedElements) {
  for (const Word128 a : Words()) {
    for (const Word128 b : Words()) {
      const Word128 product = (Gf2_128::From(a) * Gf2_128::From(b)).word();
      EXPECT_EQ(reflected::Reduce(clmul::Schoolbook(
                    reflected::Reverse(a), reflected::KeyOf(Gf2_128::From(b)))),
                reflected::Reverse(product));
    }
  }
}

TEST(Reflected, TheFirstBitOfABlockIsOne) {
  std::array<uint8_t, 16> block = {0x80};
  EXPECT_EQ(reflected::Natural(block), Gf2_128::One());
  block = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_EQ(reflected::Natural(block), (Gf2_128{0, uint64_t{1} << 63}));
  for (const Word128 word : Words()) {
    reflected::ToBlock(Gf2_128::From(word), block);
    EXPECT_EQ(reflected::Natural(block), Gf2_128::From(word));
  }
}

}  // namespace
}  // namespace assay
