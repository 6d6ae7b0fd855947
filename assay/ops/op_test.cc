// A wrong kernel is caught, whatever it gets wrong.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/op.h"

#include <gtest/gtest.h>

#include "assay/device/open_device.h"
#include "assay/number/babybear.h"
#include "assay/ops/op_list.h"

namespace assay {
namespace {

// Adds one to each word of its second binding, but for the fault that its
// parameter names.
enum class Fault : uint32_t {
  kNone,
  kWrongWord,
  kWriteAfter,
  kWriteBefore,
  kChangedInput,
  kMissedWord,
};

struct AddOne {
  static constexpr std::string_view kName = "test.add_one";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  struct Params {
    Fault fault;
    uint32_t pad[3];
  };
  static CpuEntry Cpu() {
    return {[](const CpuArgs& args) {
      const std::span<uint32_t> input = args.Get<uint32_t>(0);
      const std::span<uint32_t> words = args.Get<uint32_t>(1);
      const Fault fault = args.Params<Params>().fault;
      for (uint32_t& word : words) ++word;
      if (fault == Fault::kWrongWord) words[1] ^= 0x100;
      if (fault == Fault::kWriteAfter) words.data()[words.size()] = 0;
      if (fault == Fault::kWriteBefore) *(words.data() - 1) = 0;
      if (fault == Fault::kChangedInput) ++input[0];
      if (fault == Fault::kMissedWord) --words.back();
    }};
  }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() { return {}; }
};

// A kernel for other devices.
struct Elsewhere {
  static constexpr std::string_view kName = "test.elsewhere";
  static constexpr std::array kBindings = {Access::kReadWrite};
  struct Params {
    uint32_t pad[4];
  };
  static CpuEntry Cpu() { return {}; }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() { return {}; }
};

OpCase CaseWith(Fault fault) {
  OpCase result;
  result.name = "test.add_one";
  result.buffers = {{7, 8}, {1, 2, 3}};
  result.record = [fault](Recorder& recorder,
                          std::span<const View<uint32_t>> views) {
    recorder.Dispatch<AddOne>({views[0].raw, views[1].raw}, {fault, {}});
  };
  result.meaning = [](std::vector<std::vector<uint32_t>>& buffers) {
    for (uint32_t& word : buffers[1]) ++word;
  };
  return result;
}

CaseOutcome Outcome(const OpCase& op_case, bool compare = true) {
  auto device = OpenDevice("cpu", {.threads = 1});
  return RunCase(**device, op_case, compare);
}

TEST(RunCase, PassesARightKernel) {
  const CaseOutcome outcome = Outcome(CaseWith(Fault::kNone));
  EXPECT_TRUE(outcome.passed);
  EXPECT_EQ(outcome.detail, "");
}

TEST(RunCase, CatchesAWrongWord) {
  const CaseOutcome outcome = Outcome(CaseWith(Fault::kWrongWord));
  EXPECT_FALSE(outcome.passed);
  EXPECT_EQ(outcome.detail, "buffer 1 word 1: 0x103 instead of 0x3");
}

TEST(RunCase, CatchesAMissedWord) {
  EXPECT_EQ(Outcome(CaseWith(Fault::kMissedWord)).detail,
            "buffer 1 word 2: 0x3 instead of 0x4");
}

TEST(RunCase, CatchesStrayWritesOnBothSides) {
  EXPECT_EQ(Outcome(CaseWith(Fault::kWriteAfter)).detail,
            "buffer 1: a stray write at word 3");
  EXPECT_EQ(Outcome(CaseWith(Fault::kWriteBefore)).detail,
            "buffer 1: a stray write at word -1");
}

TEST(RunCase, CatchesAChangedInput) {
  EXPECT_EQ(Outcome(CaseWith(Fault::kChangedInput)).detail,
            "buffer 0 word 0: 0x8 instead of 0x7");
}

TEST(RunCase, ComparesNothingUnlessAsked) {
  EXPECT_TRUE(Outcome(CaseWith(Fault::kWrongWord), false).passed);
}

TEST(RunCase, NamesAKernelThatTheDeviceLacks) {
  OpCase op_case = CaseWith(Fault::kNone);
  op_case.record = [](Recorder& recorder,
                      std::span<const View<uint32_t>> views) {
    recorder.Dispatch<Elsewhere>({views[0].raw}, {});
  };
  const CaseOutcome outcome = Outcome(op_case);
  EXPECT_FALSE(outcome.passed);
  EXPECT_NE(outcome.detail.find("test.elsewhere"), std::string::npos);
}

TEST(RandomResidues, AreBelowThePrimeAndFollowTheSeed) {
  const auto words = RandomResidues(1, 1000);
  for (const uint32_t word : words) EXPECT_LT(word, BabyBear::kPrime);
  EXPECT_EQ(words, RandomResidues(1, 1000));
  EXPECT_NE(words, RandomResidues(2, 1000));
}

TEST(OpList, FindsOpsByName) {
  for (const Op& op : OpList()) EXPECT_EQ(FindOp(op.name), &op);
  EXPECT_EQ(FindOp("sorcery"), nullptr);
}

}  // namespace
}  // namespace assay
