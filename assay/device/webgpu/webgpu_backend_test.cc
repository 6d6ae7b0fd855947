// Laws of the webgpu backend, on whatever adapter comes first.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/webgpu/webgpu_backend.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "assay/base/split_mix.h"
#include "assay/device/device.h"
#include "assay/device/open_device.h"
#include "assay/device/webgpu/test_kernels.h"
#include "assay/ops/op.h"

namespace assay::webgpu {
namespace {

using Words = std::vector<uint32_t>;

std::unique_ptr<Device> OpenFirst(
    WebGpuClock clock = WebGpuClock::kDispatches) {
  auto backend = MakeWebGpuBackend(0, clock);
  EXPECT_TRUE(backend.ok()) << backend.error().what;
  return std::make_unique<Device>(std::move(*backend), uint64_t{8} << 30);
}

Words Numbered(size_t count, uint32_t first = 0) {
  Words words(count);
  std::iota(words.begin(), words.end(), first);
  return words;
}

Buffer Holding(Device& device, const Words& words) {
  auto buffer = device.AllocateArray<uint32_t>(words.size(), "words");
  EXPECT_TRUE(buffer.ok()) << buffer.error().what;
  const Status status =
      device.Upload(buffer->As<uint32_t>(), std::span<const uint32_t>(words));
  EXPECT_TRUE(status.ok()) << status.error().what;
  return std::move(*buffer);
}

template <class T>
std::vector<T> Contents(Device& device, const View<T>& view) {
  std::vector<T> values(view.size());
  const Status status = device.Read(view, std::span<T>(values));
  EXPECT_TRUE(status.ok()) << status.error().what;
  return values;
}

Add::Params Of(size_t count, uint32_t amount) {
  return {static_cast<uint32_t>(count), amount, {}};
}

Status RunOne(Device& device, void (*record)(Recorder&, const RawView&),
              const RawView& view) {
  Recorder recorder = device.Record("test");
  record(recorder, view);
  return device.Run(std::move(recorder));
}

TEST(WebGpuAdapters, AreListedWithWhatTheyAre) {
  const std::vector<DeviceInfo> devices = ListWebGpuDevices();
  ASSERT_FALSE(devices.empty()) << "this build needs a driver for Vulkan";
  for (size_t i = 0; i < devices.size(); ++i) {
    EXPECT_EQ(devices[i].kind, BackendKind::kWebGpu);
    EXPECT_EQ(devices[i].index, static_cast<int>(i));
    EXPECT_FALSE(devices[i].name.empty());
    EXPECT_NE(devices[i].detail.find("memory guessed"), std::string::npos);
    // The least that the standard lets a device have.
    EXPECT_GE(devices[i].max_binding_bytes, uint64_t{128} << 20);
  }
}

TEST(WebGpuAdapters, AreOpenedByIndex) {
  const size_t count = ListWebGpuDevices().size();
  for (size_t i = 0; i < count; ++i) {
    EXPECT_TRUE(MakeWebGpuBackend(static_cast<int>(i)).ok());
  }
  for (const int index : {-1, static_cast<int>(count)}) {
    const auto backend = MakeWebGpuBackend(index);
    ASSERT_FALSE(backend.ok());
    EXPECT_EQ(backend.error().code, Code::kNoDevice);
    EXPECT_NE(backend.error().hint.find("webgpu:0"), std::string::npos);
  }
}

TEST(WebGpuAdapters, AnswerToTheNameOfADevice) {
  for (const char* name : {"webgpu", "webgpu:0"}) {
    const auto device = OpenDevice(name, {.memory_bytes = 1 << 20});
    ASSERT_TRUE(device.ok()) << device.error().what;
    EXPECT_EQ((*device)->info().kind, BackendKind::kWebGpu);
    EXPECT_EQ((*device)->budget().limit_bytes(), uint64_t{1} << 20);
  }
  // Memory is a guess, which who knows better overrules.
  const auto more = OpenDevice("webgpu", {.memory_bytes = uint64_t{1} << 50});
  ASSERT_TRUE(more.ok());
  EXPECT_EQ((*more)->budget().limit_bytes(), uint64_t{1} << 50);
  for (const char* name : {"webgpu:", "webgpu:x", "webgpu:-1", "webgpu:99"}) {
    const auto device = OpenDevice(name);
    ASSERT_FALSE(device.ok()) << name;
    EXPECT_EQ(device.error().code, Code::kNoDevice) << name;
  }
}

// Any offset and length in bytes, though WebGPU copies words.
TEST(WebGpuBuffers, UploadsAndReadsTouchTheirBytesOnly) {
  const auto device = OpenFirst();
  constexpr size_t kBytes = 37;
  auto buffer = device->Allocate(kBytes, "bytes");
  ASSERT_TRUE(buffer.ok());
  std::vector<uint8_t> model(kBytes, 0xaa);
  ASSERT_TRUE(
      device->Upload(buffer->As<uint8_t>(), std::span<const uint8_t>(model))
          .ok());
  uint64_t step = 0;
  for (size_t first = 0; first < 9; ++first) {
    for (const size_t count : {0, 1, 2, 3, 4, 5, 8, 11, 28}) {
      std::vector<uint8_t> part(count);
      for (uint8_t& byte : part) {
        byte = static_cast<uint8_t>(SplitMix64(1, step++));
      }
      std::copy(part.begin(), part.end(),
                model.begin() + static_cast<ptrdiff_t>(first));
      const View<uint8_t> view = buffer->As<uint8_t>().Sub(first, count);
      ASSERT_TRUE(device->Upload(view, std::span<const uint8_t>(part)).ok());
      ASSERT_EQ(Contents(*device, view), part);
      ASSERT_EQ(Contents(*device, buffer->As<uint8_t>()), model)
          << first << " " << count;
    }
  }
  // Also in a recording, from any byte on.
  Recorder recorder = device->Record("test");
  std::vector<Readback<uint8_t>> reads;
  for (size_t first = 0; first < 8; ++first) {
    reads.push_back(
        recorder.Read(buffer->As<uint8_t>().Sub(first, kBytes - 2 * first)));
  }
  ASSERT_TRUE(device->Run(std::move(recorder)).ok());
  for (size_t first = 0; first < 8; ++first) {
    const auto from = model.begin() + static_cast<ptrdiff_t>(first);
    EXPECT_EQ(reads[first].values(),
              std::vector<uint8_t>(
                  from, from + static_cast<ptrdiff_t>(kBytes - 2 * first)));
  }
}

TEST(WebGpuBuffers, LongReadsComeInPiecesAndWhole) {
  const auto device = OpenFirst();
  // More than one piece of staging, and no multiple of any.
  const size_t count = (size_t{70} << 20) / 4 + 3;
  Words words(count);
  for (size_t i = 0; i < count; ++i) {
    words[i] = static_cast<uint32_t>(i) * 2654435761u;
  }
  const Buffer buffer = Holding(*device, words);
  EXPECT_TRUE(Contents(*device, buffer.As<uint32_t>()) == words);
  Recorder recorder = device->Record("test");
  const auto all = recorder.Read(buffer.As<uint32_t>());
  const auto end = recorder.Read(buffer.As<uint32_t>().Sub(count - 2, 2));
  ASSERT_TRUE(device->Run(std::move(recorder)).ok());
  EXPECT_TRUE(all.values() == words);
  EXPECT_EQ(end.values(), (Words{words[count - 2], words[count - 1]}));
  device->Trim();
  EXPECT_TRUE(Contents(*device, buffer.As<uint32_t>()) == words);
}

TEST(WebGpuBuffers, CopiesThatDoNotFitAreRefused) {
  const auto device = OpenFirst();
  const Buffer buffer = Holding(*device, Numbered(2));
  Words three(3);
  EXPECT_FALSE(
      device->Upload(buffer.As<uint32_t>(), std::span<const uint32_t>(three))
          .ok());
  EXPECT_FALSE(
      device->Read(buffer.As<uint32_t>(), std::span<uint32_t>(three)).ok());
}

TEST(WebGpuBuffers, MoreThanADeviceHasIsOverBudget) {
  const auto device = OpenFirst();
  device->budget() = Budget(UINT64_MAX / 2);
  const auto buffer = device->Allocate(size_t{1} << 60, "all");
  ASSERT_FALSE(buffer.ok());
  EXPECT_EQ(buffer.error().code, Code::kOverBudget);
  EXPECT_FALSE(buffer.error().hint.empty());
  EXPECT_EQ(device->budget().live_bytes(), 0u);
  const Buffer small = Holding(*device, Numbered(4));
  EXPECT_EQ(Contents(*device, small.As<uint32_t>()), Numbered(4));
}

TEST(WebGpuBuffers, ReleasedOnesMayComeBackButNeverTwice) {
  const auto device = OpenFirst();
  for (int round = 0; round < 3; ++round) {
    const Buffer a = Holding(*device, Numbered(1000, 1));
    const Buffer b = Holding(*device, Numbered(1000, 5000));
    EXPECT_EQ(Contents(*device, a.As<uint32_t>()), Numbered(1000, 1));
    EXPECT_EQ(Contents(*device, b.As<uint32_t>()), Numbered(1000, 5000));
    if (round == 1) device->Trim();
  }
  EXPECT_EQ(device->budget().live_bytes(), 0u);
}

TEST(WebGpuRecorder, DispatchesSeeWhatCameBefore) {
  const auto device = OpenFirst();
  const Buffer a = Holding(*device, Numbered(1000));
  const Buffer b = Holding(*device, Words(1000));
  const View<uint32_t> from = a.As<uint32_t>(), to = b.As<uint32_t>();
  Recorder recorder = device->Record("test");
  const auto before = recorder.Read(from.Sub(7, 2));
  recorder.Dispatch<Add>({from.raw}, Of(1000, 10), {2, 1, 1});
  recorder.Dispatch<Map>({from.raw, to.raw}, Of(1000, 0), {16, 1, 1});
  const auto between = recorder.Read(to);
  recorder.Dispatch<Add>({to.raw}, Of(500, 1), {1, 1, 1});
  recorder.Dispatch<Map>({to.raw, from.raw}, Of(1000, 0), {16, 1, 1});
  Ticket ticket = device->Submit(std::move(recorder));
  ASSERT_TRUE(ticket.Wait().ok());
  EXPECT_TRUE(ticket.Done());
  EXPECT_EQ(before.values(), (Words{7, 8}));
  const Words last = Contents(*device, from);
  for (uint32_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(between.values()[i], 2 * (i + 10) + 1);
    ASSERT_EQ(last[i], 2 * (2 * (i + 10) + 1 + (i < 500 ? 1 : 0)) + 1);
  }
}

// Each has parameters of its own, and more than one set of time stamps.
TEST(WebGpuRecorder, AThousandDispatchesKeepTheirParameters) {
  const auto device = OpenFirst();
  const Buffer buffer = Holding(*device, Words(64));
  Recorder recorder = device->Record("test");
  for (uint32_t i = 0; i < 1000; ++i) {
    recorder.Dispatch<Add>({buffer.As<uint32_t>().raw}, Of(i % 65, i));
  }
  ASSERT_TRUE(device->Run(std::move(recorder)).ok());
  Words expected(64);
  for (uint32_t i = 0; i < 1000; ++i) {
    for (uint32_t k = 0; k < i % 65; ++k) expected[k] += i;
  }
  EXPECT_EQ(Contents(*device, buffer.As<uint32_t>()), expected);
  Trace trace;
  device->CollectSpans(trace);
  EXPECT_EQ(trace.spans().size(), 1000u);
}

TEST(WebGpuRecorder, SubmissionsFollowEachOther) {
  const auto device = OpenFirst();
  const Buffer buffer = Holding(*device, Words(5));
  const View<uint32_t> view = buffer.As<uint32_t>();
  std::vector<Ticket> tickets;
  std::vector<Readback<uint32_t>> reads;
  for (uint32_t i = 0; i < 20; ++i) {
    Recorder recorder = device->Record("test");
    recorder.Dispatch<Add>({view.raw}, Of(5, 1));
    reads.push_back(recorder.Read(view));
    tickets.push_back(device->Submit(std::move(recorder)));
  }
  for (Ticket& ticket : tickets) ASSERT_TRUE(ticket.Wait().ok());
  for (uint32_t i = 0; i < 20; ++i) {
    EXPECT_EQ(reads[i].values(), Words(5, i + 1));
  }
}

// Offsets that a binding may have, and such as it may not: the guard words
// around show what else is written.
TEST(WebGpuViews, OfAnyWordsAreBound) {
  const auto device = OpenFirst();
  for (const size_t first : {0, 1, 3, 8, 63, 64, 65, 128}) {
    for (const size_t count : {0, 1, 5, 64, 100}) {
      const Words words = Numbered(300, 1000);
      const Buffer a = Holding(*device, words), b = Holding(*device, words);
      const View<uint32_t> from = a.As<uint32_t>().Sub(first, count);
      const View<uint32_t> to = b.As<uint32_t>().Sub(first + 5, count);
      Recorder recorder = device->Record("test");
      recorder.Dispatch<Map>({from.raw, to.raw}, Of(count, 0), {2, 1, 1});
      recorder.Dispatch<Add>({to.raw}, Of(count, 3), {1, 1, 1});
      ASSERT_TRUE(device->Run(std::move(recorder)).ok());
      Words expected = words;
      for (size_t i = 0; i < count; ++i) {
        expected[first + 5 + i] = 2 * words[first + i] + 1 + 3;
      }
      ASSERT_EQ(Contents(*device, b.As<uint32_t>()), expected)
          << first << " " << count;
      ASSERT_EQ(Contents(*device, a.As<uint32_t>()), words);
    }
  }
}

// WebGPU forbids it, even in different places.
TEST(WebGpuViews, OfOneBufferAreReadAndWrittenInADispatch) {
  const auto device = OpenFirst();
  for (const size_t to : {64, 256, 300}) {
    const Words words = Numbered(400);
    const Buffer buffer = Holding(*device, words);
    const View<uint32_t> all = buffer.As<uint32_t>();
    Recorder recorder = device->Record("test");
    recorder.Dispatch<Map>({all.Sub(128, 100).raw, all.Sub(to, 60).raw},
                           Of(60, 0));
    ASSERT_TRUE(device->Run(std::move(recorder)).ok());
    Words expected = words;
    for (size_t i = 0; i < 60; ++i) expected[to + i] = 2 * words[128 + i] + 1;
    EXPECT_EQ(Contents(*device, all), expected) << to;
  }
}

TEST(WebGpuViews, OutsideTheirBufferAreRefused) {
  const auto device = OpenFirst();
  const Buffer buffer = Holding(*device, Numbered(10));
  RawView view = buffer.As<uint32_t>().raw;
  view.bytes += 4;
  const auto record = [](Recorder& recorder, const RawView& raw) {
    recorder.Dispatch<Add>({raw}, Of(1, 1));
  };
  EXPECT_EQ(RunOne(*device, record, view).error().code, Code::kInternal);
  view.bytes = 4;
  view.offset = 2;  // within a word
  const Status within = RunOne(*device, record, view);
  ASSERT_FALSE(within.ok());
  EXPECT_NE(within.error().what.find("test.add"), std::string::npos);
  EXPECT_EQ(Contents(*device, buffer.As<uint32_t>()), Numbered(10));
}

TEST(WebGpuKernels, RunInPassesWithScratchBetween) {
  const auto device = OpenFirst();
  const Buffer words = Holding(*device, Numbered(1000));
  const Buffer sums = Holding(*device, Words(2));
  Recorder recorder = device->Record("test");
  recorder.Dispatch<Sum>(
      {words.As<uint32_t>().raw, sums.As<uint32_t>().Sub(0, 1).raw},
      Of(1000, 0));
  recorder.Dispatch<Add>({words.As<uint32_t>().raw}, Of(1000, 1), {3, 1, 1});
  recorder.Dispatch<Sum>(
      {words.As<uint32_t>().raw, sums.As<uint32_t>().Sub(1, 1).raw},
      Of(1000, 0));
  ASSERT_TRUE(device->Run(std::move(recorder)).ok());
  EXPECT_EQ(Contents(*device, sums.As<uint32_t>()), (Words{499500, 500500}));
  Trace trace;
  device->CollectSpans(trace);
  ASSERT_EQ(trace.spans().size(), 3u) << "passes are one dispatch";
  EXPECT_EQ(trace.spans()[2].name, "test.sum");
}

TEST(WebGpuKernels, WhatIsWrongWithThemIsAStatusAndTheDeviceLivesOn) {
  const auto device = OpenFirst();
  const Buffer buffer = Holding(*device, Numbered(4));
  const RawView view = buffer.As<uint32_t>().raw;
  const Status broken = RunOne(
      *device,
      [](Recorder& r, const RawView& v) { r.Dispatch<Broken>({v}, {}); }, view);
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, Code::kInternal);
  EXPECT_NE(broken.error().what.find("test.broken"), std::string::npos);
  const Status misnamed = RunOne(
      *device,
      [](Recorder& r, const RawView& v) { r.Dispatch<Misnamed>({v}, {}); },
      view);
  ASSERT_FALSE(misnamed.ok());
  EXPECT_NE(misnamed.error().what.find("test.misnamed"), std::string::npos);
  const Status elsewhere = RunOne(
      *device,
      [](Recorder& r, const RawView& v) {
        r.Dispatch<Add>({v}, Of(4, 1));
        r.Dispatch<Elsewhere>({v}, {});
      },
      view);
  ASSERT_FALSE(elsewhere.ok());
  EXPECT_EQ(elsewhere.error().code, Code::kUnsupported);
  EXPECT_NE(elsewhere.error().what.find("test.elsewhere"), std::string::npos);
  EXPECT_EQ(Contents(*device, buffer.As<uint32_t>()), Numbered(4))
      << "nothing of a refused recording runs";
  EXPECT_EQ(device->submissions(), 0u);
}

TEST(WebGpuKernels, TakeAsManyGroupsAsWebGpuAllows) {
  const auto device = OpenFirst();
  const Buffer buffer = Holding(*device, Words(70000));
  const auto record = [](Recorder& recorder, const RawView& view) {
    recorder.Dispatch<Add>({view}, Of(70000, 1), {65535, 1, 1});
  };
  ASSERT_TRUE(RunOne(*device, record, buffer.As<uint32_t>().raw).ok());
  EXPECT_EQ(Contents(*device, buffer.As<uint32_t>()), Words(70000, 1));
  for (const std::array<uint32_t, 3>& groups :
       {std::array<uint32_t, 3>{UINT32_MAX, 1, 1}, {1, 4000000000u, 1}}) {
    Recorder recorder = device->Record("test");
    recorder.Dispatch<Add>({buffer.As<uint32_t>().raw}, Of(1, 1), groups);
    const Status status = device->Run(std::move(recorder));
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, Code::kInternal);
    EXPECT_NE(status.error().what.find("groups"), std::string::npos);
  }
  EXPECT_EQ(Contents(*device, buffer.As<uint32_t>()), Words(70000, 1));
}

