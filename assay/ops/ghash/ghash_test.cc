// Laws and vectors of GHASH.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/ghash/ghash.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/hash/test_derived.h"

namespace assay::ghash {
namespace {

using Bytes = std::vector<uint8_t>;

Block BlockOf(const Bytes& bytes) {
  Block block = {};
  std::copy_n(bytes.begin(), 16, block.begin());
  return block;
}

nlohmann::json Vectors() {
  std::ifstream file(ASSAY_TESTDATA "/binary/ghash.json");
  return nlohmann::json::parse(file);
}

TEST(Ghash, ComputesThePublishedVectors) {
  const auto vectors = Vectors();
  ASSERT_FALSE(vectors["rows"].empty());
  for (const auto& row : vectors["rows"]) {
    const size_t blocks = row["blocks"];
    const std::string label = fmt::format("ghash/{}/", blocks);
    const Bytes data = Derived(label + "data", 16 * blocks);
    const Block h = BlockOf(FromHex(row["h"].get<std::string>()));
    EXPECT_EQ(BlockOf(Derived(label + "h", 16)), h);
    EXPECT_EQ(ToHex(Hash(h, {}, data)), row["ghash"].get<std::string>());
    const Block gmac = BlockOf(FromHex(row["gmac_h"].get<std::string>()));
    EXPECT_EQ(ToHex(Hash(gmac, Hash(gmac, {}, data), Lengths(data.size(), 0))),
              row["gmac_ghash_with_length"].get<std::string>());
  }
  const Bytes data = Derived("ghash/special", 144);
  for (const auto& row : vectors["special"]) {
    EXPECT_EQ(
        ToHex(Hash(BlockOf(FromHex(row["h"].get<std::string>())), {}, data)),
        row["ghash"].get<std::string>());
  }
}

TEST(Ghash, GoesOnFromAnyWholeBlock) {
  const Block h = BlockOf(Derived("h", 16));
  const Bytes data = Derived("data", 150);
  const Block whole = Hash(h, {}, data);
  for (size_t split = 0; split <= data.size(); split += 16) {
    EXPECT_EQ(Hash(h, Hash(h, {}, std::span(data).first(split)),
                   std::span(data).subspan(split)),
              whole);
  }
}

TEST(Ghash, ZerosFillUpTheLastBlock) {
  const Block h = BlockOf(Derived("h", 16));
  Bytes data = Derived("data", 48);
  for (size_t size = 48; size-- > 33;) {
    data[size] = 0;
    EXPECT_EQ(Hash(h, {}, std::span(data).first(size)), Hash(h, {}, data));
  }
}

// sum_i B_i h^(m - i), by the field's own powers.
TEST(Ghash, IsAPolynomialInTheKey) {
  const Block h = BlockOf(Derived("h", 16));
  const Bytes data = Derived("data", 16 * 9);
  Gf2_128 sum;
  for (size_t i = 0; i < 9; ++i) {
    Block block;
    std::copy_n(data.begin() + static_cast<ptrdiff_t>(16 * i), 16,
                block.begin());
    sum += reflected::Natural(block) * Power(h, 9 - i);
  }
  Block expected;
  reflected::ToBlock(sum, expected);
  EXPECT_EQ(Hash(h, {}, data), expected);
}

TEST(Ghash, ChunksJoinToTheHashOfTheWhole) {
  const Block h = BlockOf(Derived("h", 16));
  const Block start = BlockOf(Derived("start", 16));
  const Bytes data = Derived("data", 16 * 10 + 3);
  for (size_t each = 1; each <= 11; ++each) {
    std::vector<Block> chunks;
    size_t last = 0;
    for (size_t done = 0; done < data.size(); done += 16 * each) {
      const auto chunk = std::span(data).subspan(
          done, std::min(data.size() - done, 16 * each));
      chunks.push_back(Hash(h, chunks.empty() ? start : Block{}, chunk));
      last = (chunk.size() + 15) / 16;
    }
    EXPECT_EQ(JoinChunks(h, chunks, each, last), Hash(h, start, data));
  }
}

TEST(Ghash, PowersOfKernelsDescendToTheKey) {
  const Block h = BlockOf(Derived("h", 16));
  const Powers powers = PowersOf(h);
  for (size_t k = 0; k < Powers::kCount; ++k) {
    const Word128 key = reflected::KeyOf(Power(h, Powers::kCount - k));
    EXPECT_EQ(powers.power[k], key);
    EXPECT_EQ(powers.swapped[k], (Word128{key.high, key.low}));
  }
  EXPECT_EQ(powers.power[Powers::kCount], Word128{});
}

}  // namespace
}  // namespace assay::ghash
