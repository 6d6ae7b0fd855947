// The verifier against reference proofs, forgeries, and damaged files.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/verify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "assay/binary/test_sumcheck.h"

namespace assay::binary {
namespace {

using Bytes = std::vector<std::byte>;

Verdict VerifyBytes(const Bytes& bytes, const Columns& columns) {
  const Result<Proof> proof = Decode(bytes);
  if (!proof.ok()) return {false, "format", proof.error().what};
  const Result<Verdict> verdict = Verify(*proof, columns);
  EXPECT_TRUE(verdict.ok());
  return *verdict;
}

TEST(SumcheckVerify, ReferenceProofs) {
  const auto vectors = ReadSumcheckVectors("sumcheck.json");
  EXPECT_EQ(vectors.size(), 45u);
  for (const auto& row : vectors) {
    const std::string name = row["file"];
    SCOPED_TRACE(name);
    const Bytes bytes = ReadSumcheckBytes(name);
    const Result<Proof> proof = Decode(bytes);
    ASSERT_TRUE(proof.ok());
    EXPECT_EQ(Encode(*proof), bytes);
    EXPECT_EQ(HexText(proof->statement.sum), row["sum"].get<std::string>());
    const Reduction reduction = Reduce(*proof);
    ASSERT_TRUE(reduction.verdict.accepted);
    const auto& challenges = row["challenges"];
    ASSERT_EQ(reduction.point.size(), challenges.size());
    for (size_t k = 0; k < challenges.size(); ++k) {
      EXPECT_EQ(HexText(reduction.point[challenges.size() - 1 - k]),
                challenges[k].get<std::string>());
    }
    const Result<Verdict> verdict = Verify(*proof, *ColumnsOf(*proof));
    ASSERT_TRUE(verdict.ok());
    EXPECT_TRUE(verdict->accepted) << verdict->detail;
    EXPECT_EQ(verdict->check, "");
  }
}

TEST(SumcheckVerify, ForgedSumsAreRejected) {
  for (const char* name : kForgedSums) {
    const Result<Proof> proof = Decode(ReadSumcheckBytes(name));
    ASSERT_TRUE(proof.ok()) << name;
    EXPECT_FALSE(Reduce(*proof).verdict.accepted) << name;
    EXPECT_TRUE(Reduce(*proof).point.empty()) << name;
    EXPECT_EQ(Verify(*proof, *ColumnsOf(*proof))->check, "claim") << name;
  }
}

// One value times c and another over c: the columns tell.
TEST(SumcheckVerify, ScaledValuesPassTheTranscriptAndFailOnTheColumns) {
  const Result<Proof> proof = Decode(ReadSumcheckBytes(kScaledValues));
  ASSERT_TRUE(proof.ok());
  EXPECT_TRUE(Reduce(*proof).verdict.accepted);
  const Result<Verdict> verdict = Verify(*proof, *ColumnsOf(*proof));
  ASSERT_TRUE(verdict.ok());
  EXPECT_FALSE(verdict->accepted);
  EXPECT_EQ(verdict->check, "values");
}

TEST(SumcheckVerify, OtherColumnsAreRejected) {
  const Result<Proof> proof = Decode(ReadSumcheckBytes("sc_n5_d4.bin"));
  ASSERT_TRUE(proof.ok());
  const uint64_t seed = *SeedOf(proof->statement.context);
  EXPECT_EQ(Verify(*proof, *SeedColumns(seed + 1, 5, 4))->check, "context");
  EXPECT_EQ(Verify(*proof, *SeedColumns(seed, 6, 4))->check, "columns");
  EXPECT_EQ(Verify(*proof, *SeedColumns(seed, 5, 3))->check, "columns");
}

// Built by hand, not read from bytes.
TEST(SumcheckVerify, ProofsOfAnySizeAreSafe) {
  const Proof good = *Decode(ReadSumcheckBytes("sc_n3_d2.bin"));
  for (const int n : {-1, 0, 2, 4, 41}) {
    Proof bad = good;
    bad.statement.n = n;
    EXPECT_EQ(Reduce(bad).verdict.check, "format");
  }
  for (const int d : {-1, 0, 1, 3, 7}) {
    Proof bad = good;
    bad.statement.d = d;
    EXPECT_EQ(Reduce(bad).verdict.check, "format");
  }
  Proof bad = good;
  bad.values.clear();
  EXPECT_EQ(Reduce(bad).verdict.check, "format");
}

TEST(SumcheckReader, OtherLengthsAreCorrupt) {
  for (const char* name : kSmallFiles) {
    const Bytes bytes = ReadSumcheckBytes(name);
    EXPECT_LE(bytes.size(), kMaxProofBytes);
    for (size_t size = 0; size < bytes.size(); ++size) {
      const auto part = Decode(std::span(bytes).first(size));
      ASSERT_FALSE(part.ok()) << size;
      EXPECT_EQ(part.error().code, Code::kCorrupt);
    }
    Bytes longer = bytes;
    longer.push_back(std::byte{0});
    EXPECT_FALSE(Decode(longer).ok());
    longer.resize(bytes.size() + 16);
    EXPECT_FALSE(Decode(longer).ok());
  }
}

TEST(SumcheckReader, TagAndRangesAreChecked) {
  const Bytes good = ReadSumcheckBytes("sc_n3_d2.bin");
  const auto with = [&](size_t at, int value) {
    Bytes bytes = good;
    bytes[at] = static_cast<std::byte>(value);
    return Decode(bytes).ok();
  };
  EXPECT_TRUE(with(16, 3));
  EXPECT_FALSE(with(0, 'A'));
  EXPECT_FALSE(with(15, '2'));
  for (const int n : {0, 2, 4, 41, 255}) EXPECT_FALSE(with(16, n)) << n;
  for (const int d : {0, 1, 3, 7}) EXPECT_FALSE(with(24, d)) << d;
  for (const size_t at : {17, 23, 25, 31}) EXPECT_FALSE(with(at, 1)) << at;
}

// How many flips: 5000, or what ASSAY_FLIPS says.
size_t FlipCount() {
  const char* text = std::getenv("ASSAY_FLIPS");
  const long asked = text != nullptr ? std::atol(text) : 0;
  return asked > 0 ? static_cast<size_t>(asked) : 5000;
}

// Bits are numbered through all files and walked by about 0.618 of their
// number, which spreads any count of flips evenly.
TEST(SumcheckTamper, EveryBitCounts) {
  std::vector<Bytes> files;
  std::vector<std::unique_ptr<Columns>> columns;
  size_t total = 0;
  for (const char* name : kSmallFiles) {
    files.push_back(ReadSumcheckBytes(name));
    columns.push_back(ColumnsOf(*Decode(files.back())));
    ASSERT_TRUE(VerifyBytes(files.back(), *columns.back()).accepted) << name;
    total += 8 * files.back().size();
  }
  size_t stride = total * 618 / 1000;
  while (std::gcd(stride, total) != 1) ++stride;
  const size_t flips = FlipCount();
  for (size_t i = 0; i < flips; ++i) {
    size_t bit = i % total * stride % total;
    size_t file = 0;
    while (bit >= 8 * files[file].size()) bit -= 8 * files[file++].size();
    Bytes bytes = files[file];
    bytes[bit / 8] ^= std::byte{1} << static_cast<int>(bit % 8);
    // A second flip on later passes: pairs of changed bits, ever others.
    const size_t pass = i / total;
    if (pass > 0) {
      const size_t other = (bit + 64 * pass + 1) % (8 * bytes.size());
      bytes[other / 8] ^= std::byte{1} << static_cast<int>(other % 8);
    }
    const Verdict verdict = VerifyBytes(bytes, *columns[file]);
    ASSERT_FALSE(verdict.accepted) << kSmallFiles[file] << " bit " << bit;
    ASSERT_NE(verdict.check, "");
  }
}

}  // namespace
}  // namespace assay::binary