TEST(WebGpuKernels, GetTheBindingsThatTheyName) {
  const auto device = OpenFirst();
  const Buffer buffer = Holding(*device, Numbered(100));
  const RawView view = buffer.As<uint32_t>().raw;
  const auto one = [](Recorder& r, const RawView& v) {
    r.Dispatch<Map>({v}, Of(1, 0));
  };
  const Status status = RunOne(*device, one, view);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().what.find("1 views for 2"), std::string::npos);
  EXPECT_EQ(Contents(*device, buffer.As<uint32_t>()), Numbered(100));
}

TEST(WebGpuKernels, BindNoMoreThanTheDeviceSays) {
  const auto device = OpenFirst();
  const size_t bytes = device->info().max_binding_bytes + 16;
  auto buffer = device->Allocate(bytes, "large");
  if (!buffer.ok()) {  // where buffers are not larger than bindings
    EXPECT_EQ(buffer.error().code, Code::kOverBudget);
    return;
  }
  Recorder recorder = device->Record("test");
  recorder.Dispatch<Add>({buffer->As<uint32_t>().raw}, Of(1, 1));
  const Status status = device->Run(std::move(recorder));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Code::kOverBudget);
  // In panels it goes.
  Recorder panels = device->Record("test");
  const View<uint32_t> all = buffer->As<uint32_t>();
  const size_t half = all.size() / 2 / 64 * 64;
  panels.Dispatch<Add>({all.Sub(0, half).raw}, Of(1, 1));
  panels.Dispatch<Add>({all.Sub(half, all.size() - half).raw}, Of(1, 1));
  EXPECT_TRUE(device->Run(std::move(panels)).ok());
}

