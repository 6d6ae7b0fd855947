// Proofs of every GPU against those of the processor, where there is a GPU.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "assay/whir/test_proving.h"
#include "assay/whir/verify.h"

namespace assay::whir {
namespace {

// Each backend is a test of its own, skipped where it finds no device.
class AcrossDevicesWhir : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    auto gpu = Runtime::Open({.device = GetParam()});
    if (!gpu.ok()) GTEST_SKIP() << gpu.error().what;
    gpu_ = std::move(*gpu);
    auto cpu = Runtime::Open({.device = "cpu"});
    ASSERT_TRUE(cpu.ok());
    cpu_ = std::move(*cpu);
  }

  std::vector<std::byte> OnCpu(const Parameters& parameters) {
    const Result<Plan> plan = MakePlan(parameters, UINT64_MAX);
    EXPECT_TRUE(plan.ok());
    return FileOf(*plan, ProveOn(*cpu_, *plan));
  }

  // Nothing left to the host, so that every kernel sees the smallest sizes,
  // too; then as the device's own plan has it.
  void ExpectTheSame(const Parameters& parameters) {
    SCOPED_TRACE("n=" + std::to_string(parameters.n) +
                 " fold=" + std::to_string(parameters.fold) +
                 " rate=" + std::to_string(parameters.rate));
    const std::vector<std::byte> expected = OnCpu(parameters);
    const Result<Plan> whole = MakePlan(parameters, UINT64_MAX);
    const Result<Plan> shared = MakePlan(parameters, *gpu_);
    ASSERT_TRUE(whole.ok() && shared.ok());
    for (const Plan* plan : {&*whole, &*shared}) {
      Budget& budget = gpu_->device().budget();
      budget.ResetPeak();
      EXPECT_TRUE(FileOf(*plan, ProveOn(*gpu_, *plan)) == expected);
      EXPECT_EQ(budget.live_bytes(), 0u);
      EXPECT_LE(budget.peak_bytes(), plan->peak_bytes);
    }
  }

  std::unique_ptr<Runtime> gpu_;
  std::unique_ptr<Runtime> cpu_;
};

TEST_P(AcrossDevicesWhir, ProofsAreTheSameForEveryFoldRateAndOrder) {
  for (int fold = 1; fold <= 6; ++fold) {
    for (const int rate : {1, 3}) {
      Parameters parameters;
      parameters.n = 8 + fold % 3;
      parameters.fold = fold;
      parameters.rate = rate;
      parameters.security = 40;
      parameters.pow = 6;
      parameters.points = 1 + (fold + rate) % 3;
      parameters.order =
          (fold + rate) % 2 == 0 ? Order::kPrefix : Order::kSuffix;
      parameters.mode = fold % 2 == 0 ? Mode::kDrawn : Mode::kGiven;
      parameters.soundness = static_cast<Soundness>(fold % 3);
      if (Derive(parameters).ok()) ExpectTheSame(parameters);
    }
  }
}

TEST_P(AcrossDevicesWhir, ProofsAreTheSameForTheSmallestTables) {
  for (const int n : {1, 2, 3, 5, 6, 7}) {
    for (const int fold : {1, 2, 4}) {
      Parameters parameters;
      parameters.n = n;
      parameters.fold = fold;
      parameters.security = 30;
      parameters.pow = 4;
      parameters.order = n % 2 == 0 ? Order::kPrefix : Order::kSuffix;
      if (Derive(parameters).ok()) ExpectTheSame(parameters);
    }
  }
}

// 90 bits with 16 of them ground; the larger in several passes of each kernel.
TEST_P(AcrossDevicesWhir, ProofsAreTheSameWithTheDefaults) {
  for (const auto& [n, order] : {std::pair{12, Order::kPrefix},
                                 {12, Order::kSuffix},
                                 {16, Order::kPrefix}}) {
    Parameters parameters;
    parameters.n = n;
    parameters.order = order;
    ExpectTheSame(parameters);
  }
}

TEST_P(AcrossDevicesWhir, EveryWayOfOffloadingMakesTheSameProof) {
  Parameters parameters;
  parameters.n = 12;
  parameters.fold = 3;
  parameters.points = 2;
  parameters.pow = 10;
  const std::vector<std::byte> expected = OnCpu(parameters);
  for (const Offload offload :
       {Offload::kFused, Offload::kSteps, Offload::kGrind, Offload::kNone}) {
    SCOPED_TRACE(static_cast<int>(offload));
    const Result<Plan> plan = MakePlan(parameters, *gpu_, offload);
    ASSERT_TRUE(plan.ok());
    ProveContext context;
    context.offload = offload;
    EXPECT_TRUE(FileOf(*plan, ProveOn(*gpu_, *plan, context)) == expected);
  }
}

// The device that was asked for does the work, and the verifier agrees.
TEST_P(AcrossDevicesWhir, TheVerifierAcceptsWhatTheDeviceMade) {
  Parameters parameters;
  parameters.n = 15;
  const Result<Plan> plan = MakePlan(parameters, *gpu_);
  ASSERT_TRUE(plan.ok());
  Trace trace;
  Traffic traffic;
  ProveContext context;
  context.trace = &trace;
  context.traffic = &traffic;
  const Result<Proof> proof = ProveOn(*gpu_, *plan, context);
  ASSERT_TRUE(proof.ok()) << proof.error().what;
  EXPECT_TRUE(Verify(plan->schedule, PointsOf(parameters), *proof).accepted);
  EXPECT_GT(traffic.submissions, 5u);
  bool transformed = false;
  for (const Span& span : trace.spans()) {
    transformed |= span.name == "ntt.encode" && span.device != "cpu";
  }
  EXPECT_TRUE(transformed);
}

INSTANTIATE_TEST_SUITE_P(, AcrossDevicesWhir, testing::Values("cuda", "webgpu"),
                         [](const auto& backend) {
                           return std::string(backend.param);
                         });

}  // namespace
}  // namespace assay::whir
