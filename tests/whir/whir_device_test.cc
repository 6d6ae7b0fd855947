// Laws of choosing a proof's device: what does not fit moves, and says so.
// SPDX-License-Identifier: Apache-2.0
#include "cli/whir_device.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "assay/whir/instance.h"
#include "assay/whir/prove.h"
#include "assay/whir/test_double.h"

namespace assay::cli {
namespace {

whir::Parameters Small() {
  whir::Parameters parameters;
  parameters.n = 10;
  parameters.security = 30;
  parameters.pow = 4;
  return parameters;
}

// A machine with one GPU, which is a double, beside its processor.
struct Machine {
  whir::Script script;
  uint64_t gpu_bytes = uint64_t{1} << 32;
  Code fails = Code::kCancelled;  // kCancelled: opening does not fail
  std::vector<std::string> opened;

  WhirOpener Opener() {
    WhirOpener opener;
    opener.open =
        [this](const RuntimeOptions& o) -> Result<std::unique_ptr<Runtime>> {
      opened.push_back(o.device);
      if (o.device == "cpu") return Runtime::Open(o);
      if (fails != Code::kCancelled) return Error{fails, "told to fail", ""};
      const uint64_t cap = o.memory_bytes == 0 ? gpu_bytes : o.memory_bytes;
      return whir::OpenDouble(&script, cap);
    };
    opener.list = [] {
      std::vector<DeviceInfo> devices(2);
      devices[1].kind = BackendKind::kCuda;
      return devices;
    };
    return opener;
  }
};

BackendKind KindOf(const WhirOpened& opened) {
  return opened.runtime->device().info().kind;
}

WhirDevice Asked(const std::string& device) {
  WhirDevice asked;
  asked.runtime.device = device;
  asked.runtime.threads = 1;
  return asked;
}

TEST(WhirDevice, TheNamedDeviceIsTaken) {
  Machine machine;
  const auto opened = OpenForProof(Small(), Asked("cuda"), machine.Opener());
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(KindOf(*opened), BackendKind::kCuda);
  EXPECT_TRUE(opened->notes.empty());
}

TEST(WhirDevice, OverTheCapTheProcessorProvesAndANoteSaysSo) {
  Machine machine;
  WhirDevice asked = Asked("cuda");
  asked.runtime.memory_bytes = 16384;
  const auto opened = OpenForProof(Small(), asked, machine.Opener());
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(KindOf(*opened), BackendKind::kCpu);
  ASSERT_EQ(opened->notes.size(), 1u);
  EXPECT_NE(opened->notes[0].find("cuda was left"), std::string::npos);
  EXPECT_NE(opened->notes[0].find("16.0 KiB"), std::string::npos)
      << opened->notes[0];
}

TEST(WhirDevice, WithoutAFallBackTheCapIsAnError) {
  Machine machine;
  WhirDevice asked = Asked("cuda");
  asked.runtime.memory_bytes = 16384;
  asked.no_fallback = true;
  const auto opened = OpenForProof(Small(), asked, machine.Opener());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, Code::kOverBudget);
  EXPECT_EQ(machine.opened, std::vector<std::string>{"cuda"});
}

TEST(WhirDevice, TheProcessorsOwnCapHasNoFallBack) {
  Machine machine;
  WhirDevice asked = Asked("cpu");
  asked.runtime.memory_bytes = 16384;
  const auto opened = OpenForProof(Small(), asked, machine.Opener());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, Code::kOverBudget);
}

TEST(WhirDevice, WhatIsMissingLostOrWrongIsNeverReplacedWhereItWasNamed) {
  for (const Code code :
       {Code::kNoDevice, Code::kUnsupported, Code::kDeviceLost}) {
    Machine machine;
    machine.fails = code;
    const auto opened = OpenForProof(Small(), Asked("cuda"), machine.Opener());
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code, code);
    EXPECT_EQ(machine.opened, std::vector<std::string>{"cuda"});
  }
  Machine machine;
  machine.script.lie_in_reads = true;
  const auto opened = OpenForProof(Small(), Asked("cuda"), machine.Opener());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, Code::kUntrusted);
}

TEST(WhirDevice, AutoTakesTheProcessorForWhatItProvesMeanwhile) {
  Machine machine;
  const auto opened = OpenForProof(Small(), Asked("auto"), machine.Opener());
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(machine.opened, std::vector<std::string>{"cpu"});
  EXPECT_TRUE(opened->notes.empty());
}

TEST(WhirDevice, AutoGoesOnFromAGpuThatIsMissingOrFullAndSaysSo) {
  whir::Parameters large = Small();
  large.n = 24;
  {
    Machine machine;
    const auto opened = OpenForProof(large, Asked("auto"), machine.Opener());
    ASSERT_TRUE(opened.ok());
    EXPECT_EQ(KindOf(*opened), BackendKind::kCuda);
  }
  for (const bool full : {false, true}) {
    Machine machine;
    if (full) machine.gpu_bytes = 1 << 20;
    if (!full) machine.fails = Code::kUnsupported;
    const auto opened = OpenForProof(large, Asked("auto"), machine.Opener());
    ASSERT_TRUE(opened.ok());
    EXPECT_EQ(KindOf(*opened), BackendKind::kCpu);
    EXPECT_EQ(machine.opened, (std::vector<std::string>{"cuda:0", "cpu"}));
    EXPECT_EQ(opened->notes.size(), 1u);
  }
  Machine broken;
  broken.script.lie_in_reads = true;
  const auto opened = OpenForProof(large, Asked("auto"), broken.Opener());
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, Code::kUntrusted);
}

TEST(WhirDevice, MemoryThatFillsUpOnTheWayIsAReasonToMoveALossIsNot) {
  Machine machine;
  const auto opened = OpenForProof(Small(), Asked("cuda"), machine.Opener());
  ASSERT_TRUE(opened.ok());
  machine.script.code = Code::kOverBudget;
  machine.script.fail_allocation = machine.script.allocations + 3;
  const auto points = whir::SeedPoints(1, 10, 1);
  const auto proof = whir::Prove(*opened->runtime, opened->plan,
                                 whir::SeedEvals(1, 10), points);
  ASSERT_FALSE(proof.ok());
  const auto instead = OpenInstead(proof.error(), Small(), Asked("cuda"),
                                   *opened, machine.Opener());
  ASSERT_TRUE(instead.ok());
  EXPECT_EQ(KindOf(*instead), BackendKind::kCpu);
  EXPECT_EQ(instead->notes.size(), 1u);
  EXPECT_TRUE(whir::Prove(*instead->runtime, instead->plan,
                          whir::SeedEvals(1, 10), points)
                  .ok());

  WhirDevice strict = Asked("cuda");
  strict.no_fallback = true;
  EXPECT_FALSE(
      OpenInstead(proof.error(), Small(), strict, *opened, machine.Opener())
          .ok());
  const Error lost = {Code::kDeviceLost, "gone", ""};
  const auto never =
      OpenInstead(lost, Small(), Asked("cuda"), *opened, machine.Opener());
  ASSERT_FALSE(never.ok());
  EXPECT_EQ(never.error().code, Code::kDeviceLost);
}

}  // namespace
}  // namespace assay::cli