// Guard words of cases show it, though WebGPU checks indices: a binding is
// rounded up to whole vectors.
TEST(WebGpuKernels, StrayWritesAreFoundByTheCases) {
  const auto device = OpenFirst();
  OpCase good{"add", {Words(5, 7)}, nullptr, nullptr, 1, 1};
  good.record = [](Recorder& recorder, std::span<const View<uint32_t>> views) {
    recorder.Dispatch<Add>({views[0].raw}, Of(5, 2));
  };
  good.meaning = [](std::vector<Words>& buffers) { buffers[0] = Words(5, 9); };
  const CaseOutcome outcome = RunCase(*device, good, true);
  EXPECT_TRUE(outcome.passed) << outcome.detail;
  OpCase stray = good;
  stray.record = [](Recorder& recorder, std::span<const View<uint32_t>> views) {
    recorder.Dispatch<Add>({views[0].raw}, Of(5, 2));
    recorder.Dispatch<Stray>({views[0].raw}, Of(5, 1));
  };
  EXPECT_FALSE(RunCase(*device, stray, true).passed);
}

TEST(WebGpuClocks, TimeEachDispatchUnderItsNameAndStage) {
  for (const WebGpuClock clock :
       {WebGpuClock::kDispatches, WebGpuClock::kPasses, WebGpuClock::kHost}) {
    const auto device = OpenFirst(clock);
    const Buffer buffer = Holding(*device, Words(1 << 16));
    Recorder recorder = device->Record("stage");
    recorder.Dispatch<Add>({buffer.As<uint32_t>().raw}, Of(1 << 16, 1));
    recorder.Dispatch<Add>({buffer.As<uint32_t>().raw}, Of(1 << 16, 1));
    const auto read = recorder.Read(buffer.As<uint32_t>());
    Ticket ticket = device->Submit(std::move(recorder));
    ASSERT_TRUE(ticket.Wait().ok());
    EXPECT_EQ(read.values(), Words(1 << 16, 2));
    Trace trace;
    device->CollectSpans(trace);
    // The host sees submissions only.
    const bool host = clock == WebGpuClock::kHost;
    ASSERT_EQ(trace.spans().size(), host ? 1u : 2u);
    EXPECT_EQ(trace.spans()[0].name, host ? "webgpu.submission" : "test.add");
    EXPECT_EQ(trace.spans()[0].stage, "stage");
    for (const Span& span : trace.spans()) EXPECT_GT(span.duration_ns, 0);
    if (!host) {
      EXPECT_LE(trace.spans()[0].start_ns + trace.spans()[0].duration_ns,
                trace.spans()[1].start_ns);
    }
    Trace again;
    device->CollectSpans(again);
    EXPECT_TRUE(again.spans().empty());
  }
}

