// Laws of buffers, budgets, recordings and read-backs.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/device.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "assay/device/failures.h"
#include "assay/device/open_device.h"

namespace assay {
namespace {

// Adds a number to each word.
struct Add {
  static constexpr std::string_view kName = "test.add";
  static constexpr std::array kBindings = {Access::kReadWrite};
  struct Params {
    uint32_t amount;
    uint32_t pad[3];
  };
  static CpuEntry Cpu() {
    return {[](const CpuArgs& args) {
      for (uint32_t& word : args.Get<uint32_t>(0)) {
        word += args.Params<Params>().amount;
      }
    }};
  }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() { return {}; }
};

// Copies words.
struct Copy {
  static constexpr std::string_view kName = "test.copy";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  struct Params {
    uint32_t pad[4];
  };
  static CpuEntry Cpu() {
    return {[](const CpuArgs& args) {
      const std::span<const uint32_t> from = args.Get<uint32_t>(0);
      std::copy(from.begin(), from.end(), args.Get<uint32_t>(1).begin());
    }};
  }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() { return {}; }
};

// A kernel that other devices have.
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

// Counts what a backend is asked for, and runs nothing.
struct Calls {
  int allocations = 0;
  int releases = 0;
  std::vector<Command> commands;
};
class CountingBackend final : public Backend {
 public:
  explicit CountingBackend(Calls& calls) : calls_(&calls) {}

  const DeviceInfo& Info() const override { return info_; }
  Result<RawBuffer> Allocate(size_t bytes, Role) override {
    return RawBuffer{static_cast<uint64_t>(++calls_->allocations), nullptr,
                     bytes};
  }
  void Release(RawBuffer) override { ++calls_->releases; }
  Status Upload(const RawView&, std::span<const std::byte>) override {
    return {};
  }
  Status Prepare(const KernelRow&) override { return {}; }
  Result<uint64_t> Submit(std::vector<Command> commands) override {
    calls_->commands = std::move(commands);
    return Error{Code::kDeviceLost, "the device fell off the bus", ""};
  }
  bool Done(uint64_t) override { return false; }
  Status Wait(uint64_t) override { return {}; }
  Status Read(const RawView&, std::span<std::byte>) override { return {}; }
  void Timestamps(Trace&) override {}
  void Trim() override {}

