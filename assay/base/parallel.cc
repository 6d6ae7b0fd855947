// Runs loops over oneTBB's workers.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/parallel.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>

namespace assay {

int HardwareThreads() {
  return std::max(1, oneapi::tbb::info::default_concurrency());
}

struct Threads::Arena {
  // The library's default cap is the machine's size; more threads than that
  // are the caller's wish.
  explicit Arena(int count)
      : cap(oneapi::tbb::global_control::max_allowed_parallelism,
            static_cast<size_t>(std::max(count, HardwareThreads()))),
        arena(count) {}
  oneapi::tbb::global_control cap;
  oneapi::tbb::task_arena arena;
};

Threads::Threads(int count)
    : count_(count > 0 ? count : HardwareThreads()),
      arena_(std::make_unique<Arena>(count_)) {}

Threads::~Threads() = default;

void Threads::Run(size_t total, size_t grain, RangeFn fn, void* context) const {
  const size_t step = std::max<size_t>(grain, 1);
  const size_t chunks = (total + step - 1) / step;
  arena_->arena.execute([&] {
    oneapi::tbb::parallel_for(
        oneapi::tbb::blocked_range<size_t>(0, chunks),
        [&](const oneapi::tbb::blocked_range<size_t>& range) {
          fn(context, range.begin() * step,
             std::min(total, range.end() * step));
        });
  });
}

}  // namespace assay
