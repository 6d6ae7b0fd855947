// Every small case of every operation on every vector target.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "assay/device/open_device.h"
#include "assay/number/test_targets.h"
#include "assay/ops/op_list.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/cases_test.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

int64_t ThisTarget() { return HWY_TARGET; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {

HWY_EXPORT(ThisTarget);

int64_t RunningTarget() { return HWY_DYNAMIC_DISPATCH(ThisTarget)(); }

std::unique_ptr<Device> OpenCpu(int threads) {
  auto device = OpenDevice("cpu", {.threads = threads});
  EXPECT_TRUE(device.ok());
  return std::move(*device);
}

class Cases : public testing::TestWithParam<Op> {};

TEST_P(Cases, KernelsComputeTheMeaningOnEveryTarget) {
  const std::vector<OpCase> cases = GetParam().cases(CaseSize::kSmall);
  ASSERT_FALSE(cases.empty());
  for (const int threads : {1, 2}) {
    const std::unique_ptr<Device> device = OpenCpu(threads);
    ForEachTarget(RunningTarget, [&] {
      for (const OpCase& op_case : cases) {
        const CaseOutcome outcome = RunCase(*device, op_case, true);
        EXPECT_TRUE(outcome.passed)
            << op_case.name << " threads=" << threads << ": " << outcome.detail;
      }
    });
  }
}

TEST_P(Cases, LargeCasesRun) {
  const std::unique_ptr<Device> device = OpenCpu(2);
  const std::vector<OpCase> cases = GetParam().cases(CaseSize::kLarge);
  ASSERT_FALSE(cases.empty());
  for (const OpCase& op_case : cases) {
    const CaseOutcome outcome = RunCase(*device, op_case, false);
    EXPECT_TRUE(outcome.passed) << op_case.name << ": " << outcome.detail;
  }
}

TEST_P(Cases, AreNamedOnceAndSayWhatTheyMove) {
  std::set<std::string> names;
  for (const CaseSize size : {CaseSize::kSmall, CaseSize::kLarge}) {
    for (const OpCase& op_case : GetParam().cases(size)) {
      EXPECT_TRUE(names.insert(op_case.name).second) << op_case.name;
      EXPECT_GT(op_case.bytes, 0u) << op_case.name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Cases,
                         testing::ValuesIn(OpList().begin(), OpList().end()),
                         [](const auto& op) {
                           return std::string(op.param.name);
                         });

}  // namespace
}  // namespace assay
#endif  // HWY_ONCE
