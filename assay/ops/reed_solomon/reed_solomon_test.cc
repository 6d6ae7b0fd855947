// Laws of the erasure code, and the bytes that its peers make.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/reed_solomon/reed_solomon.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <vector>

#include "assay/base/split_mix.h"
#include "assay/ops/test_binary_vectors.h"

namespace assay::reed_solomon {
namespace {

constexpr Kind kBoth[] = {Kind::kVandermonde, Kind::kCauchy};

std::vector<int> Range(int first, int count) {
  std::vector<int> range(static_cast<size_t>(count));
  std::iota(range.begin(), range.end(), first);
  return range;
}

// All k + m shards, one after the other.
std::vector<std::byte> Encode(const Scheme& scheme,
                              std::vector<std::byte> shards, size_t length) {
  const auto k = static_cast<size_t>(scheme.data);
  shards.resize(static_cast<size_t>(scheme.shards()) * length);
  const std::span all(shards);
  Apply(ParityRows(scheme), length, all.first(k * length), length,
        all.subspan(k * length), length);
  return shards;
}

std::vector<std::byte> SomeShards(const Scheme& scheme, size_t length) {
  std::vector<std::byte> data(static_cast<size_t>(scheme.data) * length);
  for (size_t i = 0; i < data.size(); ++i) {
    data[i] = static_cast<std::byte>(SplitMix64(7, i));
  }
  return Encode(scheme, std::move(data), length);
}

// Whether the shards `present` give all the others back.
bool Repairs(const Scheme& scheme, const std::vector<std::byte>& shards,
             size_t length, const std::vector<int>& present) {
  std::vector<int> wanted;
  std::vector<std::byte> in;
  std::vector<std::byte> expected;
  for (int i = 0; i < scheme.shards(); ++i) {
    const bool has =
        std::find(present.begin(), present.end(), i) != present.end();
    if (!has) wanted.push_back(i);
    const auto shard =
        std::span(shards).subspan(static_cast<size_t>(i) * length, length);
    auto& into = has ? in : expected;
    into.insert(into.end(), shard.begin(), shard.end());
  }
  const Result<Matrix> rows = RepairRows(scheme, present, wanted);
  if (!rows.ok()) return false;
  std::vector<std::byte> out(expected.size());
  Apply(*rows, length, in, length, out, length);
  return out == expected;
}

TEST(ReedSolomon, RowsAndParityAreThoseOfThePeers) {
  const nlohmann::json vectors = ReadBinaryVectors("reed_solomon.json");
  ASSERT_FALSE(vectors["rows"].empty());
  for (const nlohmann::json& row : vectors["rows"]) {
    const Scheme scheme = {
        row["matrix"] == "cauchy" ? Kind::kCauchy : Kind::kVandermonde,
        row["k"].get<int>(), row["m"].get<int>()};
    const auto k = static_cast<size_t>(scheme.data);
    const auto length = row["shard_len"].get<size_t>();
    std::vector<std::byte> data;
    for (size_t j = 0; j < k; ++j) {
      const auto shard = DerivedBytes(
          fmt::format("rs/{}/{}/{}", scheme.data, scheme.parity, j), length);
      data.insert(data.end(), shard.begin(), shard.end());
    }
    const Matrix parity = ParityRows(scheme);
    const std::vector<std::byte> shards = Encode(scheme, data, length);
    for (size_t i = 0; i < parity.rows(); ++i) {
      SCOPED_TRACE(row["matrix"].get<std::string>() +
                   fmt::format(" {}+{} row {}", k, parity.rows(), i));
      if (!row["rows"].is_null()) {
        EXPECT_EQ(HexOf(parity.Row(i)), row["rows"][i].get<std::string>());
      }
      const std::span bytes(
          reinterpret_cast<const uint8_t*>(&shards[(k + i) * length]), length);
      EXPECT_EQ(HexOf(bytes.first(32)),
                row["parity_first32"][i].get<std::string>());
      EXPECT_EQ(HexOf(Sha256Of(bytes)),
                row["parity_sha256"][i].get<std::string>());
    }
  }
}

TEST(ReedSolomon, EveryErasurePatternOfSixAndThreeIsRepaired) {
  for (const Kind kind : kBoth) {
    const Scheme scheme = {kind, 6, 3};
    const auto shards = SomeShards(scheme, 40);
    int patterns = 0;
    for (unsigned mask = 0; mask < 512; ++mask) {
      if (std::popcount(mask) != 6) continue;
      std::vector<int> present;
      for (int i = 0; i < 9; ++i) {
        if ((mask >> i) & 1) present.push_back(i);
      }
      EXPECT_TRUE(Repairs(scheme, shards, 40, present)) << mask;
      ++patterns;
    }
    EXPECT_EQ(patterns, 84);
  }
}

TEST(ReedSolomon, TheOrderOfTheShardsIsTheCallers) {
  const Scheme scheme = {Kind::kVandermonde, 4, 3};
  const auto shards = SomeShards(scheme, 10);
  std::vector<int> present = {6, 1, 4, 3};
  std::vector<int> wanted = {5, 0};
  std::vector<std::byte> in;
  for (const int i : present) {
    in.insert(in.end(), shards.begin() + i * 10, shards.begin() + i * 10 + 10);
  }
  std::vector<std::byte> out(20);
  Apply(*RepairRows(scheme, present, wanted), 10, in, 10, out, 10);
  EXPECT_TRUE(std::equal(out.begin(), out.begin() + 10, &shards[50]));
  EXPECT_TRUE(std::equal(out.begin() + 10, out.end(), &shards[0]));
}

TEST(ReedSolomon, AllSizesUpTo256ShardsRepairTheirLastLosses) {
  for (const Kind kind : kBoth) {
    for (const auto& [k, m] : {std::pair(1, 1),
                               {1, 255},
                               {255, 1},
                               {128, 128},
                               {200, 56},
                               {100, 3},
                               {17, 17}}) {
      const Scheme scheme = {kind, k, m};
      const auto shards = SomeShards(scheme, 3);
      // As many data shards lost as can be, from the front and spread out.
      EXPECT_TRUE(Repairs(scheme, shards, 3, Range(m, k))) << k << "+" << m;
      std::vector<int> spread;
      for (int i = 0; i < k; ++i) spread.push_back(i * scheme.shards() / k);
      EXPECT_TRUE(Repairs(scheme, shards, 3, spread)) << k << "+" << m;
    }
  }
}

TEST(ReedSolomon, InverseTimesMatrixIsTheIdentity) {
  const Scheme scheme = {Kind::kCauchy, 9, 9};
  const Matrix square = ParityRows(scheme);
  const Result<Matrix> inverse = Invert(square);
  ASSERT_TRUE(inverse.ok());
  const Matrix product = Multiply(*inverse, square);
  for (size_t r = 0; r < 9; ++r) {
    for (size_t c = 0; c < 9; ++c) {
      EXPECT_EQ(product.At(r, c), r == c ? 1 : 0);
    }
  }
}

TEST(ReedSolomon, AMatrixOfDependentRowsHasNoInverse) {
  Matrix matrix(3, 3);
  for (size_t c = 0; c < 3; ++c) {
    matrix.At(0, c) = static_cast<uint8_t>(c + 1);
    matrix.At(1, c) = static_cast<uint8_t>(5 * c + 7);
    matrix.At(2, c) = matrix.At(0, c) ^ matrix.At(1, c);
  }
  EXPECT_EQ(Invert(matrix).error().code, Code::kInvalidInput);
}

TEST(ReedSolomon, SchemesOutOfRangeAreRefused) {
  for (const auto& [k, m] :
       {std::pair(0, 1), {1, 0}, {-1, 3}, {256, 1}, {200, 57}, {1, 256}}) {
    EXPECT_EQ(Check({Kind::kCauchy, k, m}).error().code, Code::kInvalidInput);
  }
  EXPECT_TRUE(Check({Kind::kCauchy, 255, 1}).ok());
}

TEST(ReedSolomon, TooFewOrRepeatedShardsAreRefused) {
  const Scheme scheme = {Kind::kVandermonde, 3, 2};
  const int wanted[] = {0};
  for (const std::vector<int>& present : {std::vector<int>{1, 2},
                                          {1, 2, 2},
                                          {1, 2, 5},
                                          {-1, 1, 2},
                                          {1, 2, 3, 4}}) {
    EXPECT_EQ(RepairRows(scheme, present, wanted).error().code,
              Code::kInvalidInput);
  }
}

}  // namespace
}  // namespace assay::reed_solomon
