// A parallel loop covers every index once.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace assay {
namespace {

class ThreadCounts : public testing::TestWithParam<int> {};

TEST_P(ThreadCounts, LoopsCoverEveryIndexOnce) {
  const Threads threads(GetParam());
  EXPECT_EQ(threads.count(), GetParam());
  for (const size_t total : {0, 1, 2, 7, 64, 1000, 1001}) {
    for (const size_t grain : {0, 1, 3, 7, 64, 2000}) {
      std::vector<std::atomic<int>> visits(total);
      threads.For(total, grain, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) ++visits[i];
      });
      for (size_t i = 0; i < total; ++i) {
        ASSERT_EQ(visits[i], 1)
            << "index " << i << " of " << total << ", grain " << grain;
      }
    }
  }
}

TEST_P(ThreadCounts, RangesAreMultiplesOfTheGrainButTheLast) {
  constexpr size_t kTotal = 1000;
  constexpr size_t kGrain = 7;
  const Threads threads(GetParam());
  std::mutex mutex;
  std::set<std::pair<size_t, size_t>> ranges;
  threads.For(kTotal, kGrain, [&](size_t begin, size_t end) {
    const std::lock_guard lock(mutex);
    ranges.emplace(begin, end);
  });
  size_t next = 0;
  for (const auto& [begin, end] : ranges) {
    EXPECT_EQ(begin, next);
    EXPECT_LT(begin, end);
    if (end != kTotal) {
      EXPECT_EQ(end % kGrain, 0u);
    }
    next = end;
  }
  EXPECT_EQ(next, kTotal);
}

TEST_P(ThreadCounts, LoopsNest) {
  const Threads threads(GetParam());
  std::atomic<size_t> sum = 0;
  threads.For(10, 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      threads.For(10, 1,
                  [&](size_t first, size_t last) { sum += last - first; });
    }
  });
  EXPECT_EQ(sum, 100u);
}

// An arena never hands a loop to more threads than it was given.
TEST_P(ThreadCounts, NoMoreThreadsThanAskedForTakePart) {
  const Threads threads(GetParam());
  std::mutex mutex;
  std::set<std::thread::id> seen;
  for (int round = 0; round < 10; ++round) {
    seen.clear();
    threads.For(1000, 1, [&](size_t, size_t) {
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
    EXPECT_LE(seen.size(), static_cast<size_t>(GetParam()));
  }
}

INSTANTIATE_TEST_SUITE_P(Parallel, ThreadCounts, testing::Values(1, 2, 3));

TEST(Parallel, OneThreadTakesOneCall) {
  const Threads threads(1);
  int calls = 0;
  threads.For(1000, 1, [&](size_t begin, size_t end) {
    ++calls;
    EXPECT_EQ(begin, 0u);
    EXPECT_EQ(end, 1000u);
  });
  EXPECT_EQ(calls, 1);
}

TEST(Parallel, ZeroTakesAllOfTheMachine) {
  EXPECT_GE(HardwareThreads(), 1);
  EXPECT_EQ(Threads(0).count(), HardwareThreads());
}

}  // namespace
}  // namespace assay