 private:
  Calls* calls_;
  DeviceInfo info_;
};

std::unique_ptr<Device> OpenCpu(uint64_t memory_bytes = 0) {
  auto device = OpenDevice("cpu", {.threads = 1, .memory_bytes = memory_bytes});
  EXPECT_TRUE(device.ok());
  return std::move(*device);
}

// A buffer of words that hold `value`.
Buffer Filled(Device& device, size_t words, uint32_t value) {
  auto buffer = device.AllocateArray<uint32_t>(words, "words");
  EXPECT_TRUE(buffer.ok());
  const std::vector<uint32_t> values(words, value);
  EXPECT_TRUE(
      device.Upload(buffer->As<uint32_t>(), std::span<const uint32_t>(values))
          .ok());
  return std::move(*buffer);
}

TEST(Budget, RefusesBeforeAllocationAndNamesTheLabel) {
  Calls calls;
  Device device(std::make_unique<CountingBackend>(calls), 1000);
  auto first = device.Allocate(600, "codeword");
  ASSERT_TRUE(first.ok());
  const auto second = device.Allocate(401, "tree");
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code, Code::kOverBudget);
  EXPECT_NE(second.error().what.find("tree"), std::string::npos);
  EXPECT_NE(second.error().what.find("401"), std::string::npos);
  EXPECT_FALSE(second.error().hint.empty());
  EXPECT_EQ(calls.allocations, 1);
  EXPECT_TRUE(device.Allocate(400, "tree").ok());
}

TEST(Device, APlaceForAReadBackOutlivesWhoAsked) {
  Calls calls;
  Device device(std::make_unique<CountingBackend>(calls), 1000);
  const auto buffer = device.Allocate(16, "digest");
  ASSERT_TRUE(buffer.ok());
  {
    Recorder recorder = device.Record("ask");
    recorder.Read(buffer->As<uint32_t>());
    device.Submit(std::move(recorder));
  }
  ASSERT_EQ(calls.commands.size(), 1u);
  EXPECT_EQ(calls.commands[0].owner.use_count(), 1);
  std::memset(calls.commands[0].destination, 1, 16);
}

TEST(Budget, DoesNotOverflow) {
  Budget budget(1000);
  budget.Take("a", 10);
  EXPECT_FALSE(budget.Fits(UINT64_MAX));
  EXPECT_FALSE(budget.Fits(UINT64_MAX - 5));
  EXPECT_TRUE(budget.Fits(990));
  EXPECT_FALSE(budget.Fits(991));
}

TEST(Budget, CountsByLabelAndKeepsThePeak) {
  Calls calls;
  Device device(std::make_unique<CountingBackend>(calls), 1000);
  {
    auto a = device.Allocate(100, "table");
    auto b = device.Allocate(200, "table");
    auto c = device.Allocate(300, "tree");
    EXPECT_EQ(device.budget().live_bytes(), 600u);
    EXPECT_EQ(device.budget().by_label().at("table"), 300u);
    EXPECT_EQ(device.budget().by_label().at("tree"), 300u);
  }
  EXPECT_EQ(calls.releases, 3);
  EXPECT_EQ(device.budget().live_bytes(), 0u);
  EXPECT_TRUE(device.budget().by_label().empty());
  EXPECT_EQ(device.budget().peak_bytes(), 600u);
  device.budget().ResetPeak();
  EXPECT_EQ(device.budget().peak_bytes(), 0u);
}

TEST(Buffer, GivesItsBytesBackOnceHoweverItIsMoved) {
  Calls calls;
  Device device(std::make_unique<CountingBackend>(calls), 1000);
  Buffer a = std::move(*device.Allocate(100, "a"));
  Buffer b = std::move(*device.Allocate(200, "b"));
  Buffer moved = std::move(a);
  EXPECT_FALSE(static_cast<bool>(a));  // NOLINT: moved from on purpose
  EXPECT_EQ(device.budget().live_bytes(), 300u);
  b = std::move(moved);  // gives back what b held
  EXPECT_EQ(device.budget().live_bytes(), 100u);
  EXPECT_EQ(b.bytes(), 100u);
  b.Reset();
  b.Reset();
  EXPECT_EQ(device.budget().live_bytes(), 0u);
  EXPECT_EQ(calls.releases, 2);
}

TEST(Ticket, CarriesTheErrorOfTheSubmission) {
  Calls calls;
  Device device(std::make_unique<CountingBackend>(calls), 1000);
  Ticket ticket = device.Submit(device.Record("nothing"));
  EXPECT_TRUE(ticket.Done());
  EXPECT_FALSE(ticket.Began());
  const Status status = ticket.Wait();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Code::kDeviceLost);
  EXPECT_EQ(device.submissions(), 0u);
}

TEST(Failures, AreToldOfTheirTicketEachTime) {
  Failures failures;
  failures.Add(3, {});
  failures.Add(4, Error{Code::kDeviceLost, "first", ""});
  failures.Add(4, Error{Code::kInternal, "second", ""});
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(failures.Of(3).ok());
    EXPECT_TRUE(failures.Of(5).ok());
    const Status status = failures.Of(4);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().what, "first");
  }
}

