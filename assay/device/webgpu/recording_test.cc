// Laws of recordings: copies leave nothing behind, failures stay known.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/webgpu/recording.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "assay/device/device.h"
#include "assay/device/webgpu/adapters.h"
#include "assay/device/webgpu/test_kernels.h"
#include "assay/device/webgpu/webgpu_backend.h"

namespace assay::webgpu {
namespace {

using Words = std::vector<uint32_t>;

// A device, and the backend in it that tests let fail.
struct Opened {
  explicit Opened(WebGpuClock clock = WebGpuClock::kDispatches) {
    auto backend = MakeWebGpuBackend(0, clock);
    EXPECT_TRUE(backend.ok()) << backend.error().what;
    raw = backend->get();
    device = std::make_unique<Device>(std::move(*backend), uint64_t{1} << 30);
  }
  assay::Buffer Holding(const Words& words) const {
    auto buffer = device->AllocateArray<uint32_t>(words.size(), "words");
    EXPECT_TRUE(buffer.ok());
    EXPECT_TRUE(
        device->Upload(buffer->As<uint32_t>(), std::span<const uint32_t>(words))
            .ok());
    return std::move(*buffer);
  }
  Words Contents(const View<uint32_t>& view) const {
    Words words(view.size());
    EXPECT_TRUE(device->Read(view, std::span<uint32_t>(words)).ok());
    return words;
  }

  Backend* raw = nullptr;
  std::unique_ptr<Device> device;
};

// Views that are bound as copies: for their offset, and since their buffer is
// also written. Whoever allocates next is given the copies' buffers.
TEST(WebGpuCopies, AreEmptyBeforeAnybodyElseHasThem) {
  constexpr uint32_t kSecret = 0x5ec2e7;
  for (const size_t count : {64, 61}) {
    for (const bool one_buffer : {false, true}) {
      const Opened opened;
      const assay::Buffer a = opened.Holding(Words(256, kSecret));
      const assay::Buffer b = opened.Holding(Words(256));
      const View<uint32_t> from = a.As<uint32_t>().Sub(one_buffer ? 0 : 4, 64);
      const View<uint32_t> to =
          (one_buffer ? a : b).As<uint32_t>().Sub(one_buffer ? 128 : 4, 64);
      Recorder recorder = opened.device->Record("test");
      for (int i = 0; i < 2; ++i) {
        recorder.Dispatch<Map>({from.Sub(0, count).raw, to.Sub(0, count).raw},
                               {static_cast<uint32_t>(count), 0, {}});
      }
      const auto read = recorder.Read(to.Sub(0, count));
      ASSERT_TRUE(opened.device->Run(std::move(recorder)).ok());
      EXPECT_EQ(read.values(), Words(count, 2 * kSecret + 1));
      std::vector<assay::Buffer> next;
      for (int i = 0; i < 4; ++i) {
        auto buffer = opened.device->AllocateArray<uint32_t>(64, "next");
        ASSERT_TRUE(buffer.ok());
        EXPECT_EQ(opened.Contents(buffer->As<uint32_t>()), Words(64));
        next.push_back(std::move(*buffer));
      }
    }
  }
}

// Whichever call fails, of all that a submission makes until it is waited for:
// where it did not begin nothing changed, where it did its ticket says at each
// time alike that the read-back is not to be trusted, and those before and
// after have theirs.
TEST(WebGpuFailures, OfAnyCallAreTheirTicketsAlone) {
  for (const WebGpuClock clock :
       {WebGpuClock::kDispatches, WebGpuClock::kHost}) {
    for (const bool reads : {true, false}) {
      int failed_to_begin = 0, failed_later = 0;
      for (int calls = 0;; ++calls) {
        SCOPED_TRACE(calls);
        const Opened opened(clock);
        const assay::Buffer buffer = opened.Holding(Words(5));
        const View<uint32_t> view = buffer.As<uint32_t>();
        const auto submit = [&](std::vector<Readback<uint32_t>>* results) {
          Recorder recorder = opened.device->Record("test");
          recorder.Dispatch<Add>({view.raw}, {5, 1, {}});
          if (reads) results->push_back(recorder.Read(view));
          return opened.device->Submit(std::move(recorder));
        };
        std::vector<Readback<uint32_t>> before, told, after;
        Ticket first = submit(&before);
        ASSERT_TRUE(first.Wait().ok());
        FailWebGpuCall(*opened.raw, calls);
        Ticket failing = submit(&told);
        const bool began = failing.Began();
        const bool failed = !failing.Wait().ok();
        FailWebGpuCall(*opened.raw, -1);
        EXPECT_EQ(!failing.Wait().ok(), failed) << "the second time";
        EXPECT_TRUE(failing.Done());
        if (!failed && reads) {
          EXPECT_EQ(told[0].values(), Words(5, 2));
        }
        Ticket last = submit(&after);
        ASSERT_TRUE(last.Wait().ok());
        EXPECT_TRUE(first.Wait().ok());
        EXPECT_EQ(!failing.Wait().ok(), failed) << "after a later one";
        EXPECT_EQ(opened.Contents(view), Words(5, began ? 3 : 2));
        if (reads) {
          EXPECT_EQ(after[0].values(), Words(5, began ? 3 : 2));
        }
        if (!failed) break;
        ++(began ? failed_later : failed_to_begin);
      }
      EXPECT_GT(failed_to_begin, 0);
      EXPECT_GT(failed_later, 0);
    }
  }
}

// Who waits for a later ticket finishes the earlier, and is not its owner.
TEST(WebGpuFailures, AreKeptForWhoAsksLater) {
  const Opened opened;
  const assay::Buffer buffer = opened.Holding(Words(5));
  const View<uint32_t> view = buffer.As<uint32_t>();
  const auto submit = [&](std::vector<Readback<uint32_t>>* results) {
    Recorder recorder = opened.device->Record("test");
    recorder.Dispatch<Add>({view.raw}, {5, 1, {}});
    results->push_back(recorder.Read(view));
    return opened.device->Submit(std::move(recorder));
  };
  std::vector<Readback<uint32_t>> results;
  Ticket first = submit(&results);
  Ticket second = submit(&results);
  FailWebGpuCall(*opened.raw, 0);
  EXPECT_TRUE(second.Wait().ok());
  EXPECT_EQ(results[1].values(), Words(5, 2));
  for (int i = 0; i < 2; ++i) {
    const Status status = first.Wait();
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, Code::kInternal);
  }
}

TEST(WebGpuStaging, ThatWasNeverMappedIsUsedAgain) {
  std::vector<FoundAdapter> found = FindAdapters();
  ASSERT_FALSE(found.empty());
  auto gpu = Gpu::Open(found[0].adapter.get());
  ASSERT_TRUE(gpu.ok());
  StagingPool pool(**gpu);
  auto staging = pool.Take(100);
  ASSERT_TRUE(staging.ok());
  (*staging)->used = 8;
  (*gpu)->FailAfter(0);
  EXPECT_FALSE(pool.Map(**staging).ok());
  pool.Give(*staging);
  auto again = pool.Take(100);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, *staging);
}

}  // namespace
}  // namespace assay::webgpu
