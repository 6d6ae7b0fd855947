// Columns against reference instances, and laws of contexts and evaluation.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/columns.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "assay/base/split_mix.h"
#include "assay/binary/test_sumcheck.h"
#include "assay/ops/product_sumcheck/product_sumcheck.h"

namespace assay::binary {
namespace {

std::vector<Gf2_128> ReadAll(const Columns& columns, int j) {
  std::vector<Gf2_128> elements(columns.size());
  EXPECT_TRUE(columns.Read(j, 0, elements).ok());
  return elements;
}

std::vector<Gf2_128> RandomElements(uint64_t seed, size_t count) {
  std::vector<Gf2_128> elements;
  for (size_t i = 0; i < count; ++i) {
    elements.push_back({SplitMix64(seed, 2 * i), SplitMix64(seed, 2 * i + 1)});
  }
  return elements;
}

TEST(Columns, ReferenceInstances) {
  for (const auto& row : ReadSumcheckVectors("instance.json")) {
    const int d = row["d"];
    const uint64_t seed = std::stoull(row["seed"].get<std::string>());
    const auto columns = SeedColumns(seed, row["n"], d);
    const std::vector<Gf2_128> first = ReadAll(*columns, 0);
    for (size_t i = 0; i < row["column0_first"].size(); ++i) {
      EXPECT_EQ(HexText(first[i]), row["column0_first"][i].get<std::string>());
    }
    EXPECT_EQ(HexText(PieceDigest(first)),
              row["column0_sha256"].get<std::string>());
    EXPECT_EQ(HexText(PieceDigest(ReadAll(*columns, d - 1))),
              row["column_last_sha256"].get<std::string>());
    // The file's context is that of the same columns given as data.
    std::vector<std::vector<Gf2_128>> data;
    std::vector<std::span<const Gf2_128>> spans;
    for (int j = 0; j < d; ++j) data.push_back(ReadAll(*columns, j));
    for (const auto& column : data) spans.emplace_back(column);
    const auto memory = MemoryColumns(spans);
    ASSERT_TRUE(memory.ok());
    EXPECT_EQ(HexText(*ContextOf(**memory)), row["context"].get<std::string>());
  }
}

TEST(Columns, PartsOfAColumnAreThoseOfTheWhole) {
  const auto columns = SeedColumns(5, 6, 3);
  const std::vector<Gf2_128> whole = ReadAll(*columns, 2);
  for (const size_t first : {0, 1, 17, 60}) {
    std::vector<Gf2_128> part(4);
    ASSERT_TRUE(columns->Read(2, first, part).ok());
    EXPECT_TRUE(std::equal(part.begin(), part.end(),
                           whole.begin() + static_cast<long>(first)));
  }
}

TEST(Columns, AContextOfASeedNamesIt) {
  for (const uint64_t seed : {uint64_t{0}, uint64_t{7}, ~uint64_t{0}}) {
    Sha256Hash context = *ContextOf(*SeedColumns(seed, 3, 2));
    EXPECT_EQ(SeedOf(context), seed);
    for (const size_t i : {0, 15, 24, 31}) {
      Sha256Hash other = context;
      other[i] ^= 1;
      EXPECT_FALSE(SeedOf(other).has_value()) << i;
    }
  }
}

// Short columns and such of several pieces, by files and in memory.
TEST(Columns, FilesAreTheSameAsMemory) {
  const auto folder = std::filesystem::temp_directory_path() /
                      ("assay_columns_test" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  for (const size_t n : {1, 5, 17}) {
    std::vector<std::vector<Gf2_128>> data;
    std::vector<std::span<const Gf2_128>> spans;
    std::vector<std::string> paths;
    for (size_t j = 0; j < 2; ++j) {
      data.push_back(RandomElements(10 * n + j, size_t{1} << n));
      paths.push_back((folder / std::to_string(j)).string());
      std::ofstream file(paths.back(), std::ios::binary);
      file.write(reinterpret_cast<const char*>(data[j].data()),
                 static_cast<std::streamsize>(16 * data[j].size()));
    }
    for (const auto& column : data) spans.emplace_back(column);
    const auto memory = MemoryColumns(spans);
    const auto files = FileColumns(paths);
    ASSERT_TRUE(memory.ok() && files.ok());
    EXPECT_EQ((*files)->n(), static_cast<int>(n));
    EXPECT_EQ(ReadAll(**files, 1), data[1]);
    EXPECT_EQ(*ContextOf(**files), *ContextOf(**memory));
    const std::vector<Gf2_128> point = RandomElements(3, n);
    EXPECT_EQ(*EvaluateColumn(**files, 1, point),
              *EvaluateColumn(**memory, 1, point));
  }
  std::filesystem::remove_all(folder);
}

TEST(Columns, EveryElementAndTheOrderCountInAContext) {
  std::vector<std::vector<Gf2_128>> data = {RandomElements(1, 8),
                                            RandomElements(2, 8)};
  const auto context = [&](size_t a, size_t b) {
    return *ContextOf(**MemoryColumns({data[a], data[b]}));
  };
  const Sha256Hash before = context(0, 1);
  EXPECT_NE(context(1, 0), before);
  EXPECT_FALSE(SeedOf(before).has_value());
  for (auto& column : data) {
    for (Gf2_128& x : column) {
      x.low ^= 1;
      EXPECT_NE(context(0, 1), before);
      x.low ^= 1;
    }
  }
  EXPECT_EQ(context(0, 1), before);
}

TEST(Columns, WrongSizesAreRefused) {
  const std::vector<Gf2_128> data = RandomElements(1, 16);
  const std::span<const Gf2_128> all(data);
  EXPECT_EQ(MemoryColumns({}).error().code, Code::kInvalidInput);
  EXPECT_FALSE(MemoryColumns({all, all.first(8)}).ok());
  EXPECT_FALSE(MemoryColumns({all.first(1)}).ok());
  EXPECT_FALSE(MemoryColumns({all.first(12)}).ok());
  EXPECT_FALSE(MemoryColumns(std::vector(7, all)).ok());
  EXPECT_TRUE(MemoryColumns(std::vector(6, all.first(2))).ok());
  EXPECT_EQ(FileColumns({"/nowhere/at/all"}).error().code, Code::kIo);
}

// Around the blocks of 2^10 and the pieces of 2^16 elements.
TEST(Columns, EvaluationIsBindingAllVariables) {
  for (const int n : {1, 2, 9, 10, 11, 12, 16, 17, 18}) {
    const auto columns = SeedColumns(9, n, 2);
    const std::vector<Gf2_128> point =
        RandomElements(static_cast<uint64_t>(n), static_cast<size_t>(n));
    std::vector<Gf2_128> bound = ReadAll(*columns, 1);
    for (size_t k = point.size(); k-- > 0;) {
      product_sumcheck::Bind(bound, point[k]);
    }
    EXPECT_EQ(*EvaluateColumn(*columns, 1, point), bound[0]) << n;
  }
}

}  // namespace
}  // namespace assay::binary