TEST(Recorder, ADispatchSeesEarlierWrites) {
  const auto device = OpenCpu();
  const Buffer a = Filled(*device, 5, 1);
  const Buffer b = Filled(*device, 5, 0);
  Recorder recorder = device->Record("test");
  recorder.Dispatch<Add>({a.As<uint32_t>().raw}, {10, {}});
  recorder.Dispatch<Copy>({a.As<uint32_t>().raw, b.As<uint32_t>().raw}, {});
  recorder.Dispatch<Add>({b.As<uint32_t>().raw}, {100, {}});
  ASSERT_TRUE(device->Run(std::move(recorder)).ok());
  std::vector<uint32_t> values(5);
  ASSERT_TRUE(device->Read(b.As<uint32_t>(), std::span<uint32_t>(values)).ok());
  EXPECT_EQ(values, std::vector<uint32_t>(5, 111));
}

TEST(Recorder, ReadsSeeWhatWasWrittenBeforeThemAndNothingLater) {
  const auto device = OpenCpu();
  const Buffer buffer = Filled(*device, 3, 0);
  const View<uint32_t> view = buffer.As<uint32_t>();
  Recorder recorder = device->Record("test");
  const Readback<uint32_t> before = recorder.Read(view);
  recorder.Dispatch<Add>({view.raw}, {1, {}});
  const Readback<uint32_t> between = recorder.Read(view.Sub(1, 2));
  recorder.Dispatch<Add>({view.raw}, {1, {}});
  const Readback<uint32_t> after = recorder.Read(view);
  EXPECT_EQ(recorder.size(), 5u);
  Ticket ticket = device->Submit(std::move(recorder));
  ASSERT_TRUE(ticket.Wait().ok());
  EXPECT_TRUE(ticket.Done());
  EXPECT_EQ(before.values(), std::vector<uint32_t>(3, 0));
  EXPECT_EQ(between.values(), std::vector<uint32_t>(2, 1));
  EXPECT_EQ(*after, 2u);
  EXPECT_EQ(device->submissions(), 1u);
}

TEST(Recorder, DispatchesOnPartsLeaveTheRest) {
  const auto device = OpenCpu();
  const Buffer buffer = Filled(*device, 6, 7);
  Recorder recorder = device->Record("test");
  const View<uint32_t> part = buffer.As<uint32_t>().Sub(1, 4).Sub(1, 2);
  EXPECT_EQ(part.size(), 2u);
  recorder.Dispatch<Add>({part.raw}, {1, {}});
  const auto values = recorder.Read(buffer.As<uint32_t>());
  ASSERT_TRUE(device->Run(std::move(recorder)).ok());
  EXPECT_EQ(values.values(), (std::vector<uint32_t>{7, 7, 8, 8, 7, 7}));
}

TEST(Device, NamesAKernelThatItLacks) {
  const auto device = OpenCpu();
  const Buffer buffer = Filled(*device, 1, 0);
  Recorder recorder = device->Record("test");
  recorder.Dispatch<Add>({buffer.As<uint32_t>().raw}, {1, {}});
  recorder.Dispatch<Elsewhere>({buffer.As<uint32_t>().raw}, {});
  const Status status = device->Run(std::move(recorder));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Code::kInternal);
  EXPECT_NE(status.error().what.find("test.elsewhere"), std::string::npos);
  uint32_t value = 0;
  ASSERT_TRUE(
      device->Read(buffer.As<uint32_t>(), std::span<uint32_t>(&value, 1)).ok());
  EXPECT_EQ(value, 0u) << "nothing of a refused recording runs";
}

TEST(Device, RefusesCopiesThatDoNotFit) {
  const auto device = OpenCpu();
  const Buffer buffer = Filled(*device, 2, 0);
  std::vector<uint32_t> three(3);
  EXPECT_FALSE(
      device->Upload(buffer.As<uint32_t>(), std::span<const uint32_t>(three))
          .ok());
  EXPECT_FALSE(
      device->Read(buffer.As<uint32_t>(), std::span<uint32_t>(three)).ok());
}

