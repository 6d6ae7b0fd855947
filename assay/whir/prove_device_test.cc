// Laws of proving on a device apart: the same bytes, few ways, no silence.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "assay/whir/instance.h"
#include "assay/whir/prove.h"
#include "assay/whir/test_double.h"
#include "assay/whir/test_proving.h"

namespace assay::whir {
namespace {

Parameters Small(int n, int fold) {
  Parameters parameters;
  parameters.n = n;
  parameters.fold = fold;
  parameters.security = 40;
  parameters.pow = 8;
  parameters.points = 1 + n % 3;
  parameters.order = n % 2 == 0 ? Order::kPrefix : Order::kSuffix;
  parameters.mode = fold % 2 == 0 ? Mode::kDrawn : Mode::kGiven;
  return parameters;
}

ProveContext With(Offload offload, Traffic* traffic = nullptr,
                  Trace* trace = nullptr) {
  ProveContext context;
  context.offload = offload;
  context.traffic = traffic;
  context.trace = trace;
  return context;
}

std::vector<std::byte> OnCpu(const Parameters& parameters) {
  const auto runtime = Runtime::Open({.device = "cpu", .threads = 1});
  EXPECT_TRUE(runtime.ok());
  const Result<Plan> plan = MakePlan(parameters, UINT64_MAX);
  EXPECT_TRUE(plan.ok());
  return FileOf(*plan, ProveOn(**runtime, *plan));
}

TEST(ProveApart, WhateverStaysOnTheHostTheProofIsTheSame) {
  Script script;
  const auto runtime = OpenDouble(&script);
  for (const int n : {1, 3, 6, 7, 10, 13}) {
    for (const int fold : {1, 2, 3, 4, 6}) {
      const Parameters parameters = Small(n, fold);
      if (!Derive(parameters).ok()) continue;
      const std::vector<std::byte> expected = OnCpu(parameters);
      for (const int host_variables : {-1, 0, 4, 6, 9, 20}) {
        SCOPED_TRACE("n=" + std::to_string(n) +
                     " fold=" + std::to_string(fold) +
                     " host=" + std::to_string(host_variables));
        const Result<Plan> plan =
            MakePlan(parameters, UINT64_MAX, kProfile080,
                     {.host_variables = host_variables, .host_grind_bits = 3});
        ASSERT_TRUE(plan.ok());
        Budget& budget = runtime->device().budget();
        budget.ResetPeak();
        EXPECT_TRUE(FileOf(*plan, ProveOn(*runtime, *plan)) == expected);
        EXPECT_EQ(budget.live_bytes(), 0u);
        EXPECT_LE(budget.peak_bytes(), plan->peak_bytes);
      }
    }
  }
}

TEST(ProveApart, EveryWayOfOffloadingMakesTheSameProof) {
  Script script;
  const auto runtime = OpenDouble(&script);
  for (const Parameters& parameters : {Small(12, 3), Small(11, 4)}) {
    const std::vector<std::byte> expected = OnCpu(parameters);
    for (const Offload offload :
         {Offload::kFused, Offload::kSteps, Offload::kGrind, Offload::kNone}) {
      SCOPED_TRACE(static_cast<int>(offload));
      const Result<Plan> plan = MakePlan(parameters, *runtime, offload);
      ASSERT_TRUE(plan.ok());
      EXPECT_TRUE(FileOf(*plan, ProveOn(*runtime, *plan, With(offload))) ==
                  expected);
    }
  }
}

// Which kernels ran on the device, by the trace.
std::vector<std::string> RanApart(Runtime& runtime, const Plan& plan,
                                  Offload offload) {
  Trace trace;
  EXPECT_TRUE(ProveOn(runtime, plan, With(offload, nullptr, &trace)).ok());
  std::vector<std::string> names;
  for (const Span& span : trace.spans()) {
    if (span.device == "double") names.push_back(span.name);
  }
  return names;
}

TEST(ProveApart, TheDeviceDoesWhatItIsAskedTo) {
  Script script;
  const auto runtime = OpenDouble(&script);
  Parameters parameters;  // with 16 bits to be ground
  parameters.n = 14;
  const auto ran = [&](Offload offload) {
    const Result<Plan> plan = MakePlan(parameters, *runtime, offload);
    EXPECT_TRUE(plan.ok());
    EXPECT_TRUE(TrustDevices(*runtime, *plan, offload).ok());
    Trace probes;
    runtime->device().CollectSpans(probes);
    return RanApart(*runtime, *plan, offload);
  };
  const std::vector<std::string> all = ran(Offload::kFused);
  for (const char* kernel :
       {"ntt.encode", "merkle.leaves", "merkle.tree", "sumcheck.partial",
        "fold.base", "grind.search", "openings.rows"}) {
    EXPECT_NE(std::count(all.begin(), all.end(), kernel), 0) << kernel;
  }
  const std::vector<std::string> searches = ran(Offload::kGrind);
  EXPECT_FALSE(searches.empty());
  EXPECT_EQ(std::count(searches.begin(), searches.end(), "grind.search"),
            static_cast<int64_t>(searches.size()));
  EXPECT_TRUE(ran(Offload::kNone).empty());
}

// One way for a commitment, one for each out-of-domain value, witness and
// message of a large table; the rest is sent ahead and asked for at the end,
// and what the host sends goes along.
TEST(ProveApart, WaysToAndFroAreThoseOfTheTranscript) {
  Script script;
  const auto runtime = OpenDouble(&script);
  Parameters parameters;
  parameters.n = 16;
  parameters.fold = 4;
  const Result<Plan> plan =
      MakePlan(parameters, UINT64_MAX, kProfile080,
               {.host_variables = 11, .host_grind_bits = 8});
  ASSERT_TRUE(plan.ok());
  ASSERT_TRUE(TrustDevices(*runtime, *plan).ok());
  const Schedule& schedule = plan->schedule;
  ASSERT_EQ(schedule.rounds.size(), 2u);
  ASSERT_GT(schedule.rounds[0].pow, 8);
  ASSERT_LE(schedule.rounds[0].fold_pow, 8);

  const Script before = script;
  Traffic traffic;
  ASSERT_TRUE(ProveOn(*runtime, *plan, With(Offload::kFused, &traffic)).ok());
  // The tables have 12, 8 and 4 variables: the first stays, the rest go.
  const int rounds = 2;
  const int commitments = 1 + rounds;
  const int witnesses = rounds + 1;
  const int messages = schedule.rounds[0].fold;
  const int values = schedule.commitment_ood + schedule.rounds[0].ood;
  // Twiddles, fold, weights, openings; and the given point's sums.
  const int sent_ahead = 3 + rounds + 1;
  const int sums = 1;
  EXPECT_EQ(script.submissions - before.submissions,
            commitments + witnesses + messages + values + sums + sent_ahead);
  EXPECT_EQ(script.waits - before.waits,
            commitments + witnesses + messages + values + sums + sent_ahead);
  EXPECT_LE(script.uploads - before.uploads,
            script.submissions - before.submissions);
  EXPECT_LE(script.allocations - before.allocations,
            6 + 2 * commitments);  // scratch, twiddles, evaluations, f, W
  EXPECT_EQ(traffic.submissions,
            static_cast<uint64_t>(script.submissions - before.submissions));
  EXPECT_EQ(traffic.waits, static_cast<uint64_t>(script.waits - before.waits));
}

TEST(ProveApart, EachKernelAloneTakesMoreWays) {
  Script script;
  const auto runtime = OpenDouble(&script);
  const Parameters parameters = Small(12, 3);
  const Result<Plan> plan = MakePlan(parameters, *runtime);
  ASSERT_TRUE(plan.ok());
  Traffic fused, steps;
  ASSERT_TRUE(ProveOn(*runtime, *plan, With(Offload::kFused, &fused)).ok());
  ASSERT_TRUE(ProveOn(*runtime, *plan, With(Offload::kSteps, &steps)).ok());
  EXPECT_GT(steps.waits, 2 * fused.waits);
  EXPECT_EQ(steps.submissions, steps.waits);
}

// Fails at every call in turn.
void FailsEverywhere(int Script::* calls, int Script::* fail, Code code) {
  Script script;
  const auto runtime = OpenDouble(&script);
  const Parameters parameters = Small(10, 2);
  const Result<Plan> plan =
      MakePlan(parameters, UINT64_MAX, kProfile080, {.host_variables = 5});
  ASSERT_TRUE(plan.ok());
  ASSERT_TRUE(TrustDevices(*runtime, *plan).ok());
  script.code = code;
  const int begin = script.*calls;
  ASSERT_TRUE(ProveOn(*runtime, *plan).ok());
  const int count = script.*calls - begin;
  ASSERT_GT(count, 4);
  for (int i = 0; i < count; ++i) {
    script.*fail = script.*calls + i;
    const Result<Proof> proof = ProveOn(*runtime, *plan);
    ASSERT_FALSE(proof.ok()) << i;
    EXPECT_EQ(proof.error().code, code) << i;
    EXPECT_EQ(runtime->device().budget().live_bytes(), 0u) << i;
  }
  script.*fail = -1;
  EXPECT_TRUE(ProveOn(*runtime, *plan).ok());
}

TEST(ProveApart, ALostDeviceIsSaidSoWheneverItIsLost) {
  FailsEverywhere(&Script::submissions, &Script::fail_submission,
                  Code::kDeviceLost);
  FailsEverywhere(&Script::waits, &Script::fail_wait, Code::kDeviceLost);
}

TEST(ProveApart, FullMemoryIsSaidSoWheneverItIsFull) {
  FailsEverywhere(&Script::allocations, &Script::fail_allocation,
                  Code::kOverBudget);
}

// A device that computes wrongly once it is trusted: the witness is checked on
// the host, and all else by the verifier.
TEST(ProveApart, ALieIsNeverAccepted) {
  Script script;
  const auto runtime = OpenDouble(&script);
  const Parameters parameters = Small(11, 3);
  const Result<Plan> plan =
      MakePlan(parameters, UINT64_MAX, kProfile080, {.host_variables = 5});
  ASSERT_TRUE(plan.ok());
  ASSERT_TRUE(TrustDevices(*runtime, *plan).ok());
  const std::vector<std::byte> honest = FileOf(*plan, ProveOn(*runtime, *plan));
  const int begin = script.submissions;
  ASSERT_TRUE(ProveOn(*runtime, *plan).ok());
  const int count = script.submissions - begin;
  int lies = 0;
  for (int i = 0; i < count; ++i) {
    script.lie = script.submissions + i;
    Result<Proof> proof = ProveOn(*runtime, *plan);
    if (!proof.ok()) {
      EXPECT_EQ(proof.error().code, Code::kUntrusted) << proof.error().what;
      ++lies;
      continue;
    }
    const std::vector<std::byte> file = FileOf(*plan, std::move(proof));
    if (file == honest) continue;  // nothing was read in that submission
    ++lies;
    const Result<ProofFile> decoded = Decode(file);
    if (!decoded.ok()) continue;
    EXPECT_FALSE(
        Verify(plan->schedule, PointsOf(parameters), decoded->proof).accepted)
        << i;
  }
  EXPECT_GT(lies, count / 2);
}

TEST(ProveApart, AKernelThatIsWrongIsFoundBeforeTheProof) {
  Script script;
  const auto runtime = OpenDouble(&script);
  script.lie_in_reads = true;
  const Result<Plan> plan = MakePlan(Small(10, 2), *runtime);
  ASSERT_TRUE(plan.ok());
  const Result<Proof> proof = ProveOn(*runtime, *plan);
  ASSERT_FALSE(proof.ok());
  EXPECT_EQ(proof.error().code, Code::kUntrusted);
  EXPECT_NE(proof.error().what.find("double"), std::string::npos);
}

TEST(ProveApart, ThePlanIsForTheDeviceThatDoesTheWork) {
  Script script;
  Parameters parameters;
  parameters.n = 16;
  const auto runtime = OpenDouble(&script, uint64_t{1} << 20);
  const Result<Plan> over = MakePlan(parameters, *runtime);
  ASSERT_FALSE(over.ok());
  EXPECT_EQ(over.error().code, Code::kOverBudget);
  // Searches need a few hundred bytes there.
  EXPECT_TRUE(MakePlan(parameters, *runtime, Offload::kGrind).ok());
}

}  // namespace
}  // namespace assay::whir
