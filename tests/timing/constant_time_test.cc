// Times sealing and opening under inputs that must make no difference.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <array>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "assay/base/secret.h"
#include "assay/binary/gcm.h"
#include "assay/ops/seal/gcm_lanes.h"
#include "tests/timing/welch.h"

namespace assay {
namespace {

using timing::kSlots;
using Random = std::mt19937_64;
using Tag = std::array<uint8_t, 16>;

constexpr double kSeconds = 0.15;

void Fill(std::span<uint8_t> bytes, bool fixed, Random& random) {
  for (uint8_t& byte : bytes) {
    byte = fixed ? uint8_t{0} : static_cast<uint8_t>(random());
  }
}

// Wrong tags: the fixed one in its last byte alone, the random ones in their
// first byte.
void FillTag(const Tag& right, Tag& tag, bool fixed, Random& random) {
  tag = right;
  tag[15] ^= 1;
  if (fixed) return;
  for (uint8_t& byte : tag) byte = static_cast<uint8_t>(random());
  tag[0] = static_cast<uint8_t>(right[0] ^ (1 + random() % 255));
}

// The times of instrumented code say nothing about the code that is shipped.
class ConstantTime : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__)
    GTEST_SKIP() << "instrumented";
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
    GTEST_SKIP() << "instrumented";
#endif
#endif
  }
};

// Measures up to three times: a leak shows each time, a disturbance does not.
template <class Prepare, class Call>
bool Leaks(const std::string& what, const Prepare& prepare, const Call& call) {
  for (uint64_t seed = 1; seed <= 3; ++seed) {
    const timing::Leak leak = timing::Measure(kSeconds, seed, prepare, call);
    std::printf("t = %7.2f over %6zu calls: %s\n", leak.t, leak.calls,
                what.c_str());
    if (leak.t <= timing::kMostT) return false;
  }
  return true;
}

// The plain loop that everybody writes first.
__attribute__((noinline)) bool LeakyEqual(const Tag& a, const Tag& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

// Keeps a result from being left out.
void Use(bool value) { __asm__ __volatile__("" : : "r"(value)); }

// Runs `body` with each vector target of this machine, the scalar one too
// where the build has it.
void ForEachLanes(const std::function<void(const std::string&)>& body) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    ASSERT_EQ(seal::LanesTarget(), hwy::TargetName(target));
    body(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(0);
  }
}

// More than the largest group of vectors; little where it is slow.
size_t MessageBytes(const std::string& target) {
  const bool slow =
      target == "SCALAR" || target == "EMU128" || target == "SSE2";
  return slow ? 80 : 1040;
}

// One cipher under fixed and random messages, then under such keys.
using Crypt =
    std::function<void(const seal::Key&, seal::Stream&, std::span<uint8_t>)>;
void ExpectConstantTime(const std::string& what, size_t bytes,
                        const Crypt& crypt) {
  std::vector<uint8_t> messages(kSlots * bytes, 0);
  const auto message = [&](size_t slot) {
    return std::span(messages).subspan(slot * bytes, bytes);
  };
  std::vector<uint8_t> secret(32, 7);
  const auto key = std::make_unique<seal::Key>(seal::ExpandKey(secret));
  EXPECT_FALSE(Leaks(
      what + ", messages",
      [&](size_t slot, bool fixed, Random& random) {
        Fill(message(slot), fixed, random);
      },
      [&](size_t slot) {
        seal::Stream stream = {};
        crypt(*key, stream, message(slot));
      }));

  std::vector<seal::Key> keys(kSlots, *key);
  EXPECT_FALSE(Leaks(
      what + ", keys",
      [&](size_t slot, bool fixed, Random& random) {
        Fill(secret, fixed, random);
        keys[slot] = seal::ExpandKey(secret);
      },
      [&](size_t slot) {
        seal::Stream stream = {};
        crypt(keys[slot], stream, message(slot));
      }));
}

// A test that could not fail would say nothing.
TEST_F(ConstantTime, ALeakyComparisonIsCaught) {
  const Tag right = {};
  std::vector<Tag> tags(kSlots);
  EXPECT_TRUE(Leaks(
      "a comparison that ends at the first difference",
      [&](size_t slot, bool fixed, Random& random) {
        FillTag(right, tags[slot], fixed, random);
      },
      [&](size_t slot) { Use(LeakyEqual(right, tags[slot])); }));
}

TEST_F(ConstantTime, TagsAreComparedWithoutRegardToWhereTheyDiffer) {
  const Tag right = {};
  std::vector<Tag> tags(kSlots);
  EXPECT_FALSE(Leaks(
      "EqualInConstantTime",
      [&](size_t slot, bool fixed, Random& random) {
        FillTag(right, tags[slot], fixed, random);
      },
      [&](size_t slot) { Use(EqualInConstantTime(right, tags[slot])); }));
}

TEST_F(ConstantTime, OpeningRefusesWrongTagsAlike) {
  const std::vector<uint8_t> secret(32, 3), iv(12, 5), plain(64, 7);
  const auto key = std::move(*binary::GcmKey::Create(secret));
  std::vector<uint8_t> sealed(plain.size()), out(plain.size());
  Tag right = {};
  ASSERT_TRUE(binary::GcmSeal(key, iv, {}, plain, sealed, right).ok());
  std::vector<Tag> tags(kSlots);
  ForEachLanes([&](const std::string& target) {
    EXPECT_FALSE(Leaks(
        "GcmOpen, wrong tags, " + target,
        [&](size_t slot, bool fixed, Random& random) {
          FillTag(right, tags[slot], fixed, random);
        },
        [&](size_t slot) {
          Use(*binary::GcmOpen(key, iv, {}, sealed, tags[slot], out));
        }));
  });
}

TEST_F(ConstantTime, SealingDependsOnLengthsAlone) {
  ForEachLanes([](const std::string& target) {
    ExpectConstantTime("EncryptLanes, " + target, MessageBytes(target),
                       [](const seal::Key& key, seal::Stream& stream,
                          std::span<uint8_t> bytes) {
                         seal::EncryptLanes(key, stream, bytes.data(),
                                            bytes.data(), bytes.size());
                       });
  });
}

TEST_F(ConstantTime, DecryptionDependsOnLengthsAlone) {
  ForEachLanes([](const std::string& target) {
    ExpectConstantTime("DecryptLanes, " + target, MessageBytes(target),
                       [](const seal::Key& key, seal::Stream& stream,
                          std::span<uint8_t> bytes) {
                         seal::DecryptLanes(key, stream, bytes.data(),
                                            bytes.data(), bytes.size());
                       });
  });
}

// What serves where a processor has no instructions for it.
TEST_F(ConstantTime, ThePortableFormDependsOnLengthsAlone) {
  ExpectConstantTime(
      "portable seal::Encrypt", 80,
      [](const seal::Key& key, seal::Stream& stream, std::span<uint8_t> bytes) {
        seal::Encrypt(key, stream, bytes, bytes);
      });
}

TEST_F(ConstantTime, KeysAreExpandedAlike) {
  std::vector<std::array<uint8_t, 32>> secrets(kSlots);
  auto key = std::make_unique<seal::Key>();
  EXPECT_FALSE(Leaks(
      "ExpandKey",
      [&](size_t slot, bool fixed, Random& random) {
        Fill(secrets[slot], fixed, random);
      },
      [&](size_t slot) { *key = seal::ExpandKey(secrets[slot]); }));
}

}  // namespace
}  // namespace assay
