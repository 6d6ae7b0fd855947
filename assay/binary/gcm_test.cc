// Vectors and laws of AES-GCM on every vector target.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/gcm.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "assay/hash/test_derived.h"
#include "assay/number/test_targets.h"
#include "assay/ops/seal/gcm_lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/binary/gcm_test.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

int64_t ThisTarget() { return HWY_TARGET; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {

HWY_EXPORT(ThisTarget);
int64_t RunningTarget() { return HWY_DYNAMIC_DISPATCH(ThisTarget)(); }

}  // namespace

namespace binary {
namespace {

using Buffer = std::vector<uint8_t>;

GcmKey KeyFrom(const Buffer& bytes) {
  return std::move(*GcmKey::Create(bytes));
}

struct Sealed {
  Buffer bytes;
  Buffer tag;
  bool operator==(const Sealed&) const = default;
};

Sealed Seal(const GcmKey& key, const Buffer& iv, const Buffer& aad,
            const Buffer& plain, size_t tag_bytes = 16) {
  Sealed sealed = {Buffer(plain.size()), Buffer(tag_bytes)};
  EXPECT_TRUE(GcmSeal(key, iv, aad, plain, sealed.bytes, sealed.tag).ok());
  return sealed;
}

// The plaintext, or nothing if the message was rejected.
std::optional<Buffer> Open(const GcmKey& key, const Buffer& iv,
                           const Buffer& aad, const Sealed& sealed) {
  Buffer plain(sealed.bytes.size(), 0xee);
  const Result<bool> opened =
      GcmOpen(key, iv, aad, sealed.bytes, sealed.tag, plain);
  EXPECT_TRUE(opened.ok());
  if (*opened) return plain;
  EXPECT_EQ(plain, Buffer(plain.size(), 0));
  return std::nullopt;
}

struct Row {
  std::string label;
  Buffer key, iv, aad, plain, tag;
  std::string sealed;      // hex, or empty where only the hash is stored
  std::string sealed_sha;  // hex
};

// What the file does not hold is derived from the label.
Row RowFrom(const nlohmann::json& json) {
  Row row;
  row.label = json["label"].get<std::string>();
  const auto field = [&](const char* name, const char* size) {
    const Buffer derived =
        Derived(row.label + "/" + name, json[size].get<size_t>());
    if (json.contains(name)) {
      EXPECT_EQ(FromHex(json[name].get<std::string>()), derived);
    }
    return derived;
  };
  row.key = field("key", "key_len");
  row.iv = field("iv", "iv_len");
  row.aad = field("aad", "aad_len");
  row.plain = field("pt", "pt_len");
  row.tag = FromHex(json["tag"].get<std::string>());
  row.sealed = json.value("ct", "");
  row.sealed_sha = json["ct_sha256"].get<std::string>();
  return row;
}

nlohmann::json Vectors() {
  std::ifstream file(ASSAY_TESTDATA "/binary/aes_gcm.json");
  return nlohmann::json::parse(file);
}

TEST(Gcm, ComputesThePublishedVectorsOnEveryTarget) {
  std::vector<Row> rows;
  const auto vectors = Vectors();
  for (const auto& json : vectors["rows"]) rows.push_back(RowFrom(json));
  ASSERT_EQ(rows.size(), 666u);
  ForEachTarget(RunningTarget, [&] {
    EXPECT_EQ(seal::LanesTarget(), hwy::TargetName(RunningTarget()));
    for (const Row& row : rows) {
      const GcmKey key = KeyFrom(row.key);
      const Sealed sealed = Seal(key, row.iv, row.aad, row.plain);
      EXPECT_EQ(sealed.tag, row.tag) << row.label;
      EXPECT_EQ(ToHex(Sha256Of(sealed.bytes)), row.sealed_sha) << row.label;
      if (!row.sealed.empty()) {
        EXPECT_EQ(ToHex(sealed.bytes), row.sealed);
      }
      EXPECT_EQ(Open(key, row.iv, row.aad, sealed), row.plain) << row.label;
    }
  });
}

TEST(Gcm, CountersWrapInTheirLastFourBytes) {
  const auto rows = Vectors()["counter_wrap"];
  ASSERT_FALSE(rows.empty());
  const auto field = [](const nlohmann::json& row, const char* name) {
    return FromHex(row[name].get<std::string>());
  };
  ForEachTarget(RunningTarget, [&] {
    for (const auto& row : rows) {
      const GcmKey key = KeyFrom(field(row, "key"));
      const Sealed expected = {field(row, "ct"), field(row, "tag")};
      const Sealed sealed =
          Seal(key, field(row, "iv"), field(row, "aad"), field(row, "pt"));
      EXPECT_EQ(sealed, expected);
      EXPECT_EQ(Open(key, field(row, "iv"), field(row, "aad"), expected),
                field(row, "pt"));
    }
  });
}

// Seals and opens in the pieces [0, a), [a, b), [b, end) of each part.
Sealed SealInPieces(const GcmKey& key, const Buffer& iv, const Buffer& aad,
                    const Buffer& plain, size_t a, size_t b) {
  Result<GcmSealer> sealer = GcmSealer::Begin(key, iv);
  const Bytes more = aad;
  const size_t x = std::min(a, aad.size());
  EXPECT_TRUE(sealer->Aad(more.first(x)).ok());
  EXPECT_TRUE(sealer->Aad(more.subspan(x)).ok());
  Sealed sealed = {plain, Buffer(16)};
  const MutableBytes all(sealed.bytes);
  for (const auto part :
       {all.first(a), all.subspan(a, b - a), all.subspan(b)}) {
    EXPECT_TRUE(sealer->Update(part, part).ok());
  }
  EXPECT_TRUE(sealer->Finish(sealed.tag).ok());
  return sealed;
}

Buffer OpenInPieces(const GcmKey& key, const Buffer& iv, const Buffer& aad,
                    const Sealed& sealed, size_t a, size_t b) {
  Result<GcmOpener> opener = GcmOpener::Begin(key, iv);
  EXPECT_TRUE(opener->Aad(aad).ok());
  const Bytes all = sealed.bytes;
  for (const Bytes part :
       {all.first(a), all.subspan(a, b - a), all.subspan(b)}) {
    EXPECT_TRUE(opener->Update(part).ok());
  }
  Buffer plain = {1};
  const Result<bool> opened = opener->Finish(sealed.tag, &plain);
  EXPECT_TRUE(opened.ok() && *opened);
  return plain;
}

TEST(Gcm, PiecesGiveWhatTheWholeGives) {
  const GcmKey key = KeyFrom(Derived("key", 32));
  const Buffer iv = Derived("iv", 12);
  for (size_t size = 0; size <= 100; ++size) {
    const Buffer plain = Derived("plain", size);
    const Buffer aad = Derived("aad", size * 7 % 50);
    const Sealed whole = Seal(key, iv, aad, plain);
    for (size_t a = 0; a <= size; ++a) {
      for (size_t b = a; b <= size; b += a % 3 == 0 ? 1 : 5) {
        ASSERT_EQ(SealInPieces(key, iv, aad, plain, a, b), whole);
        ASSERT_EQ(OpenInPieces(key, iv, aad, whole, a, b), plain);
      }
    }
  }
}

TEST(Gcm, ManyPiecesOfLongMessagesGiveWhatTheWholeGives) {
  std::mt19937 random(1);
  const GcmKey key = KeyFrom(Derived("key", 16));
  const Buffer iv = Derived("iv", 9);
  const Buffer plain = Derived("plain", 20000);
  const Sealed whole = Seal(key, iv, {}, plain);
  for (int round = 0; round < 50; ++round) {
    Result<GcmSealer> sealer = GcmSealer::Begin(key, iv);
    Result<GcmOpener> opener = GcmOpener::Begin(key, iv);
    Sealed sealed = {Buffer(plain.size()), Buffer(16)};
    for (size_t done = 0; done < plain.size();) {
      const size_t size =
          std::min<size_t>(plain.size() - done, random() % 3000);
      ASSERT_TRUE(sealer
                      ->Update(Bytes(plain).subspan(done, size),
                               MutableBytes(sealed.bytes).subspan(done, size))
                      .ok());
      ASSERT_TRUE(opener->Update(Bytes(whole.bytes).subspan(done, size)).ok());
      done += size;
    }
    ASSERT_TRUE(sealer->Finish(sealed.tag).ok());
    EXPECT_EQ(sealed, whole);
    Buffer opened;
    EXPECT_TRUE(*opener->Finish(whole.tag, &opened));
    EXPECT_EQ(opened, plain);
  }
}

TEST(Gcm, AnyChangeIsRejectedAndNothingLeaves) {
  const GcmKey key = KeyFrom(Derived("key", 32));
  const Buffer iv = Derived("iv", 12);
  const Buffer aad = Derived("aad", 20);
  const Buffer plain = Derived("plain", 40);
  const Sealed whole = Seal(key, iv, aad, plain);
  ASSERT_EQ(Open(key, iv, aad, whole), plain);
  const auto flip = [](Buffer bytes, size_t bit) {
    bytes[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    return bytes;
  };
  for (size_t bit = 0; bit < 8 * plain.size(); ++bit) {
    EXPECT_FALSE(Open(key, iv, aad, {flip(whole.bytes, bit), whole.tag}));
  }
  for (size_t bit = 0; bit < 128; ++bit) {
    const Sealed changed = {whole.bytes, flip(whole.tag, bit)};
    EXPECT_FALSE(Open(key, iv, aad, changed));
    Result<GcmOpener> opener = GcmOpener::Begin(key, iv);
    ASSERT_TRUE(opener->Aad(aad).ok());
    ASSERT_TRUE(opener->Update(changed.bytes).ok());
    Buffer opened = {1, 2, 3};
    EXPECT_FALSE(*opener->Finish(changed.tag, &opened));
    EXPECT_TRUE(opened.empty());
  }
  for (size_t bit = 0; bit < 8 * aad.size(); ++bit) {
    EXPECT_FALSE(Open(key, iv, flip(aad, bit), whole));
  }
  for (size_t bit = 0; bit < 96; ++bit) {
    EXPECT_FALSE(Open(key, flip(iv, bit), aad, whole));
  }
  for (size_t bit = 0; bit < 256; ++bit) {
    EXPECT_FALSE(Open(KeyFrom(flip(Derived("key", 32), bit)), iv, aad, whole));
  }
  // Bytes moved between AAD and message.
  Buffer longer = aad;
  longer.push_back(whole.bytes[0]);
  EXPECT_FALSE(
      Open(key, iv, longer,
           {Buffer(whole.bytes.begin() + 1, whole.bytes.end()), whole.tag}));
}

TEST(Gcm, ShorterTagsArePrefixes) {
  const GcmKey key = KeyFrom(Derived("key", 32));
  const Buffer iv = Derived("iv", 12);
  const Buffer plain = Derived("plain", 33);
  const Sealed whole = Seal(key, iv, {}, plain);
  for (size_t size = 12; size <= 16; ++size) {
    const Sealed sealed = Seal(key, iv, {}, plain, size);
    EXPECT_EQ(sealed.tag, Buffer(whole.tag.begin(),
                                 whole.tag.begin() + static_cast<int>(size)));
    EXPECT_EQ(Open(key, iv, {}, sealed), plain);
  }
}

TEST(Gcm, AMessageHasOneTag) {
  const auto key = std::move(*GcmKey::Create(Buffer(16, 1)));
  const Buffer iv(12, 2);
  GcmSealer sealer = std::move(*GcmSealer::Begin(key, iv));
  Buffer data(20, 3), tag(16), second(16);
  ASSERT_TRUE(sealer.Update(data, data).ok());
  ASSERT_TRUE(sealer.Finish(tag).ok());
  EXPECT_EQ(sealer.Finish(second).error().code, Code::kInvalidInput);
  EXPECT_EQ(second, Buffer(16));
  EXPECT_EQ(sealer.Update(data, data).error().code, Code::kInvalidInput);
  EXPECT_EQ(sealer.Aad(data).error().code, Code::kInvalidInput);

  GcmOpener opener = std::move(*GcmOpener::Begin(key, iv));
  ASSERT_TRUE(opener.Update(data).ok());
  Buffer plain;
  ASSERT_TRUE(*opener.Finish(tag, &plain));
  EXPECT_EQ(plain, Buffer(20, 3));
  EXPECT_EQ(opener.Finish(tag, &plain).error().code, Code::kInvalidInput);
  EXPECT_TRUE(plain.empty());
  EXPECT_EQ(opener.Update(data).error().code, Code::kInvalidInput);
}

TEST(Gcm, RefusesWhatTheStandardDoesNotHave) {
  for (const size_t size : {0, 15, 17, 31, 33, 64}) {
    const Result<GcmKey> key = GcmKey::Create(Buffer(size));
    ASSERT_FALSE(key.ok());
    EXPECT_EQ(key.error().code, Code::kInvalidInput);
  }
  const GcmKey key = KeyFrom(Buffer(16));
  const Buffer iv(12);
  Buffer out(4, 7);
  Buffer tag(16);
  EXPECT_FALSE(GcmSeal(key, {}, {}, Buffer(4), out, tag).ok());
  EXPECT_FALSE(GcmOpen(key, {}, {}, Buffer(4), tag, out).ok());
  EXPECT_FALSE(GcmSealer::Begin(key, {}).ok());
  EXPECT_FALSE(GcmOpener::Begin(key, {}).ok());
  for (const size_t size : {0, 4, 8, 11, 17}) {
    Buffer other(size);
    EXPECT_FALSE(GcmSeal(key, iv, {}, Buffer(4), out, other).ok());
    EXPECT_FALSE(GcmOpen(key, iv, {}, Buffer(4), other, out).ok());
  }
  EXPECT_FALSE(GcmSeal(key, iv, {}, Buffer(5), out, tag).ok());
  EXPECT_FALSE(GcmOpen(key, iv, {}, Buffer(3), tag, out).ok());
  EXPECT_EQ(out, Buffer(4, 7));
  // Sizes beyond the limits, of memory that is never read.
  const Bytes huge(out.data(), kMaxGcmDataBytes + 1);
  EXPECT_FALSE(
      GcmSeal(key, iv, {}, huge, MutableBytes(out.data(), huge.size()), tag)
          .ok());
  const Bytes huge_aad(out.data(), kMaxGcmAadBytes + 1);
  EXPECT_FALSE(GcmSeal(key, iv, huge_aad, Buffer(4), out, tag).ok());
  EXPECT_FALSE(GcmSeal(key, huge_aad, {}, Buffer(4), out, tag).ok());
  Result<GcmSealer> sealer = GcmSealer::Begin(key, iv);
  EXPECT_FALSE(sealer->Aad(huge_aad).ok());
  EXPECT_TRUE(sealer->Update(Buffer(4), out).ok());
  EXPECT_FALSE(sealer->Aad(Buffer(1)).ok());
  const Bytes rest(out.data(), kMaxGcmDataBytes - 3);
  EXPECT_FALSE(
      sealer->Update(rest, MutableBytes(out.data(), rest.size())).ok());
}

}  // namespace
}  // namespace binary
}  // namespace assay
#endif  // HWY_ONCE
