// Vectors and laws of sealed files.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/seal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "assay/hash/hkdf.h"
#include "assay/hash/test_derived.h"

namespace assay::binary {
namespace {

using Buffer = std::vector<uint8_t>;

const std::string kFolder = ASSAY_TESTDATA "/binary/seal/";

Buffer ReadAll(const std::string& path) {
  Result<std::vector<std::byte>> bytes = ReadFile(path, uint64_t{1} << 30);
  EXPECT_TRUE(bytes.ok()) << path;
  const auto* data = reinterpret_cast<const uint8_t*>(bytes->data());
  return Buffer(data, data + bytes->size());
}

nlohmann::json Vectors() {
  std::ifstream file(kFolder + "seal.json");
  return nlohmann::json::parse(file);
}

std::vector<std::byte> AsStored(const Buffer& bytes) {
  const auto stored = std::as_bytes(std::span(bytes));
  return {stored.begin(), stored.end()};
}

// How bytes come in and go out.
enum class Way : uint8_t { kFile, kStream };

// Tests run side by side, each in a process of its own.
std::string TempPath(const char* name) {
  return testing::TempDir() + name + std::to_string(getpid());
}

// Runs `body` with an input of these bytes; returns what it put out.
template <class Body>
Buffer Through(const Buffer& bytes, Way in_way, Way out_way, const Body& body) {
  const std::string in_path = TempPath("assay_seal_in");
  const std::string out_path = TempPath("assay_seal_out");
  EXPECT_TRUE(WriteFile(in_path, std::as_bytes(std::span(bytes))).ok());
  SealInput in;
  std::unique_ptr<InputFile> in_file;
  std::unique_ptr<InputStream> in_stream;
  if (in_way == Way::kFile) {
    in_file = std::move(*InputFile::Open(in_path));
    in.file = in_file.get();
  } else {
    in_stream = std::move(*InputStream::Open(in_path));
    in.stream = in_stream.get();
  }
  SealOutput out;
  Buffer result;
  std::unique_ptr<OutputFile> out_file;
  if (out_way == Way::kFile) {
    out_file = std::move(*OutputFile::Create(out_path));
    out.file = out_file.get();
  } else {
    out.stream = [&](Bytes piece) {
      result.insert(result.end(), piece.begin(), piece.end());
      return Status();
    };
  }
  const bool keep = body(in, out);
  if (out_file != nullptr && keep) {
    EXPECT_TRUE(out_file->Commit().ok());
    result = ReadAll(out_path);
  }
  return result;
}

struct Secret {
  Buffer key = Derived("seal/key", 32);
  Buffer aad = Derived("seal/aad", 9);
  SegmentSize segment = SegmentSize::k4KB;

