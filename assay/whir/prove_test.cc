// The prover against the peer's proofs, its plan and its own verifier.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/prove.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "assay/whir/instance.h"
#include "assay/whir/test_vectors.h"

namespace assay::whir {
namespace {

std::unique_ptr<Runtime> OpenCpu(int threads = 1, uint64_t memory = 0) {
  Result<std::unique_ptr<Runtime>> runtime =
      Runtime::Open({"cpu", threads, memory});
  EXPECT_TRUE(runtime.ok());
  return std::move(*runtime);
}

// The proof of a seed's instance, as a file.
std::vector<std::byte> ProveSeed(Runtime& runtime, const Parameters& parameters,
                                 uint64_t seed, const ProveContext& context) {
  const Result<Plan> plan = MakePlan(parameters, UINT64_MAX);
  EXPECT_TRUE(plan.ok());
  if (!plan.ok()) return {};
  std::vector<Point> points;
  if (parameters.mode == Mode::kGiven) {
    points = SeedPoints(seed, parameters.n, parameters.points);
  }
  Result<Proof> proof =
      Prove(runtime, *plan, SeedEvals(seed, parameters.n), points, context);
  EXPECT_TRUE(proof.ok()) << (proof.ok() ? "" : proof.error().what);
  if (!proof.ok()) return {};
  return Encode({parameters, seed, std::move(*proof)});
}

// The witnesses of a proof in the order of its transcript.
std::vector<BabyBear> Witnesses(const Schedule& schedule, const Proof& proof) {
  std::vector<BabyBear> all;
  const auto phase = [&](const SumcheckPart& part) {
    all.insert(all.end(), part.witnesses.begin(), part.witnesses.end());
  };
  phase(proof.initial_sumcheck);
  for (size_t i = 0; i < proof.rounds.size(); ++i) {
    if (schedule.rounds[i].pow > 0) all.push_back(proof.rounds[i].pow_witness);
    phase(proof.rounds[i].sumcheck);
  }
  if (schedule.final.pow > 0) all.push_back(proof.final_pow_witness);
  phase(proof.final_sumcheck);
  return all;
}

// Two of the peer's proofs were made by several threads, which do not look
// for the smallest witness: theirs are given to the prover.
TEST(Prove, RemakesThePeersProofsByteForByte) {
  const std::unique_ptr<Runtime> runtime = OpenCpu();
  int with_smallest_witnesses = 0;
  for (const char* name : kTracedProofs) {
    const std::vector<std::byte> bytes = ReadProofBytes(name);
    const Result<ProofFile> file = Decode(bytes);
    ASSERT_TRUE(file.ok()) << name;
    const Result<Schedule> schedule = Derive(file->parameters);
    ASSERT_TRUE(schedule.ok()) << name;
    const std::vector<BabyBear> witnesses = Witnesses(*schedule, file->proof);
    ProveContext context;
    context.witnesses = &witnesses;
    // Not EXPECT_EQ: it would print the bytes.
    EXPECT_TRUE(ProveSeed(*runtime, file->parameters, file->seed, context) ==
                bytes)
        << name;
    with_smallest_witnesses +=
        ProveSeed(*runtime, file->parameters, file->seed, {}) == bytes ? 1 : 0;
  }
  EXPECT_GE(with_smallest_witnesses, 10);
}

TEST(Prove, AWrongWitnessIsNotBelieved) {
  const std::unique_ptr<Runtime> runtime = OpenCpu();
  const Result<ProofFile> file = Decode(ReadProofBytes("n8_f2_given"));
  ASSERT_TRUE(file.ok());
  const Result<Plan> plan = MakePlan(file->parameters, UINT64_MAX);
  ASSERT_TRUE(plan.ok());
  const std::vector<BabyBear> none;
  ProveContext context;
  context.witnesses = &none;
  const Result<Proof> proof =
      Prove(*runtime, *plan, SeedEvals(file->seed, 8),
            SeedPoints(file->seed, 8, file->parameters.points), context);
  ASSERT_FALSE(proof.ok());
  EXPECT_EQ(proof.error().code, Code::kUntrusted);
}

TEST(Prove, PlaysThePeersTranscript) {
  const std::unique_ptr<Runtime> runtime = OpenCpu();
  for (const char* name : kTracedProofs) {
    const Result<ProofFile> file = Decode(ReadProofBytes(name));
    ASSERT_TRUE(file.ok()) << name;
    TranscriptLog log;
    const Result<Schedule> schedule = Derive(file->parameters);
    ASSERT_TRUE(schedule.ok()) << name;
    const std::vector<BabyBear> witnesses = Witnesses(*schedule, file->proof);
    ProveContext context;
    context.log = &log;
    context.witnesses = &witnesses;
    ProveSeed(*runtime, file->parameters, file->seed, context);
    const nlohmann::json trace =
        ReadVectors(std::string("trace_") + name + ".json");
    EXPECT_TRUE(nlohmann::json(log) == trace["transcript"]) << name;
  }
}

TEST(Prove, ThreadsDoNotChangeTheProof) {
  Parameters parameters;
  parameters.n = 14;
  parameters.points = 2;
  const std::unique_ptr<Runtime> one = OpenCpu(1);
  const std::vector<std::byte> expected = ProveSeed(*one, parameters, 5, {});
  for (const int threads : {2, 3, 5}) {
    const std::unique_ptr<Runtime> runtime = OpenCpu(threads);
    EXPECT_TRUE(ProveSeed(*runtime, parameters, 5, {}) == expected) << threads;
  }
}

// Shapes at the edges: no rounds, no final variables, folds above n / 2,
// widths of one column, every order and mode.
std::vector<Parameters> EdgeParameters() {
  std::vector<Parameters> all;
  for (const int n : {1, 2, 3, 5, 6, 7, 10, 13}) {
    for (const int fold : {1, 2, 4, 6}) {
      for (const int rate : {1, 3}) {
        Parameters parameters;
        parameters.n = n;
        parameters.fold = fold;
        parameters.rate = rate;
        parameters.security = 30;
        parameters.pow = 4;
        parameters.soundness = static_cast<Soundness>((n + fold) % 3);
        parameters.points = 1 + n % 3;
        parameters.order = n % 2 == 0 ? Order::kPrefix : Order::kSuffix;
        parameters.mode = fold % 4 == 2 ? Mode::kDrawn : Mode::kGiven;
        if (fold <= n) all.push_back(parameters);
      }
    }
  }
  return all;
}

TEST(Prove, EdgeShapesAreAccepted) {
  const std::unique_ptr<Runtime> runtime = OpenCpu(2);
  for (const Parameters& parameters : EdgeParameters()) {
    if (!Derive(parameters).ok()) continue;
    const Verdict verdict = VerifyFile(ProveSeed(*runtime, parameters, 11, {}));
    EXPECT_TRUE(verdict.accepted)
        << "n=" << parameters.n << " fold=" << parameters.fold
        << " rate=" << parameters.rate << ": " << verdict.check << ", "
        << verdict.detail;
  }
}

TEST(Plan, PeakIsNeverExceededAndAlmostReached) {
  for (const Parameters& parameters : EdgeParameters()) {
    const Result<Plan> plan = MakePlan(parameters, UINT64_MAX);
    if (!plan.ok()) continue;
    const std::unique_ptr<Runtime> runtime = OpenCpu();
    ProveSeed(*runtime, parameters, 3, {});
    const Budget& budget = runtime->device().budget();
    EXPECT_LE(budget.peak_bytes(), plan->peak_bytes)
        << "n=" << parameters.n << " fold=" << parameters.fold;
    EXPECT_EQ(budget.live_bytes(), 0u);
  }
  Parameters parameters;
  parameters.n = 16;
  const Result<Plan> plan = MakePlan(parameters, UINT64_MAX);
  ASSERT_TRUE(plan.ok());
  const std::unique_ptr<Runtime> runtime = OpenCpu();
  ProveSeed(*runtime, parameters, 3, {});
  const uint64_t peak = runtime->device().budget().peak_bytes();
  EXPECT_LE(peak, plan->peak_bytes);
  EXPECT_GT(peak, plan->peak_bytes - plan->peak_bytes / 20);
}

// Few queries and a long table: out-of-domain weights are the peak.
Parameters OodHeavy() {
  Parameters parameters;
  parameters.n = 14;
  parameters.fold = 1;
  parameters.security = 20;
  return parameters;
}

TEST(Plan, OutOfDomainWeightsAreCounted) {
  const Result<Plan> plan = MakePlan(OodHeavy(), UINT64_MAX);
  ASSERT_TRUE(plan.ok());
  const std::unique_ptr<Runtime> runtime = OpenCpu(1, plan->peak_bytes);
  EXPECT_FALSE(ProveSeed(*runtime, OodHeavy(), 1, {}).empty());
}

TEST(Plan, TheExactBudgetSuffices) {
  Parameters parameters;
  parameters.n = 14;
  const Result<Plan> plan = MakePlan(parameters, UINT64_MAX);
  ASSERT_TRUE(plan.ok());
  const std::unique_ptr<Runtime> runtime = OpenCpu(1, plan->peak_bytes);
  EXPECT_FALSE(ProveSeed(*runtime, parameters, 3, {}).empty());
}

TEST(Plan, OverBudgetNamesWhatWouldFit) {
  Parameters parameters;
  parameters.n = 20;
  const Result<Plan> plan = MakePlan(parameters, uint64_t{8} << 20);
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, Code::kOverBudget);
  EXPECT_NE(plan.error().hint.find("n=17"), std::string::npos)
      << plan.error().hint;
  EXPECT_NE(plan.error().hint.find("--memory"), std::string::npos);
}

TEST(Prove, TheDeviceAskedForDidTheWork) {
  const std::unique_ptr<Runtime> runtime = OpenCpu();
  Parameters parameters;
  parameters.n = 12;
  Trace trace;
  ProveContext context;
  context.trace = &trace;
  ProveSeed(*runtime, parameters, 3, context);
  for (const char* kernel :
       {"ntt.encode", "merkle.leaves", "merkle.tree", "sumcheck.partial",
        "sumcheck.fold", "fold.base", "weights.eq", "weights.select",
        "grind.search", "openings.rows"}) {
    const bool ran = std::any_of(
        trace.spans().begin(), trace.spans().end(), [&](const Span& span) {
          return span.name == kernel && span.device == "cpu";
        });
    EXPECT_TRUE(ran) << kernel;
  }
}

TEST(Prove, ABudgetThatTheProbeOutgrowsIsNamedSo) {
  const std::unique_ptr<Runtime> runtime = OpenCpu(1, 16);
  const Status trusted = runtime->Trust({"merkle"});
  ASSERT_FALSE(trusted.ok());
  EXPECT_EQ(trusted.error().code, Code::kOverBudget);
}

TEST(Prove, StopsWhenProgressSaysSo) {
  const std::unique_ptr<Runtime> runtime = OpenCpu();
  Parameters parameters;
  parameters.n = 10;
  const Result<Plan> plan = MakePlan(parameters, UINT64_MAX);
  ASSERT_TRUE(plan.ok());
  ProveContext context;
  int calls = 0;
  context.progress = [&](std::string_view, uint64_t done, uint64_t total) {
    EXPECT_LE(done, total);
    return ++calls < 2;
  };
  const Result<Proof> proof =
      Prove(*runtime, *plan, SeedEvals(1, 10), SeedPoints(1, 10, 1), context);
  ASSERT_FALSE(proof.ok());
  EXPECT_EQ(proof.error().code, Code::kCancelled);
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(runtime->device().budget().live_bytes(), 0u);
}

TEST(Prove, SizesMustMatchThePlan) {
  const std::unique_ptr<Runtime> runtime = OpenCpu();
  Parameters parameters;
  parameters.n = 10;
  const Result<Plan> plan = MakePlan(parameters, UINT64_MAX);
  ASSERT_TRUE(plan.ok());
  const std::vector<BabyBear> evals = SeedEvals(1, 10);
  const std::vector<Point> points = SeedPoints(1, 10, 1);
  const auto code = [&](std::span<const BabyBear> e, std::span<const Point> p) {
    const Result<Proof> proof = Prove(*runtime, *plan, e, p);
    return proof.ok() ? Code::kInternal : proof.error().code;
  };
  EXPECT_EQ(code(std::span(evals).first(512), points), Code::kInvalidInput);
  EXPECT_EQ(code(evals, {}), Code::kInvalidInput);
  EXPECT_EQ(code(evals, SeedPoints(1, 9, 1)), Code::kInvalidInput);
}

}  // namespace
}  // namespace assay::whir
