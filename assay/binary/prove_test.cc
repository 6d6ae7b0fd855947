// The prover against reference proofs, its plan, and its refusals.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/prove.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <set>

#include "assay/base/split_mix.h"
#include "assay/binary/test_far_device.h"
#include "assay/binary/test_sumcheck.h"
#include "assay/binary/verify.h"

namespace assay::binary {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kMostVariables = 16;  // instrumented kernels are slow
#else
constexpr int kMostVariables = 24;
#endif
// Meanings take one entry after the other.
constexpr int kMostVariablesOfMeanings = kMostVariables == 24 ? 20 : 11;

std::unique_ptr<Runtime> OpenCpu(int threads, uint64_t memory_bytes = 0) {
  auto runtime = Runtime::Open(
      {.device = "cpu", .threads = threads, .memory_bytes = memory_bytes});
  EXPECT_TRUE(runtime.ok());
  return std::move(*runtime);
}

Result<Proof> ProveColumns(Runtime& runtime, const Columns& columns,
                           const ProveContext& context = {}) {
  ASSAY_ASSIGN(plan, PlanSumcheck(columns.n(), columns.d(), runtime.device()));
  ASSAY_ASSIGN(loaded, LoadColumns(runtime, plan, columns, context));
  ASSAY_ASSIGN(proof, Prove(runtime, plan, std::move(loaded), context));
  EXPECT_EQ(runtime.device().budget().peak_bytes(), plan.peak_bytes);
  EXPECT_EQ(runtime.device().budget().live_bytes(), 0u);
  runtime.device().budget().ResetPeak();
  return std::move(proof);
}

// A cpu that is not next to the host, whose plans are those of `kind`.
std::unique_ptr<Runtime> OpenFar(BackendKind kind) {
  auto near = MakeCpuBackend(2);
  DeviceInfo info = near->Info();
  info.kind = kind;
  info.unified_memory = false;
  return Runtime::Over(std::make_unique<Device>(
      std::make_unique<FarBackend>(std::move(near), info), uint64_t{1} << 31));
}

// A runtime whose kernels have been tried, so that the probe's buffers do
// not count.
std::unique_ptr<Runtime> OpenTried(int threads) {
  auto runtime = OpenCpu(threads);
  EXPECT_TRUE(runtime->Trust({"product_sumcheck"}).ok());
  runtime->device().budget().ResetPeak();
  return runtime;
}

TEST(SumcheckProve, ReferenceProofsByteForByteAndInPlannedMemory) {
  for (const int threads : {1, 2}) {
    const auto runtime = OpenTried(threads);
    for (const auto& row : ReadSumcheckVectors("sumcheck.json")) {
      const std::string name = row["file"];
      if (row["n"] > kMostVariables) continue;
      SCOPED_TRACE(name);
      const uint64_t seed = std::stoull(row["seed"].get<std::string>());
      const auto columns = SeedColumns(seed, row["n"], row["d"]);
      const Result<Proof> proof = ProveColumns(*runtime, *columns);
      ASSERT_TRUE(proof.ok());
      EXPECT_TRUE(Encode(*proof) == ReadSumcheckBytes(name));
    }
  }
}

// Columns go up in pieces, sums come back, and the host draws challenges.
TEST(SumcheckProve, ReferenceProofsOfADeviceApartWithChallengesOfTheHost) {
  const auto runtime = OpenFar(BackendKind::kWebGpu);
  ASSERT_TRUE(runtime->Trust({"product_sumcheck"}).ok());
  for (const auto& row : ReadSumcheckVectors("sumcheck.json")) {
    if (row["n"] > kMostVariables) continue;
    SCOPED_TRACE(row["file"]);
    const auto columns = SeedColumns(
        std::stoull(row["seed"].get<std::string>()), row["n"], row["d"]);
    const Result<Proof> proof = ProveColumns(*runtime, *columns);
    ASSERT_TRUE(proof.ok());
    EXPECT_TRUE(Encode(*proof) == ReadSumcheckBytes(row["file"]));
  }
}

// What a GPU is told to do: it makes the columns, plays all rounds, and hashes.
TEST(SumcheckProve, ReferenceProofsOfADeviceThatHashes) {
  const auto runtime = OpenFar(BackendKind::kCuda);
  ASSERT_TRUE(runtime->Trust({"product_rounds"}).ok());
  for (const auto& row : ReadSumcheckVectors("sumcheck.json")) {
    if (row["n"] > kMostVariablesOfMeanings) continue;
    SCOPED_TRACE(row["file"]);
    const auto columns = SeedColumns(
        std::stoull(row["seed"].get<std::string>()), row["n"], row["d"]);
    const uint64_t submissions = runtime->device().submissions();
    const Result<Proof> proof = ProveColumns(*runtime, *columns);
    ASSERT_TRUE(proof.ok());
    EXPECT_TRUE(Encode(*proof) == ReadSumcheckBytes(row["file"]));
    // One for the columns, one for all rounds.
    EXPECT_EQ(runtime->device().submissions(), submissions + 2);
  }
}

TEST(SumcheckProve, ColumnsOfDataAreTheSameOnADeviceApart) {
  std::vector<std::vector<Gf2_128>> data(2);
  for (size_t j = 0; j < data.size(); ++j) {
    for (uint64_t i = 0; i < 5 * kPieceElements / 4; ++i) {
      data[j].push_back({SplitMix64(j, 2 * i), SplitMix64(j, 2 * i + 1)});
    }
    data[j].resize(2 * kPieceElements);
  }
  const auto columns = MemoryColumns({data[0], data[1]});
  ASSERT_TRUE(columns.ok());
  const Result<Proof> expected = ProveColumns(*OpenTried(1), **columns);
  ASSERT_TRUE(expected.ok());
  for (const BackendKind kind : {BackendKind::kWebGpu, BackendKind::kCuda}) {
    const auto runtime = OpenFar(kind);
    ASSERT_TRUE(runtime->Trust({"product_rounds", "product_sumcheck"}).ok());
    const Result<Proof> proof = ProveColumns(*runtime, **columns);
    ASSERT_TRUE(proof.ok());
    EXPECT_TRUE(Encode(*proof) == Encode(*expected));
  }
}

TEST(SumcheckProve, SmallReferenceProofsOnEveryVectorTarget) {
  const auto vectors = ReadSumcheckVectors("sumcheck.json");
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    const auto runtime = OpenTried(1);
    for (const auto& row : vectors) {
      if (row["n"] > 11) continue;
      const uint64_t seed = std::stoull(row["seed"].get<std::string>());
      const auto columns = SeedColumns(seed, row["n"], row["d"]);
      const Result<Proof> proof = ProveColumns(*runtime, *columns);
      ASSERT_TRUE(proof.ok());
      EXPECT_TRUE(Encode(*proof) == ReadSumcheckBytes(row["file"]));
    }
    hwy::SetSupportedTargetsForTest(0);
  }
}

