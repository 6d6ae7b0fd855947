// Laws of the verifier, on the peer's proofs.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/verify.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "assay/protocol/multilinear.h"
#include "assay/whir/instance.h"
#include "assay/whir/test_vectors.h"

namespace assay::whir {
namespace {

struct Loaded {
  ProofFile file;
  Schedule schedule;
  std::vector<Point> points;
};

Loaded Load(const std::string& name) {
  const ProofFile file = *Decode(ReadProofBytes(name));
  return {file, *Derive(file.parameters), HeaderPoints(file)};
}

class PeerProofs : public testing::TestWithParam<const char*> {};

TEST_P(PeerProofs, AreAcceptedWithThePeersTranscript) {
  const Loaded loaded = Load(GetParam());
  TranscriptLog log;
  const Verdict verdict =
      Verify(loaded.schedule, loaded.points, loaded.file.proof, &log);
  EXPECT_TRUE(verdict.accepted) << verdict.check << ": " << verdict.detail;
  EXPECT_EQ(verdict.check, "");
  const auto trace = ReadVectors(std::string("trace_") + GetParam() + ".json");
  EXPECT_EQ(log, trace["transcript"].get<TranscriptLog>());
}

TEST_P(PeerProofs, ClaimTheInstancesValues) {
  const Loaded loaded = Load(GetParam());
  if (loaded.file.parameters.mode == Mode::kDrawn) return;
  const auto evals = SeedEvals(loaded.file.seed, loaded.file.parameters.n);
  ASSERT_EQ(loaded.file.proof.evals.size(), loaded.points.size());
  for (size_t e = 0; e < loaded.points.size(); ++e) {
    EXPECT_EQ(loaded.file.proof.evals[e], EvalBase(evals, loaded.points[e]));
  }
}

TEST_P(PeerProofs, OfOtherPointsAreRejected) {
  Loaded loaded = Load(GetParam());
  if (loaded.file.parameters.mode == Mode::kDrawn) {
    loaded.points = SeedPoints(7, loaded.file.parameters.n, 2);
  } else {
    loaded.points.back().back().c[3] += BabyBear::One();
  }
  EXPECT_FALSE(
      Verify(loaded.schedule, loaded.points, loaded.file.proof).accepted);
}

INSTANTIATE_TEST_SUITE_P(Vectors, PeerProofs, testing::ValuesIn(kTracedProofs),
                         [](const auto& test) {
                           return std::string(test.param);
                         });

TEST(Verify, AcceptsTheSmallProofs) {
  for (const char* name : kSmallProofs) {
    const Verdict verdict = VerifyFile(ReadProofBytes(name));
    EXPECT_TRUE(verdict.accepted) << name << verdict.check;
  }
}

TEST(Verify, RejectsUnderOtherParameters) {
  const Loaded loaded = Load("n9_f2_fold_grind");
  const auto rejected = [&](void (*change)(Parameters&)) {
    Parameters parameters = loaded.file.parameters;
    change(parameters);
    return !Verify(*Derive(parameters), loaded.points, loaded.file.proof)
                .accepted;
  };
  EXPECT_FALSE(rejected([](Parameters&) {}));
  EXPECT_TRUE(rejected([](Parameters& p) { p.order = Order::kSuffix; }));
  EXPECT_TRUE(rejected([](Parameters& p) { p.mode = Mode::kDrawn; }));
  EXPECT_TRUE(rejected([](Parameters& p) { p.pow = 13; }));
  EXPECT_TRUE(rejected([](Parameters& p) { p.security = 107; }));
  EXPECT_TRUE(rejected([](Parameters& p) { p.reduction = 2; }));
  EXPECT_TRUE(rejected([](Parameters& p) { p.fold = 3; }));
}

using Spoil = void (*)(Proof&);

// Each spoiled proof, and a word of the check that has to find it.
TEST(Verify, NamesTheCheckThatFailed) {
  const std::pair<const char*, Spoil> cases[] = {
      {"initial out-of-domain answers",
       [](Proof& p) { p.initial_ood_answers.pop_back(); }},
      {"claimed values", [](Proof& p) { p.evals.clear(); }},
      {"initial sum-check",
       [](Proof& p) { p.initial_sumcheck.messages.pop_back(); }},
      {"initial sum-check",
       [](Proof& p) { p.initial_sumcheck.witnesses.clear(); }},
      {"rounds", [](Proof& p) { p.rounds.clear(); }},
      {"out-of-domain answers of round 0",
       [](Proof& p) { p.rounds[0].ood_answers.clear(); }},
      {"queries of round 0",
       [](Proof& p) { p.rounds[0].opening.extension = true; }},
      {"queries of round 0",
       [](Proof& p) { p.rounds[0].opening.row_elements = 8; }},
      {"queries of round 0",
       [](Proof& p) { p.rounds[0].opening.rows.pop_back(); }},
      {"queries of round 0",
       [](Proof& p) { p.rounds[0].opening.siblings.pop_back(); }},
      {"queries of round 0",
       [](Proof& p) {
         auto& siblings = p.rounds[0].opening.siblings;
         siblings.push_back(siblings.front());
       }},
      {"queries of round 0",
       [](Proof& p) { p.rounds[0].opening.rows[5] += BabyBear::One(); }},
      {"sum-check of round 0",
       [](Proof& p) { p.rounds[0].sumcheck.messages.clear(); }},
      {"final polynomial", [](Proof& p) { p.final_poly.pop_back(); }},
      {"final queries", [](Proof& p) { p.final_opening.extension = false; }},
      {"final queries", [](Proof& p) { p.final_opening.rows.clear(); }},
      {"final sum-check", [](Proof& p) { p.has_final_sumcheck = false; }},
      {"final claim",
       [](Proof& p) {
         p.final_sumcheck.messages.back().leading += Ext4::One();
       }},
      {"grinding",
       [](Proof& p) { p.rounds[0].pow_witness += BabyBear::One(); }},
      {"final grinding",
       [](Proof& p) { p.final_pow_witness += BabyBear::One(); }},
      {"commitment",
       [](Proof& p) { p.commitment[2].residue = BabyBear::kPrime; }},
      {"queries of round 0",
       [](Proof& p) { p.rounds[0].opening.rows[0].residue = ~0u; }},
      {"final grinding", [](Proof& p) { p.final_pow_witness.residue = ~0u; }},
  };
  const Loaded loaded = Load("n9_f2_fold_grind");
  for (const auto& [check, spoil] : cases) {
    Proof proof = loaded.file.proof;
    spoil(proof);
    const Verdict verdict = Verify(loaded.schedule, loaded.points, proof);
    EXPECT_FALSE(verdict.accepted) << check;
    EXPECT_NE(verdict.check.find(check), std::string::npos)
        << verdict.check << " in the place of " << check;
    EXPECT_FALSE(verdict.detail.empty());
  }
}

TEST(Verify, ChecksTheNumberAndSizeOfPoints) {
  Loaded loaded = Load("n8_f2_given");
  EXPECT_EQ(Verify(loaded.schedule, {}, loaded.file.proof).check, "points");
  loaded.points[0].pop_back();
  EXPECT_EQ(Verify(loaded.schedule, loaded.points, loaded.file.proof).check,
            "points");
}

TEST(Verify, RejectsEmptyAndForeignProofs) {
  const Loaded loaded = Load("n8_f2_given");
  EXPECT_FALSE(Verify(loaded.schedule, loaded.points, Proof{}).accepted);
  const Loaded other = Load("n9_f3_jb");
  EXPECT_FALSE(
      Verify(loaded.schedule, loaded.points, other.file.proof).accepted);
}

}  // namespace
}  // namespace assay::whir
