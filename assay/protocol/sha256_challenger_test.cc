// The challenger against scripts of binius64, and against its closed form.
// SPDX-License-Identifier: Apache-2.0
#include "assay/protocol/sha256_challenger.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "assay/base/split_mix.h"

namespace assay {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes FromHex(const std::string& text) {
  Bytes bytes;
  for (size_t i = 0; i < text.size(); i += 2) {
    bytes.push_back(
        static_cast<uint8_t>(std::stoul(text.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

Bytes RandomBytes(uint64_t seed, size_t count) {
  Bytes bytes(count);
  for (size_t i = 0; i < count; ++i) {
    bytes[i] = static_cast<uint8_t>(SplitMix64(seed, i));
  }
  return bytes;
}

Bytes SampleOf(Sha256Challenger& challenger, size_t count) {
  Bytes bytes(count);
  challenger.Sample(bytes);
  return bytes;
}

TEST(Sha256Challenger, ScriptsOfThePeer) {
  std::ifstream file(ASSAY_TESTDATA "/binary/challenger.json");
  ASSERT_TRUE(file.good());
  size_t samples = 0;
  for (const auto& script : nlohmann::json::parse(file)) {
    Sha256Challenger challenger;
    for (const auto& step : script) {
      if (step.contains("observe")) {
        challenger.Observe(FromHex(step["observe"].get<std::string>()));
        continue;
      }
      for (const auto& expected : step["sample"]) {
        const Bytes bytes = FromHex(expected.get<std::string>());
        EXPECT_EQ(SampleOf(challenger, bytes.size()), bytes);
        ++samples;
      }
    }
  }
  EXPECT_GE(samples, 20u);
}

// A device that plays the sum-check hashes by this form: one digest a round,
// of the last digest, the position of the sample and the message.
TEST(Sha256Challenger, TheClosedFormOfTheSumcheckIsTheSame) {
  for (size_t d = 1; d <= 6; ++d) {
    const Bytes statement = RandomBytes(d, 80);
    Sha256Challenger challenger;
    challenger.Observe(statement);
    Sha256Hash digest = Sha256Of({});
    for (uint64_t round = 0; round < 4; ++round) {
      const Bytes message = RandomBytes(10 * d + round, 16 * d);
      challenger.Observe(message);
      Sha256 hash;
      hash.Update(digest);
      const Bytes position = {
          static_cast<uint8_t>(round == 0 ? 0 : 16), 0, 0, 0, 0, 0, 0, 0};
      hash.Update(position);
      if (round == 0) hash.Update(statement);
      hash.Update(message);
      digest = hash.Finish();
      EXPECT_EQ(SampleOf(challenger, 16),
                Bytes(digest.begin(), digest.begin() + 16));
    }
  }
}

TEST(Sha256Challenger, SamplesComeInAnyPieces) {
  Sha256Challenger whole;
  const Bytes seen = RandomBytes(1, 100);
  whole.Observe(seen);
  const Bytes all = SampleOf(whole, 150);
  for (const size_t piece : {1, 7, 16, 31, 32, 33, 64}) {
    Sha256Challenger parts;
    parts.Observe(seen);
    Bytes joined;
    while (joined.size() < all.size()) {
      const Bytes more =
          SampleOf(parts, std::min(piece, all.size() - joined.size()));
      joined.insert(joined.end(), more.begin(), more.end());
    }
    EXPECT_EQ(joined, all) << piece;
  }
}

TEST(Sha256Challenger, ObservationsConcatenateAndEveryByteCounts) {
  const Bytes seen = RandomBytes(2, 48);
  Sha256Challenger whole;
  whole.Observe(seen);
  Sha256Challenger parts;
  parts.Observe(std::span(seen).first(5));
  parts.Observe(std::span(seen).subspan(5));
  const Bytes sample = SampleOf(whole, 16);
  EXPECT_EQ(SampleOf(parts, 16), sample);
  for (size_t i = 0; i < seen.size(); ++i) {
    Bytes other = seen;
    other[i] ^= 1;
    Sha256Challenger changed;
    changed.Observe(other);
    EXPECT_NE(SampleOf(changed, 16), sample) << i;
  }
}

TEST(Sha256Challenger, TheNumberOfSamplesCounts) {
  const Bytes seen = RandomBytes(3, 16);
  Bytes samples[2];
  for (size_t taken = 0; taken < 2; ++taken) {
    Sha256Challenger challenger;
    challenger.Observe(seen);
    SampleOf(challenger, 8 + 8 * taken);
    challenger.Observe(seen);
    samples[taken] = SampleOf(challenger, 16);
  }
  EXPECT_NE(samples[0], samples[1]);
}

}  // namespace
}  // namespace assay