TEST(WebGpuClocks, LeaveOutWhatHasNoStage) {
  for (const WebGpuClock clock :
       {WebGpuClock::kDispatches, WebGpuClock::kPasses, WebGpuClock::kHost}) {
    const auto device = OpenFirst(clock);
    const Buffer buffer = Holding(*device, Words(100));
    for (const std::string_view stage : {"", "stage", ""}) {
      Recorder recorder = device->Record(stage);
      recorder.Dispatch<Add>({buffer.As<uint32_t>().raw}, Of(100, 1));
      recorder.Dispatch<Add>({buffer.As<uint32_t>().raw}, Of(100, 1));
      ASSERT_TRUE(device->Run(std::move(recorder)).ok());
      Trace trace;
      device->CollectSpans(trace);
      EXPECT_EQ(trace.spans().empty(), stage.empty());
    }
    EXPECT_EQ(Contents(*device, buffer.As<uint32_t>()), Words(100, 6));
  }
}

// Without device time and without a read-back nothing is mapped.
TEST(WebGpuClocks, AnEndIsSeenWithoutAnythingToRead) {
  const auto device = OpenFirst(WebGpuClock::kHost);
  const Buffer buffer = Holding(*device, Words(100));
  Recorder recorder = device->Record("test");
  recorder.Dispatch<Add>({buffer.As<uint32_t>().raw}, Of(100, 1), {2, 1, 1});
  Ticket ticket = device->Submit(std::move(recorder));
  ASSERT_TRUE(ticket.Wait().ok());
  EXPECT_TRUE(ticket.Done());
  EXPECT_TRUE(device->Run(device->Record("nothing")).ok());
  EXPECT_EQ(Contents(*device, buffer.As<uint32_t>()), Words(100, 1));
}

