// Proofs of a GPU against those of the processor, where there is a GPU.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "assay/binary/prove.h"
#include "assay/binary/test_sumcheck.h"
#include "assay/binary/verify.h"

namespace assay::binary {
namespace {

Result<Proof> ProveOn(Runtime& runtime, const SumcheckPlan& plan,
                      const Columns& columns) {
  ASSAY_TRY(TrustSumcheck(runtime, plan));
  ASSAY_ASSIGN(loaded, LoadColumns(runtime, plan, columns));
  return Prove(runtime, plan, std::move(loaded));
}

class AcrossDevicesSumcheck : public testing::Test {
 protected:
  void SetUp() override {
    auto gpu = Runtime::Open({.device = "cuda"});
    if (!gpu.ok()) GTEST_SKIP() << gpu.error().what;
    gpu_ = std::move(*gpu);
    auto cpu = Runtime::Open({.device = "cpu"});
    ASSERT_TRUE(cpu.ok());
    cpu_ = std::move(*cpu);
  }

  // The GPU by itself, and with challenges of the host, against the cpu.
  void ExpectTheSame(const Columns& columns) {
    SCOPED_TRACE("n=" + std::to_string(columns.n()) +
                 " d=" + std::to_string(columns.d()));
    const auto plan = PlanSumcheck(columns.n(), columns.d(), gpu_->device());
    const auto cpu_plan =
        PlanSumcheck(columns.n(), columns.d(), cpu_->device());
    ASSERT_TRUE(plan.ok() && cpu_plan.ok());
    EXPECT_TRUE(plan->on_device);
    const auto expected = ProveOn(*cpu_, *cpu_plan, columns);
    const auto played = ProveOn(*gpu_, *plan, columns);
    const auto with_host = ProveOn(*gpu_, *cpu_plan, columns);
    ASSERT_TRUE(expected.ok());
    ASSERT_TRUE(played.ok()) << played.error().what;
    ASSERT_TRUE(with_host.ok()) << with_host.error().what;
    EXPECT_TRUE(Encode(*played) == Encode(*expected));
    EXPECT_TRUE(Encode(*with_host) == Encode(*expected));
  }

  std::unique_ptr<Runtime> gpu_;
  std::unique_ptr<Runtime> cpu_;
};

TEST_F(AcrossDevicesSumcheck, FilesAreTheSameForSmallSizes) {
  for (int n = 1; n <= 14; ++n) {
    for (int d = 1; d <= kMaxFactors; ++d) {
      ExpectTheSame(*SeedColumns(static_cast<uint64_t>(100 * n + d), n, d));
    }
  }
}

// More tiles than blocks that the GPU takes at once, for each form of a pass.
TEST_F(AcrossDevicesSumcheck, FilesAreTheSameForLargeSizes) {
  for (const auto& [n, d] : {std::pair{20, 1},
                             {20, 2},
                             {21, 2},
                             {20, 3},
                             {19, 4},
                             {18, 5},
                             {18, 6}}) {
    ExpectTheSame(*SeedColumns(static_cast<uint64_t>(n), n, d));
  }
}

TEST_F(AcrossDevicesSumcheck, ReferenceProofsByteForByte) {
  for (const auto& row : ReadSumcheckVectors("sumcheck.json")) {
    SCOPED_TRACE(row["file"]);
    const auto columns = SeedColumns(
        std::stoull(row["seed"].get<std::string>()), row["n"], row["d"]);
    const auto plan = PlanSumcheck(row["n"], row["d"], gpu_->device());
    ASSERT_TRUE(plan.ok());
    gpu_->device().budget().ResetPeak();
    const auto proof = ProveOn(*gpu_, *plan, *columns);
    ASSERT_TRUE(proof.ok()) << proof.error().what;
    EXPECT_TRUE(Encode(*proof) == ReadSumcheckBytes(row["file"]));
    EXPECT_EQ(gpu_->device().budget().live_bytes(), 0u);
  }
}

TEST_F(AcrossDevicesSumcheck, ColumnsOfDataTakeThePlannedMemory) {
  std::vector<Gf2_128> data(uint64_t{1} << 18);
  for (size_t i = 0; i < data.size(); ++i) data[i] = {i * i + 7, i};
  const auto columns = MemoryColumns({data, data, data});
  ASSERT_TRUE(columns.ok());
  ExpectTheSame(**columns);
  const auto plan = PlanSumcheck(18, 3, gpu_->device());
  ASSERT_TRUE(plan.ok());
  gpu_->device().budget().ResetPeak();
  ASSERT_TRUE(ProveOn(*gpu_, *plan, **columns).ok());
  EXPECT_EQ(gpu_->device().budget().peak_bytes(), plan->peak_bytes);
}

}  // namespace
}  // namespace assay::binary