// Several pieces a column, several threads; the sum is that of the columns.
TEST(SumcheckProve, ColumnsOfDataAreProvedAndTied) {
  std::vector<std::vector<Gf2_128>> data(3);
  for (size_t j = 0; j < data.size(); ++j) {
    for (uint64_t i = 0; i < uint64_t{1} << 17; ++i) {
      data[j].push_back({SplitMix64(j, 2 * i), SplitMix64(j, 2 * i + 1)});
    }
  }
  const auto columns = MemoryColumns({data[0], data[1], data[2]});
  const auto swapped = MemoryColumns({data[1], data[0], data[2]});
  ASSERT_TRUE(columns.ok() && swapped.ok());
  const auto runtime = OpenTried(2);
  const Result<Proof> proof = ProveColumns(*runtime, **columns);
  ASSERT_TRUE(proof.ok());
  EXPECT_EQ(proof->statement.context, *ContextOf(**columns));
  Gf2_128 sum;
  for (size_t i = 0; i < data[0].size(); ++i) {
    sum += data[0][i] * data[1][i] * data[2][i];
  }
  EXPECT_EQ(proof->statement.sum, sum);
  EXPECT_TRUE(Verify(*proof, **columns)->accepted);
  EXPECT_EQ(Verify(*proof, **swapped)->check, "context");
}

TEST(SumcheckProve, TheDeviceAskedForDidTheWork) {
  Trace trace;
  const auto runtime = OpenCpu(1);
  const auto columns = SeedColumns(3, 9, 2);
  ASSERT_TRUE(runtime->Trust({"product_sumcheck"}).ok());
  runtime->device().budget().ResetPeak();
  runtime->device().CollectSpans(trace);
  Trace own;
  ASSERT_TRUE(
      ProveColumns(*runtime, *columns, {.progress = {}, .trace = &own}).ok());
  std::set<std::string> kernels;
  for (const Span& span : own.spans()) {
    if (span.device == "cpu") kernels.insert(span.name);
  }
  EXPECT_EQ(kernels, (std::set<std::string>{
                         "product_sumcheck.grid", "product_sumcheck.fold_grid",
                         "product_sumcheck.round", "product_sumcheck.fold"}));
}

