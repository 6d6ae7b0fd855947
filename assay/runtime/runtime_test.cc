// Laws of opening a device and trusting its kernels.
// SPDX-License-Identifier: Apache-2.0
#include "assay/runtime/runtime.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "assay/ops/op_list.h"

namespace assay {
namespace {

std::unique_ptr<Runtime> OpenCpu() {
  auto runtime = Runtime::Open({.device = "cpu", .threads = 1});
  EXPECT_TRUE(runtime.ok());
  return std::move(*runtime);
}

Code CodeOf(const RuntimeOptions& options) {
  const auto runtime = Runtime::Open(options);
  EXPECT_FALSE(runtime.ok()) << options.device;
  EXPECT_FALSE(runtime.ok() || runtime.error().hint.empty());
  return runtime.ok() ? Code::kInternal : runtime.error().code;
}

TEST(Runtime, OpensTheProcessorByNameAndByDefault) {
  for (const char* name : {"cpu", "auto"}) {
    const auto runtime = Runtime::Open({.device = name});
    ASSERT_TRUE(runtime.ok()) << name;
    EXPECT_EQ((*runtime)->device().submissions(), 0u) << "no probe yet";
  }
}

TEST(Runtime, AnUnknownDeviceIsNone) {
  EXPECT_EQ(CodeOf({.device = "abacus"}), Code::kNoDevice);
  EXPECT_EQ(CodeOf({.device = ""}), Code::kNoDevice);
  EXPECT_EQ(CodeOf({.device = "CPU"}), Code::kNoDevice);
}

#if !defined(ASSAY_CUDA)
TEST(Runtime, ABackendLeftOutOfTheBuildIsUnsupported) {
  EXPECT_EQ(CodeOf({.device = "cuda"}), Code::kUnsupported);
  EXPECT_EQ(CodeOf({.device = "cuda:1"}), Code::kUnsupported);
}
#endif

TEST(Runtime, ImpossibleThreadsAreInvalid) {
  EXPECT_EQ(CodeOf({.device = "cpu", .threads = -1}), Code::kInvalidInput);
  EXPECT_EQ(CodeOf({.device = "cpu", .threads = 1000000}), Code::kInvalidInput);
}

TEST(Runtime, TrustRunsEachOpOnce) {
  const auto runtime = OpenCpu();
  const uint64_t grind_cases = FindOp("grind")->cases(CaseSize::kSmall).size();
  const uint64_t fold_cases = FindOp("fold")->cases(CaseSize::kSmall).size();
  ASSERT_TRUE(runtime->Trust({"grind"}).ok());
  EXPECT_EQ(runtime->device().submissions(), grind_cases);
  ASSERT_TRUE(runtime->Trust({"grind"}).ok());
  EXPECT_EQ(runtime->device().submissions(), grind_cases);
  ASSERT_TRUE(runtime->Trust({"fold", "grind"}).ok());
  EXPECT_EQ(runtime->device().submissions(), grind_cases + fold_cases);
}

TEST(Runtime, TheProbeLeavesNoPeakBehind) {
  const auto runtime = OpenCpu();
  ASSERT_TRUE(runtime->Trust({"fold"}).ok());
  EXPECT_EQ(runtime->device().budget().live_bytes(), 0u);
  EXPECT_EQ(runtime->device().budget().peak_bytes(), 0u);
}

TEST(Runtime, NoOneTrustsAnOpThatIsNone) {
  const Status status = OpenCpu()->Trust({"sorcery"});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().what.find("sorcery"), std::string::npos);
}

// A budget that the cases do not fit says nothing about the arithmetic.
TEST(Runtime, AProbeThatDoesNotFitIsOverBudget) {
  const auto runtime =
      Runtime::Open({.device = "cpu", .threads = 1, .memory_bytes = 256});
  ASSERT_TRUE(runtime.ok());
  const Status status = (*runtime)->Trust({"ntt"});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Code::kOverBudget);
}

// One real case whose meaning disagrees with the kernel.
std::vector<OpCase> WrongCases(CaseSize size) {
  std::vector<OpCase> cases = {FindOp("poseidon2")->cases(size).front()};
  cases[0].name = "wrong";
  cases[0].meaning = [](std::vector<std::vector<uint32_t>>& buffers) {
    buffers[0][0] ^= 1;
  };
  return cases;
}

TEST(Runtime, AProbeNamesTheCaseThatFailed) {
  const Op wrong = {"wrong op", WrongCases};
  const auto runtime = OpenCpu();
  const Result<CaseResult> result = Probe(runtime->device(), wrong);
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->passed);
  EXPECT_EQ(result->name, "wrong");
  EXPECT_FALSE(result->detail.empty());
}

TEST(Runtime, SelfTestPassesEveryCaseOfEveryOp) {
  std::set<std::string> ops;
  for (const CaseResult& result : OpenCpu()->SelfTest()) {
    EXPECT_TRUE(result.passed) << result.name << ": " << result.detail;
    ops.insert(result.op);
  }
  EXPECT_EQ(ops.size(), OpList().size());
}

TEST(Runtime, SelfTestOfOneOpRunsThatOp) {
  const auto results = OpenCpu()->SelfTest("poseidon2");
  EXPECT_EQ(results.size(),
            FindOp("poseidon2")->cases(CaseSize::kSmall).size());
  for (const CaseResult& result : results) EXPECT_EQ(result.op, "poseidon2");
  EXPECT_TRUE(OpenCpu()->SelfTest("sorcery").empty());
}

}  // namespace
}  // namespace assay
