// Laws of the proof file and its strict reader.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/proof.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "assay/whir/test_vectors.h"

namespace assay::whir {
namespace {

using Bytes = std::vector<std::byte>;

constexpr const char* kProof = "n9_f2_fold_grind";

Bytes With(Bytes bytes, size_t offset, std::initializer_list<int> values) {
  for (const int value : values) {
    bytes[offset++] = static_cast<std::byte>(value);
  }
  return bytes;
}

void ExpectCorrupt(const Bytes& bytes, const std::string& what) {
  const Result<ProofFile> file = Decode(bytes);
  ASSERT_FALSE(file.ok()) << what;
  EXPECT_EQ(file.error().code, Code::kCorrupt);
  EXPECT_NE(file.error().what.find(what), std::string::npos)
      << file.error().what;
}

TEST(ProofFile, EncodingUndoesDecoding) {
  for (const char* name : kTracedProofs) {
    const Bytes bytes = ReadProofBytes(name);
    const Result<ProofFile> file = Decode(bytes);
    ASSERT_TRUE(file.ok()) << name << file.error().what;
    EXPECT_EQ(Encode(*file), bytes) << name;
  }
  for (const char* name : kSmallProofs) {
    const Bytes bytes = ReadProofBytes(name);
    EXPECT_EQ(Encode(*Decode(bytes)), bytes) << name;
  }
}

TEST(ProofFile, HeaderHoldsTheParameters) {
  const ProofFile file = *DecodeHeader(ReadProofBytes("n10_f4_r2_suffix"));
  Parameters expected;
  expected.n = 10;
  expected.fold = 4;
  expected.rate = 2;
  expected.soundness = Soundness::kCapacityBound;
  expected.security = 40;
  expected.pow = 4;
  expected.points = 1;
  expected.order = Order::kSuffix;
  expected.mode = Mode::kGiven;
  EXPECT_EQ(file.parameters, expected);
  EXPECT_EQ(file.seed, 7u);
}

TEST(ProofFile, EveryTruncationIsCorrupt) {
  const Bytes bytes = ReadProofBytes(kProof);
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Result<ProofFile> file = Decode(std::span(bytes).first(size));
    ASSERT_FALSE(file.ok()) << size;
    ASSERT_EQ(file.error().code, Code::kCorrupt);
  }
}

TEST(ProofFile, BytesAfterTheEndAreCorrupt) {
  Bytes bytes = ReadProofBytes(kProof);
  const std::string end = "at byte " + std::to_string(bytes.size());
  bytes.push_back(std::byte{0});
  ExpectCorrupt(bytes, "bytes after the end " + end);
}

TEST(ProofFile, ForeignFilesAndReservedBytesAreCorrupt) {
  const Bytes bytes = ReadProofBytes(kProof);
  ExpectCorrupt(With(bytes, 0, {'w'}), "WHIRBB08");
  ExpectCorrupt(With(bytes, 63, {1}), "reserved bytes are set at byte 56");
}

TEST(ProofFile, HeaderNumbersOutOfRangeAreCorrupt) {
  const Bytes bytes = ReadProofBytes(kProof);
  ExpectCorrupt(With(bytes, 8, {41}), "n is 41 at byte 8");
  ExpectCorrupt(With(bytes, 8, {0}), "n is 0");
  ExpectCorrupt(With(bytes, 12, {17}), "fold is 17");
  ExpectCorrupt(With(bytes, 19, {255}), "rate is ");
  ExpectCorrupt(With(bytes, 20, {3}), "soundness is 3");
  ExpectCorrupt(With(bytes, 24, {161}), "security is 161");
  ExpectCorrupt(With(bytes, 28, {31}), "pow is 31");
  ExpectCorrupt(With(bytes, 32, {0}), "points is 0");
  ExpectCorrupt(With(bytes, 36, {2}), "order is 2");
  ExpectCorrupt(With(bytes, 40, {2}), "mode is 2");
  ExpectCorrupt(With(bytes, 44, {100}), "reduction is 100");
}

// The body starts with a cap: one root, then the count of two answers.
constexpr size_t kRoot = kHeaderBytes + 1;
constexpr size_t kAnswerCount = kRoot + 32;

TEST(ProofFile, ElementsMustBeBelowThePrime) {
  const Bytes bytes = ReadProofBytes(kProof);
  ExpectCorrupt(With(bytes, kRoot, {0x01, 0x00, 0x00, 0x78}),
                "not below the prime at byte 65");
  EXPECT_TRUE(Decode(With(bytes, kRoot, {0x00, 0x00, 0x00, 0x78})).ok());
}

TEST(ProofFile, VarintsMustBeMinimal) {
  Bytes bytes = ReadProofBytes(kProof);
  ASSERT_EQ(bytes[kAnswerCount], std::byte{2});
  bytes[kAnswerCount] = std::byte{0x82};
  bytes.insert(bytes.begin() + kAnswerCount + 1, std::byte{0});
  ExpectCorrupt(bytes, "no minimal length");
}

TEST(ProofFile, CountsMustFitTheFile) {
  Bytes bytes = ReadProofBytes(kProof);
  bytes[kAnswerCount] = std::byte{0xff};
  const std::byte huge[] = {std::byte{0xff}, std::byte{0xff}, std::byte{0xff},
                            std::byte{0x7f}};
  bytes.insert(bytes.begin() + kAnswerCount + 1, std::begin(huge),
               std::end(huge));
  ExpectCorrupt(bytes, "do not fit the file");
}

TEST(ProofFile, RowsMustBeOfOnePowerOfTwo) {
  ProofFile file = *Decode(ReadProofBytes("n8_f2_given"));
  Opening& opening = file.proof.final_opening;
  ASSERT_EQ(opening.row_elements, 4u);
  // Three quarters of a row, and the same elements in as many rows.
  opening.row_elements = 3;
  opening.rows.resize(3 * 4);
  ExpectCorrupt(Encode(file), "a row whose length no fold has");
  opening.row_elements = 0;
  opening.rows.clear();
  EXPECT_TRUE(Decode(Encode(file)).ok());

  // 39 rows of four: the second row's length lies one row further.
  Bytes bytes = ReadProofBytes("n8_f2_given");
  size_t start = 0;
  while (bytes[start] != std::byte{39} || bytes[start + 1] != std::byte{4}) {
    ++start;
  }
  const size_t second = start + 1 + 1 + 16;
  ASSERT_EQ(bytes[second], std::byte{4});
  ExpectCorrupt(With(bytes, second, {2}), "a row of another length");
}

TEST(ProofFile, OnlyOneHeaderMeansAProof) {
  ProofFile file = *Decode(ReadProofBytes("n12_f4_3pt"));
  EXPECT_TRUE(CheckCanonicalHeader(file).ok());
  file.parameters.reduction = 1;
  EXPECT_FALSE(CheckCanonicalHeader(file).ok());
  file.parameters.reduction = 2;
  EXPECT_TRUE(CheckCanonicalHeader(file).ok());
  file.parameters.n = 10;
  EXPECT_FALSE(CheckCanonicalHeader(file).ok());
  EXPECT_EQ(CheckCanonicalHeader(file).error().code, Code::kCorrupt);
}

}  // namespace
}  // namespace assay::whir
