// Laws of the seeds: those of the peer, and no two alike.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/seeds.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "assay/whir/test_vectors.h"

namespace assay::whir {
namespace {

std::string Line(const nlohmann::json& separator) {
  std::string line = "o";
  for (const auto& x : separator["absorbed"]) {
    line += fmt::format(" {}", x.get<uint32_t>());
  }
  return line;
}

// Separators of the vectors whose name starts so, by the line they log.
std::set<std::string> Lines(const std::string& start) {
  const auto vectors = ReadVectors("domain_separators.json");
  std::set<std::string> lines;
  for (const auto& separator : vectors["separators"]) {
    if (separator["name"].get<std::string>().rfind(start, 0) == 0) {
      lines.insert(Line(separator));
    }
  }
  return lines;
}

Schedule ScheduleOf(const char* proof) {
  return *Derive(DecodeHeader(ReadProofBytes(proof))->parameters);
}

TEST(Seeds, WhirSeedsAreThePeers) {
  std::set<std::string> absorbed;
  for (const char* name : kTracedProofs) {
    TranscriptLog log;
    DuplexChallenger challenger(&log);
    Seeds(ScheduleOf(name)).Whir(challenger);
    ASSERT_EQ(log.size(), 1u);
    absorbed.insert(log[0]);
  }
  EXPECT_EQ(absorbed, Lines("whir "));
}

TEST(Seeds, SumcheckSeedsAreThePeers) {
  const Seeds seeds(ScheduleOf("n8_f2_given"));
  std::set<std::string> absorbed;
  for (const auto& [rounds, pow] :
       {std::pair(4, 0), std::pair(4, 3), std::pair(1, 0), std::pair(6, 0)}) {
    TranscriptLog log;
    DuplexChallenger challenger(&log);
    seeds.Sumcheck(challenger, rounds, pow);
    absorbed.insert(log[0]);
  }
  EXPECT_EQ(absorbed, Lines("sumcheck "));
}

TEST(Seeds, NoRoundsAbsorbNothing) {
  TranscriptLog log;
  DuplexChallenger challenger(&log);
  Seeds(ScheduleOf("n8_f2_given")).Sumcheck(challenger, 0, 5);
  EXPECT_TRUE(log.empty());
}

TEST(Seeds, PartsAndOrdersAndModesDiffer) {
  Schedule schedule = ScheduleOf("n8_f2_given");
  std::set<std::string> absorbed;
  const auto absorb = [&](auto part) {
    TranscriptLog log;
    DuplexChallenger challenger(&log);
    (Seeds(schedule).*part)(challenger);
    absorbed.insert(log[0]);
  };
  absorb(&Seeds::Commit);
  absorb(&Seeds::Ood);
  absorb(&Seeds::Open);
  absorb(&Seeds::Whir);
  absorb(&Seeds::Batch);
  EXPECT_EQ(absorbed.size(), 5u);
  schedule.parameters.mode = Mode::kDrawn;
  absorb(&Seeds::Open);
  EXPECT_EQ(absorbed.size(), 6u);
  schedule.parameters.order = Order::kSuffix;
  absorb(&Seeds::Ood);
  absorb(&Seeds::Open);
  absorb(&Seeds::Batch);
  EXPECT_EQ(absorbed.size(), 9u);
}

}  // namespace
}  // namespace assay::whir