TEST(WebGpuLoss, IsToldByEveryCallAfterwards) {
  auto backend = MakeWebGpuBackend(0);
  ASSERT_TRUE(backend.ok());
  Backend* raw = backend->get();
  Device device(std::move(*backend), uint64_t{1} << 30);
  const Buffer buffer = Holding(device, Numbered(4));
  const View<uint32_t> view = buffer.As<uint32_t>();
  Recorder first = device.Record("test");
  first.Dispatch<Add>({view.raw}, Of(4, 1));
  Ticket under_way = device.Submit(std::move(first));
  LoseWebGpuDevice(*raw);

  Words words(4);
  EXPECT_EQ(device.Upload(view, std::span<const uint32_t>(words)).error().code,
            Code::kDeviceLost);
  EXPECT_EQ(device.Read(view, std::span<uint32_t>(words)).error().code,
            Code::kDeviceLost);
  EXPECT_EQ(device.Allocate(64, "more").error().code, Code::kDeviceLost);
  Recorder later = device.Record("test");
  later.Dispatch<Add>({view.raw}, Of(4, 1));
  Ticket refused = device.Submit(std::move(later));
  EXPECT_TRUE(refused.Done());
  const Status status = refused.Wait();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, Code::kDeviceLost);
  EXPECT_FALSE(status.error().hint.empty());
  EXPECT_TRUE(under_way.Done());
  EXPECT_FALSE(under_way.Wait().ok());
  device.Trim();
  EXPECT_EQ(device.budget().live_bytes(), 16u);
}