TEST(Device, TimesEachDispatchUnderItsNameAndStage) {
  const auto device = OpenCpu();
  const Buffer buffer = Filled(*device, 1, 0);
  Recorder recorder = device->Record("stage");
  recorder.Dispatch<Add>({buffer.As<uint32_t>().raw}, {1, {}});
  ASSERT_TRUE(device->Run(std::move(recorder)).ok());
  Trace trace;
  device->CollectSpans(trace);
  ASSERT_EQ(trace.spans().size(), 1u);
  EXPECT_EQ(trace.spans()[0].name, "test.add");
  EXPECT_EQ(trace.spans()[0].stage, "stage");
  EXPECT_GE(trace.spans()[0].duration_ns, 0);
  Trace again;
  device->CollectSpans(again);
  EXPECT_TRUE(again.spans().empty());
}

// Small blocks and large ones, which the backend may keep and hand out again.
TEST(CpuDevice, BuffersAreAlignedDistinctAndWritable) {
  const auto device = OpenCpu();
  for (const size_t bytes : {size_t{1}, size_t{100}, size_t{5} << 20}) {
    for (int round = 0; round < 3; ++round) {
      auto a = device->Allocate(bytes, "a");
      auto b = device->Allocate(bytes, "b");
      ASSERT_TRUE(a.ok() && b.ok());
      EXPECT_NE(a->host_data(), b->host_data());
      EXPECT_EQ(reinterpret_cast<uintptr_t>(a->host_data()) % 64, 0u);
      std::memset(a->host_data(), 1, bytes);
      std::memset(b->host_data(), 2, bytes);
      EXPECT_EQ(a->host_data()[bytes - 1], std::byte{1});
    }
    device->Trim();
  }
  EXPECT_EQ(device->budget().live_bytes(), 0u);
}

TEST(CpuDevice, MemoryIsCappedByTheOption) {
  const auto device = OpenCpu(1 << 20);
  EXPECT_EQ(device->budget().limit_bytes(), uint64_t{1} << 20);
  EXPECT_TRUE(device->Allocate(1 << 20, "all").ok());
  EXPECT_FALSE(device->Allocate((1 << 20) + 1, "more").ok());
}

TEST(CpuDevice, SaysWhatItIs) {
  const auto device = OpenCpu();
  EXPECT_EQ(device->info().kind, BackendKind::kCpu);
  EXPECT_EQ(device->info().threads, 1);
  EXPECT_TRUE(device->info().unified_memory);
  EXPECT_FALSE(device->info().name.empty());
  EXPECT_FALSE(ListDevices().empty());
}

TEST(CpuDevice, SpansThatNobodyCollectsAreBounded) {
  const auto device = OpenCpu();
  auto buffer = device->AllocateArray<uint32_t>(1, "word");
  ASSERT_TRUE(buffer.ok());
  constexpr int kEach = 1000;
  for (int i = 0; i < 70; ++i) {
    Recorder recorder = device->Record("many");
    for (int j = 0; j < kEach; ++j) {
      recorder.Dispatch<Add>({buffer->As<uint32_t>().raw}, {1, {}});
    }
    ASSERT_TRUE(device->Run(std::move(recorder)).ok());
  }
  Trace trace;
  device->CollectSpans(trace);
  EXPECT_LT(trace.spans().size(), size_t{70} * kEach);
  EXPECT_GT(trace.spans().size(), size_t{10} * kEach);
}

TEST(OpenDevice, RunsOnTheVectorTargetThatIsAskedFor) {
  const std::vector<std::string> targets = CpuTargets();
  ASSERT_FALSE(targets.empty());
  const auto detail = [] {
    return std::move(*OpenDevice("cpu", {.threads = 1}))->info().detail;
  };
  for (const std::string& target : targets) {
    ASSERT_TRUE(UseCpuTarget(target).ok());
    EXPECT_EQ(detail(), target + ", 1 thread");
    EXPECT_EQ(CpuTargets().front(), target);
  }
  EXPECT_EQ(UseCpuTarget("none").error().code, Code::kInvalidInput);
  ASSERT_TRUE(UseCpuTarget("").ok());
  EXPECT_EQ(detail(), targets.front() + ", 1 thread");
}

}  // namespace
}  // namespace assay
