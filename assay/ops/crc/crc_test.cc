// Checks of checks: published values, the constants, and concatenation.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/crc/crc.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "assay/base/split_mix.h"
#include "assay/ops/test_binary_vectors.h"

namespace assay::crc {
namespace {

std::vector<std::byte> RandomBytes(uint64_t seed, size_t count) {
  std::vector<std::byte> bytes(count);
  for (size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>(SplitMix64(seed, i));
  }
  return bytes;
}

uint64_t Crc(Kind kind, std::span<const std::byte> bytes) {
  return Extend(kind, 0, bytes);
}

uint64_t Hex(const nlohmann::json& text) {
  return std::stoull(text.get<std::string>(), nullptr, 16);
}

const nlohmann::json& Constants(const nlohmann::json& vectors, Kind kind) {
  return vectors["constants"]
                [kind == Kind::kCrc64 ? "crc64xz" : std::string(NameOf(kind))];
}

TEST(Crc, CheckValuesArePublished) {
  const nlohmann::json vectors = ReadBinaryVectors("crc.json");
  constexpr std::string_view kDigits = "123456789";
  for (const Kind kind : kKinds) {
    const auto bytes = std::as_bytes(std::span(kDigits));
    EXPECT_EQ(Crc(kind, bytes), Hex(Constants(vectors, kind)["check"]));
  }
  // docs/engines/binary.md lists them too.
  EXPECT_EQ(Crc(Kind::kCrc64, std::as_bytes(std::span(kDigits))),
            0x995dc9bbdf1939fa);
}

TEST(Crc, FoldingConstantsAreThoseOfTheTable) {
  const nlohmann::json vectors = ReadBinaryVectors("crc.json");
  for (const Kind kind : kKinds) {
    const nlohmann::json& known = Constants(vectors, kind);
    const Folding folding = FoldingOf(GeneratorOf(kind));
    EXPECT_EQ(folding.p, Hex(known["P_star_reflected"]));
    EXPECT_EQ(folding.mu, Hex(known["mu_reflected"]));
    EXPECT_EQ(folding.steps[0].high, Hex(known["k127"]));
    for (size_t i = 0; i < Folding::kSizes; ++i) {
      const auto& pair = known["fold"][std::to_string(size_t{1} << i)];
      EXPECT_EQ(folding.steps[i].low, Hex(pair[0])) << NameOf(kind) << i;
      EXPECT_EQ(folding.steps[i].high, Hex(pair[1])) << NameOf(kind) << i;
    }
  }
}

TEST(Crc, ValuesOfEachLengthAreThoseOfThePeers) {
  const nlohmann::json vectors = ReadBinaryVectors("crc.json");
  const std::vector<std::byte> data = DerivedBytes("crc", size_t{1} << 20);
  size_t rows = 0;
  for (const nlohmann::json& row : vectors["rows"]) {
    for (const Kind kind : kKinds) {
      const std::string name =
          kind == Kind::kCrc64 ? "crc64xz" : std::string(NameOf(kind));
      if (row["crc"] != name) continue;
      const auto length = row["len"].get<size_t>();
      EXPECT_EQ(Crc(kind, std::span(data).first(length)), Hex(row["value"]))
          << name << " " << length;
      ++rows;
    }
  }
  EXPECT_EQ(rows, vectors["rows"].size());
}

TEST(Crc, ExtendGoesOnWhereverABreakIs) {
  const std::vector<std::byte> data = RandomBytes(1, 300);
  const std::span<const std::byte> all(data);
  for (const Kind kind : kKinds) {
    for (size_t i = 0; i <= data.size(); ++i) {
      EXPECT_EQ(Extend(kind, Crc(kind, all.first(i)), all.subspan(i)),
                Crc(kind, all));
    }
  }
}

TEST(Crc, CombineIsTheCrcOfTheConcatenation) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const std::vector<std::byte> data =
        RandomBytes(seed, SplitMix64(9, seed) % 400);
    const std::span<const std::byte> all(data);
    const size_t i = SplitMix64(10, seed) % (data.size() + 1);
    for (const Kind kind : kKinds) {
      EXPECT_EQ(Combine(kind, Crc(kind, all.first(i)),
                        Crc(kind, all.subspan(i)), data.size() - i),
                Crc(kind, all));
    }
  }
}

TEST(Crc, CombineTakesLengthsBeyond2To61) {
  // Three parts, joined in both orders: the middle is zeros that nobody
  // stores.
  for (const Kind kind : kKinds) {
    uint64_t zeros = Crc(kind, std::vector<std::byte>(1));
    for (int i = 0; i < 62; ++i) {
      zeros = Combine(kind, zeros, zeros, uint64_t{1} << i);
    }
    const std::vector<std::byte> a = RandomBytes(3, 10);
    const std::vector<std::byte> b = RandomBytes(4, 20);
    const uint64_t many = uint64_t{1} << 62;
    const uint64_t left = Combine(
        kind, Combine(kind, Crc(kind, a), zeros, many), Crc(kind, b), 20);
    const uint64_t right = Combine(
        kind, Crc(kind, a), Combine(kind, zeros, Crc(kind, b), 20), many + 20);
    EXPECT_EQ(left, right);
  }
}

TEST(Crc, WithoutZerosUndoesZeros) {
  std::vector<std::byte> data = RandomBytes(2, 50);
  for (const Kind kind : kKinds) {
    const uint64_t crc = Crc(kind, data);
    for (size_t zeros = 0; zeros < 300; zeros += 7) {
      const std::vector<std::byte> padding(zeros);
      EXPECT_EQ(WithoutZeros(kind, Extend(kind, crc, padding), zeros), crc);
    }
  }
}

TEST(Crc, OneChangedBitIsFound) {
  std::vector<std::byte> data = RandomBytes(5, 64);
  for (const Kind kind : kKinds) {
    const uint64_t crc = Crc(kind, data);
    for (size_t i = 0; i < 8 * data.size(); ++i) {
      data[i / 8] ^= static_cast<std::byte>(1 << (i % 8));
      EXPECT_NE(Crc(kind, data), crc);
      data[i / 8] ^= static_cast<std::byte>(1 << (i % 8));
    }
  }
}

TEST(Crc, ProductsObeyTheLawsOfARing) {
  for (const Generator& g : {GeneratorOf(Kind::kCrc32), Generator{3, 6},
                             Generator{63, ~uint64_t{0} >> 1}}) {
    for (uint64_t i = 0; i < 50; ++i) {
      const uint64_t a = SplitMix64(11, i) & g.Ones();
      const uint64_t b = SplitMix64(12, i) & g.Ones();
      const uint64_t c = SplitMix64(13, i) & g.Ones();
      EXPECT_EQ(Multiply(g, a, b), Multiply(g, b, a));
      EXPECT_EQ(Multiply(g, Multiply(g, a, b), c),
                Multiply(g, a, Multiply(g, b, c)));
      EXPECT_EQ(Multiply(g, a, b ^ c), Multiply(g, a, b) ^ Multiply(g, a, c));
      EXPECT_EQ(Multiply(g, PowerOfX(g, i), PowerOfX(g, 77)),
                PowerOfX(g, i + 77));
    }
  }
  // x has order 7 modulo x^3 + x + 1.
  EXPECT_EQ(PowerOfX({3, 6}, 7), PowerOfX({3, 6}, 0));
  EXPECT_NE(PowerOfX({3, 6}, 1), PowerOfX({3, 6}, 0));
}

}  // namespace
}  // namespace assay::crc