TEST(SumcheckProve, OverBudgetIsRefusedBeforeAnyAllocation) {
  const auto runtime = OpenCpu(1, uint64_t{1} << 20);
  const uint64_t limit = runtime->device().budget().limit_bytes();
  EXPECT_EQ(limit, uint64_t{1} << 20);
  const auto plan = PlanSumcheck(16, 1, runtime->device());
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, Code::kOverBudget);
  EXPECT_NE(plan.error().hint.find("n=15"), std::string::npos)
      << plan.error().hint;
  EXPECT_TRUE(PlanSumcheck(15, 1, runtime->device()).ok());
  EXPECT_EQ(runtime->device().budget().peak_bytes(), 0u);
  // The most there is does not overflow.
  for (const BackendKind kind :
       {BackendKind::kCpu, BackendKind::kCuda, BackendKind::kWebGpu}) {
    DeviceInfo info;
    info.kind = kind;
    const auto most =
        PlanSumcheck(kMaxVariables, kMaxFactors, info, ~uint64_t{0});
    ASSERT_TRUE(most.ok());
    EXPECT_GT(most->peak_bytes, uint64_t{96} << kMaxVariables);
  }
}

TEST(SumcheckProve, ColumnsAboveOneBindingAreRefused) {
  DeviceInfo info;
  info.kind = BackendKind::kWebGpu;
  info.name = "small bindings";
  info.max_binding_bytes = uint64_t{1} << 31;
  EXPECT_TRUE(PlanSumcheck(25, 3, info, ~uint64_t{0}).ok());
  EXPECT_TRUE(PlanSumcheck(27, 1, info, ~uint64_t{0}).ok());
  const auto above = PlanSumcheck(26, 2, info, ~uint64_t{0});
  ASSERT_FALSE(above.ok());
  EXPECT_EQ(above.error().code, Code::kOverBudget);
  EXPECT_NE(above.error().what.find("small bindings"), std::string::npos);
  EXPECT_NE(above.error().hint.find("n=25"), std::string::npos)
      << above.error().hint;
}

TEST(SumcheckProve, SizesOutOfRangeAreRefused) {
  for (const auto& [n, d] :
       {std::pair{0, 1}, {41, 1}, {-1, 2}, {5, 0}, {5, 7}, {5, -1}}) {
    const auto plan = PlanSumcheck(n, d, DeviceInfo{}, ~uint64_t{0});
    ASSERT_FALSE(plan.ok());
    EXPECT_EQ(plan.error().code, Code::kInvalidInput);
  }
}

// Returns how often a proof on `runtime` can be cancelled.
int CancelAtEveryStep(Runtime& runtime) {
  const auto columns = SeedColumns(1, 8, 3);
  int steps = 0;
  const auto count = [&](std::string_view, uint64_t done, uint64_t total) {
    EXPECT_LE(done, total);
    ++steps;
    return true;
  };
  EXPECT_TRUE(ProveColumns(runtime, *columns, {.progress = count}).ok());
  for (int stop = 0; stop < steps; ++stop) {
    int step = 0;
    const auto cancel = [&](std::string_view, uint64_t, uint64_t) {
      return step++ < stop;
    };
    const auto proof = ProveColumns(runtime, *columns, {.progress = cancel});
    EXPECT_FALSE(proof.ok());
    if (proof.ok()) continue;
    EXPECT_EQ(proof.error().code, Code::kCancelled);
    EXPECT_EQ(runtime.device().budget().live_bytes(), 0u);
  }
  return steps;
}

TEST(SumcheckProve, CancelledAtEveryStep) {
  EXPECT_GE(CancelAtEveryStep(*OpenTried(1)), 8);
  const auto runtime = OpenFar(BackendKind::kCuda);
  ASSERT_TRUE(runtime->Trust({"product_rounds"}).ok());
  EXPECT_EQ(CancelAtEveryStep(*runtime), 2);
}

}  // namespace
}  // namespace assay::binary