  SealKey Key() const {
    return {std::span<const uint8_t, 32>(key.data(), 32), segment, aad};
  }
};

SealHeader HeaderOf(const Buffer& salt, const Buffer& prefix) {
  SealHeader header;
  std::copy_n(salt.begin(), header.salt.size(), header.salt.begin());
  std::copy_n(prefix.begin(), header.prefix.size(), header.prefix.begin());
  return header;
}

Buffer SealAll(const Secret& secret, const Buffer& plain,
               const SealHeader& header, Way in_way = Way::kFile,
               Way out_way = Way::kStream, int threads = 1) {
  return Through(
      plain, in_way, out_way, [&](const SealInput& in, const SealOutput& out) {
        const Result<uint64_t> size =
            Seal(secret.Key(), header, in, out, Threads(threads), {});
        EXPECT_TRUE(size.ok());
        const SealLayout layout(secret.segment);
        EXPECT_EQ(*size,
                  plain.size() + 40 + 16 * layout.Segments(plain.size()));
        return true;
      });
}
Buffer SealAll(const Secret& secret, const Buffer& plain) {
  return SealAll(secret, plain,
                 HeaderOf(Derived("salt", 32), Derived("prefix", 7)));
}

struct Opened {
  SealVerdict verdict;
  Buffer plain;
};
Opened OpenAll(const Secret& secret, const Buffer& sealed,
               Way in_way = Way::kFile, Way out_way = Way::kStream,
               int threads = 1) {
  Opened opened;
  opened.plain = Through(
      sealed, in_way, out_way, [&](const SealInput& in, const SealOutput& out) {
        const Result<SealVerdict> verdict =
            Open(secret.Key(), in, out, Threads(threads), {});
        EXPECT_TRUE(verdict.ok());
        opened.verdict = *verdict;
        return verdict->accepted;
      });
  EXPECT_EQ(opened.verdict.accepted, opened.verdict.detail.empty());
  return opened;
}

// From memory, for many openings.
Opened OpenBytes(const Secret& secret, const Buffer& sealed,
                 const Threads& threads) {
  MemoryBytes in("memory", AsStored(sealed));
  Opened opened;
  const Result<SealVerdict> verdict =
      Open(secret.Key(), {.file = &in},
           {.stream =
                [&](Bytes piece) {
                  opened.plain.insert(opened.plain.end(), piece.begin(),
                                      piece.end());
                  return Status();
                }},
           threads, {});
  EXPECT_TRUE(verdict.ok());
  opened.verdict = *verdict;
  return opened;
}

SegmentSize SizeOf(const nlohmann::json& row) {
  return row["seg"].get<int>() == 4096 ? SegmentSize::k4KB : SegmentSize::k1MB;
}

// Ours and Tink's: opened; ours also made again, byte for byte.
TEST(Seal, ReadsAndWritesThePublishedFiles) {
  const auto vectors = Vectors();
  Secret secret;
  secret.key = FromHex(vectors["key"].get<std::string>());
  secret.aad = FromHex(vectors["aad"].get<std::string>());
  ASSERT_FALSE(vectors["rows"].empty());
  for (const auto& row : vectors["rows"]) {
    secret.segment = SizeOf(row);
    const size_t size = row["pt_len"];
    const Buffer plain = Derived(fmt::format("seal/pt/{}", size), size);
    const bool ours = row.contains("salt");
    const SealHeader header =
        ours ? HeaderOf(FromHex(row["salt"].get<std::string>()),
                        FromHex(row["prefix"].get<std::string>()))
             : SealHeader();
    // Of large files only the hash is stored.
    const Buffer file = row["file"].is_null()
                            ? SealAll(secret, plain, header)
                            : ReadAll(kFolder + row["file"].get<std::string>());
    EXPECT_EQ(ToHex(Sha256Of(file)), row["file_sha256"].get<std::string>());
    EXPECT_EQ(ToHex(Sha256Of(plain)), row["pt_sha256"].get<std::string>());
    for (const Way in : {Way::kFile, Way::kStream}) {
      for (const Way out : {Way::kFile, Way::kStream}) {
        const Opened opened = OpenAll(secret, file, in, out, 2);
        EXPECT_TRUE(opened.verdict.accepted) << row;
        EXPECT_EQ(opened.verdict.plain_bytes, size);
        EXPECT_EQ(opened.plain, plain);
        if (!ours) continue;
        EXPECT_EQ(SealAll(secret, plain, header, in, out, 2), file);
      }
    }
  }
}

TEST(Seal, RefusesAndAcceptsThePublishedEdges) {
  const auto vectors = Vectors();
  Secret secret;
  secret.key = FromHex(vectors["key"].get<std::string>());
  secret.aad = FromHex(vectors["aad"].get<std::string>());
  ASSERT_FALSE(vectors["reject"].empty());
  for (const auto& name : vectors["reject"]) {
    const Buffer file = ReadAll(kFolder + name.get<std::string>());
    EXPECT_FALSE(OpenAll(secret, file).verdict.accepted);
    EXPECT_FALSE(OpenAll(secret, file, Way::kStream).verdict.accepted);
  }
  const Buffer file =
      ReadAll(kFolder + vectors["accept_trailing_empty"].get<std::string>());
  EXPECT_TRUE(OpenAll(secret, file).verdict.accepted);
  EXPECT_TRUE(OpenAll(secret, file, Way::kStream).verdict.accepted);
}

TEST(Seal, DerivesThePublishedKey) {
  const auto vectors = Vectors();
  const auto& example = vectors["hkdf_example"];
  Buffer derived(32);
  HkdfSha256(FromHex(vectors["key"].get<std::string>()),
             FromHex(example["salt"].get<std::string>()),
             FromHex(example["info"].get<std::string>()), derived);
  EXPECT_EQ(ToHex(derived), example["okm"].get<std::string>());
}

// Around each boundary of the first segments.
TEST(Seal, OpeningUndoesSealingForEverySizeAtABoundary) {
  Secret secret;
  const SealLayout layout(secret.segment);
  std::vector<size_t> sizes = {0, 1, 15, 16, 17};
  for (uint64_t i = 1; i <= 3; ++i) {
    for (size_t d = 0; d < 5; ++d) {
      sizes.push_back(static_cast<size_t>(layout.PlainOffset(i)) + d - 2);
    }
  }
  // Several units, several batches.
  sizes.push_back((size_t{5} << 20) + 12345);
  sizes.push_back((size_t{18} << 20) + 1);
  for (const size_t size : sizes) {
    const Buffer plain = Derived("plain", size);
    const Buffer sealed = SealAll(secret, plain);
    for (const Way way : {Way::kFile, Way::kStream}) {
      const Opened opened = OpenAll(secret, sealed, way, Way::kStream, 2);
      EXPECT_TRUE(opened.verdict.accepted) << size;
      EXPECT_EQ(opened.plain, plain) << size;
    }
  }
}

TEST(Seal, LayoutsOfPlaintextAndFileAgree) {
  for (const SegmentSize segment : {SegmentSize::k4KB, SegmentSize::k1MB}) {
    const SealLayout layout(segment);
    for (uint64_t i = 0; i < 4; ++i) {
      EXPECT_EQ(layout.PlainOffset(i) + layout.PlainBytes(i),
                layout.PlainOffset(i + 1));
      EXPECT_EQ(layout.SealedOffset(i) + layout.PlainBytes(i) + 16,
                layout.SealedOffset(i + 1));
      for (int64_t d = -20; d <= 20; ++d) {
        const uint64_t size =
            layout.PlainOffset(i + 1) + static_cast<uint64_t>(d);
        const uint64_t segments = layout.Segments(size);
        EXPECT_EQ(segments, d <= 0 ? i + 1 : i + 2);
        EXPECT_EQ(layout.SegmentsOfFile(size + 40 + 16 * segments), segments);
        EXPECT_EQ(layout.SegmentOf(size), d < 0 ? i : i + 1);
      }
    }
    EXPECT_EQ(layout.SegmentsOfFile(55), 0u);
    EXPECT_EQ(layout.SegmentsOfFile(56), 1u);
    EXPECT_EQ(layout.SegmentsOfFile(layout.segment_bytes + 15), 0u);
    EXPECT_EQ(layout.SegmentsOfFile(layout.segment_bytes + 16), 2u);
  }
}

// What leaves before a rejection is a true beginning, in whole segments.
void ExpectRejected(const Secret& secret, const Buffer& sealed,
                    const Buffer& plain, const Threads& threads) {
  const Opened opened = OpenBytes(secret, sealed, threads);
  EXPECT_FALSE(opened.verdict.accepted);
  EXPECT_FALSE(opened.verdict.detail.empty());
  ASSERT_LE(opened.plain.size(), plain.size());
  EXPECT_TRUE(
      std::equal(opened.plain.begin(), opened.plain.end(), plain.begin()));
}

TEST(Seal, TenThousandDamagedFilesAreRejected) {
  const Secret secret;
  const Threads threads(1);
  const Buffer plain = Derived("plain", 9000);
  const Buffer sealed = SealAll(secret, plain);
  ASSERT_EQ(OpenBytes(secret, sealed, threads).plain, plain);
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    Buffer damaged = sealed;
    const size_t at = random() % sealed.size();
    const auto place = damaged.begin() + static_cast<ptrdiff_t>(at);
    switch (i % 7) {
      case 0:  // a bit
        damaged[at] ^= static_cast<uint8_t>(1 << random() % 8);
        break;
      case 1:  // the end is missing
        damaged.resize(at);
        break;
      case 2:  // bytes at the end
        damaged.insert(damaged.end(), 1 + random() % 5000, 0);
        break;
      case 3:  // another header
        damaged[at % kSealHeaderBytes] ^=
            static_cast<uint8_t>(1 << random() % 8);
        break;
      case 4:  // a segment in the place of another
        std::copy_n(damaged.begin() + 4096, damaged.size() - 8192,
                    damaged.begin() + 8192);
        break;
      case 5:  // a byte too many
        damaged.insert(place, static_cast<uint8_t>(random()));
        break;
      default:  // a byte too few
        damaged.erase(place);
    }
    ExpectRejected(secret, damaged, plain, threads);
  }
}

TEST(Seal, SegmentsKeepTheirPlaces) {
  const Secret secret;
  const Threads threads(2);
  const Buffer plain = Derived("plain", 4 * 4080);
  const Buffer sealed = SealAll(secret, plain);
  const auto segment = [&](size_t i) {
    return Buffer(sealed.begin() + static_cast<ptrdiff_t>(4096 * i),
                  sealed.begin() + static_cast<ptrdiff_t>(std::min(
                                       sealed.size(), 4096 * (i + 1))));
  };
  const auto join = [&](std::initializer_list<size_t> order) {
    Buffer bytes;
    for (const size_t i : order)
      std::ranges::copy(segment(i), std::back_inserter(bytes));
    return bytes;
  };
  ASSERT_EQ(join({0, 1, 2, 3, 4}), sealed);
  for (const auto& order : std::initializer_list<std::initializer_list<size_t>>{
           {0, 2, 1, 3, 4},
           {0, 1, 3, 4},
           {0, 1, 1, 2, 3, 4},
           {0, 1, 2, 3},
           {0},
           {1, 2, 3, 4},
           {0, 4},
           {0, 1, 2, 3, 4, 4}}) {
    ExpectRejected(secret, join(order), plain, threads);
  }
}

TEST(Seal, KeyAadAndSegmentSizeBelongToTheFile) {
  const Threads threads(1);
  const Secret secret;
  for (const size_t size : {0, 100, 10000}) {
    const Buffer plain = Derived("plain", size);
    const Buffer sealed = SealAll(secret, plain);
    Secret other = secret;
    other.aad.pop_back();
    ExpectRejected(other, sealed, plain, threads);
    other = secret;
    other.key[31] ^= 1;
    ExpectRejected(other, sealed, plain, threads);
    other = secret;
    other.segment = SegmentSize::k1MB;
    // One segment of either size is the same file.
    if (size > 4040) ExpectRejected(other, sealed, plain, threads);
  }
}

TEST(Seal, RangesAreSlices) {
  const Secret secret;
  const Threads threads(2);
  const Buffer plain = Derived("plain", 100000);
  Buffer sealed = SealAll(secret, plain);
  const auto range = [&](uint64_t from, uint64_t to, Buffer* slice) {
    MemoryBytes in("memory", AsStored(sealed));
    slice->clear();
    return OpenRange(secret.Key(), in, from, to,
                     [slice](Bytes piece) {
                       slice->insert(slice->end(), piece.begin(), piece.end());
                       return Status();
                     },
                     threads, {});
  };
  std::mt19937_64 random(1);
  Buffer slice;
  for (int i = 0; i < 300; ++i) {
    const size_t a = random() % (plain.size() + 1);
    const size_t b = i % 3 == 0 ? std::min(plain.size(), a + random() % 20)
                                : a + random() % (plain.size() - a + 1);
    const Result<SealVerdict> verdict = range(a, b, &slice);
    ASSERT_TRUE(verdict.ok() && verdict->accepted);
    EXPECT_EQ(slice, Buffer(plain.begin() + static_cast<ptrdiff_t>(a),
                            plain.begin() + static_cast<ptrdiff_t>(b)));
  }
  ASSERT_TRUE(range(99990, kToTheEnd, &slice)->accepted);
  EXPECT_EQ(slice, Buffer(plain.end() - 10, plain.end()));
  EXPECT_EQ(range(0, 100001, &slice).error().code, Code::kInvalidInput);
  EXPECT_EQ(range(9, 8, &slice).error().code, Code::kInvalidInput);

  // Only the segments asked for, and the last.
  sealed[5000] ^= 1;
  EXPECT_TRUE(range(0, 100, &slice)->accepted);
  EXPECT_FALSE(range(4000, 5000, &slice)->accepted);
  sealed[5000] ^= 1;
  sealed.back() ^= 1;
  EXPECT_FALSE(range(0, 100, &slice)->accepted);
  EXPECT_TRUE(slice.empty());
  sealed.resize(4096 * 3);
  EXPECT_FALSE(range(0, 100, &slice)->accepted);
}

TEST(Seal, HeadersDifferEachTime) {
  const Result<SealHeader> a = SealHeader::Random();
  const Result<SealHeader> b = SealHeader::Random();
  EXPECT_NE(a->salt, b->salt);
  EXPECT_NE(a->prefix, b->prefix);
}

TEST(Seal, ProgressCancelsEitherWay) {
  const Secret secret;
  const Buffer plain(10 << 20);
  const Progress stop = [](std::string_view, uint64_t done, uint64_t total) {
    EXPECT_LE(done, total);
    return false;
  };
  Through(plain, Way::kStream, Way::kFile,
          [&](const SealInput& in, const SealOutput& out) {
            const auto size = Seal(secret.Key(), *SealHeader::Random(), in, out,
                                   Threads(1), stop);
            EXPECT_EQ(size.error().code, Code::kCancelled);
            return false;
          });
  Through(SealAll(secret, plain), Way::kFile, Way::kStream,
          [&](const SealInput& in, const SealOutput& out) {
            const auto verdict = Open(secret.Key(), in, out, Threads(1), stop);
            EXPECT_EQ(verdict.error().code, Code::kCancelled);
            return false;
          });
}

}  // namespace
}  // namespace assay::binary