// What was done before may arrive; nothing hangs.
TEST(WebGpuLoss, DoesNotKeepAnyoneWaiting) {
  for (const WebGpuClock clock :
       {WebGpuClock::kDispatches, WebGpuClock::kHost}) {
    auto backend = MakeWebGpuBackend(0, clock);
    ASSERT_TRUE(backend.ok());
    Backend* raw = backend->get();
    Device device(std::move(*backend), uint64_t{1} << 30);
    const Buffer buffer = Holding(device, Words(1 << 20));
    Recorder recorder = device.Record("test");
    for (int i = 0; i < 50; ++i) {
      recorder.Dispatch<Add>({buffer.As<uint32_t>().raw}, Of(1 << 20, 1));
    }
    Ticket ticket = device.Submit(std::move(recorder));
    LoseWebGpuDevice(*raw);
    const Status status = ticket.Wait();
    if (!status.ok()) {
      EXPECT_EQ(status.error().code, Code::kDeviceLost);
    }
    EXPECT_TRUE(ticket.Done());
    EXPECT_EQ(device.Allocate(1 << 20, "more").error().code, Code::kDeviceLost);
  }
}

// As a new device of the same adapter would be.
TEST(WebGpuLoss, LeavesOtherDevicesAlone) {
  auto lost = MakeWebGpuBackend(0);
  ASSERT_TRUE(lost.ok());
  const auto device = OpenFirst();
  LoseWebGpuDevice(**lost);
  const Buffer buffer = Holding(*device, Numbered(4));
  EXPECT_EQ(Contents(*device, buffer.As<uint32_t>()), Numbered(4));
}

}  // namespace
}  // namespace assay::webgpu
