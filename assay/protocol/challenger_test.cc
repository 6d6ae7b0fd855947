// Laws of the duplex challenger.
// SPDX-License-Identifier: Apache-2.0
#include "assay/protocol/challenger.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

namespace assay {
namespace {

// Replays a line of the vectors and expects the values it names.
void Replay(DuplexChallenger& challenger, const std::string& line) {
  std::istringstream words(line);
  char operation = 0;
  words >> operation;
  uint32_t first = 0;
  words >> first;
  uint32_t second = 0;
  switch (operation) {
    case 'o':
      do challenger.Observe(BabyBear::From(first));
      while (words >> first);
      break;
    case 's':
      do EXPECT_EQ(challenger.Sample().Canonical(), first);
      while (words >> first);
      break;
    case 'b':
      words >> second;
      EXPECT_EQ(challenger.Sample().Canonical() & ((1u << first) - 1), second);
      break;
    case 'u':
      words >> second;
      EXPECT_EQ(challenger.SampleUniformBits(static_cast<int>(first)), second);
      break;
    case 'g':
      words >> second;
      EXPECT_TRUE(challenger.CheckWitness(static_cast<int>(first),
                                          BabyBear::From(second)));
      break;
    default: FAIL() << line;
  }
}

TEST(DuplexChallenger, ReplaysThePeersRun) {
  std::ifstream file(ASSAY_TESTDATA "/whir/challenger.json");
  const auto vectors = nlohmann::json::parse(file);
  DuplexChallenger challenger;
  for (const auto& line : vectors["ops"]) {
    Replay(challenger, line.get<std::string>());
  }
  // What is left to read comes from the end of the peer's buffer.
  const auto left = vectors["output_buffer"].get<std::vector<uint32_t>>();
  for (size_t i = left.size(); i-- > 0;) {
    EXPECT_EQ(challenger.Sample().Canonical(), left[i]);
  }
}

TEST(DuplexChallenger, ExtensionElementsAreFourBaseElements) {
  DuplexChallenger a;
  DuplexChallenger b;
  const Ext4 x = {{BabyBear::From(1), BabyBear::From(2), BabyBear::From(3),
                   BabyBear::From(4)}};
  a.Observe(x);
  for (const BabyBear c : x.c) b.Observe(c);
  const Ext4 sampled = a.SampleExt();
  for (const BabyBear c : sampled.c) EXPECT_EQ(c, b.Sample());
}

TEST(DuplexChallenger, ObservingForgetsUnreadSamples) {
  DuplexChallenger challenger;
  challenger.Sample();
  DuplexChallenger other = challenger;
  EXPECT_EQ(challenger.Sample(), other.Sample());
  challenger.Observe(BabyBear::One());
  EXPECT_FALSE(challenger.Sample() == other.Sample());
}

TEST(DuplexChallenger, NoGrindingAbsorbsNothingAndAsksForZero) {
  DuplexChallenger challenger;
  DuplexChallenger untouched;
  EXPECT_TRUE(challenger.CheckWitness(0, BabyBear::Zero()));
  EXPECT_FALSE(challenger.CheckWitness(0, BabyBear::One()));
  EXPECT_EQ(challenger.SampleUniformBits(0), 0u);
  EXPECT_EQ(challenger.Sample(), untouched.Sample());
}

// For each fill of the input buffer, with and without unread samples.
TEST(DuplexChallenger, WitnessesAreThoseOfTheGrindState) {
  constexpr int kBits = 3;
  for (uint32_t observed = 0; observed < 17; ++observed) {
    DuplexChallenger challenger;
    challenger.Sample();
    for (uint32_t i = 0; i < observed; ++i) {
      challenger.Observe(BabyBear::From(i));
    }
    const DuplexChallenger::GrindState grind = challenger.PrepareGrind();
    for (uint32_t w = 0; w < 32; ++w) {
      poseidon2::State state = grind.state;
      state[static_cast<size_t>(grind.position)] = BabyBear::From(w);
      poseidon2::Permute(state);
      const bool found = (state[7].Canonical() & ((1u << kBits) - 1)) == 0;
      DuplexChallenger copy = challenger;
      EXPECT_EQ(copy.CheckWitness(kBits, BabyBear::From(w)), found);
    }
  }
}

TEST(DuplexChallenger, LogsRunsAsLines) {
  TranscriptLog log;
  DuplexChallenger challenger(&log);
  challenger.Observe(BabyBear::From(5));
  challenger.Observe(Ext4::One());
  const uint32_t first = challenger.Sample().Canonical();
  const uint32_t second = challenger.Sample().Canonical();
  const uint32_t bits = challenger.SampleUniformBits(4);
  challenger.SampleUniformBits(0);
  challenger.CheckWitness(0, BabyBear::Zero());
  challenger.CheckWitness(1, BabyBear::From(7));
  challenger.Observe(BabyBear::Zero());
  const TranscriptLog expected = {
      "o 5 1 0 0 0",
      "s " + std::to_string(first) + " " + std::to_string(second),
      "u 4 " + std::to_string(bits), "g 1 7", "o 0"};
  EXPECT_EQ(log, expected);
}

}  // namespace
}  // namespace assay
