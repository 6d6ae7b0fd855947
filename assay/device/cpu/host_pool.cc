// Allocates host blocks, huge pages behind the large ones.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/cpu/host_pool.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

namespace assay {
namespace {

// Blocks from here on are aligned for huge pages.
constexpr size_t kHugeBytes = size_t{2} << 20;
constexpr size_t kAlignment = 64;

size_t Rounded(size_t bytes) {
  return std::max(kAlignment,
                  (bytes + kAlignment - 1) / kAlignment * kAlignment);
}

}  // namespace

HostPool::~HostPool() { Trim(); }

Result<std::byte*> HostPool::Take(size_t bytes) {
  const size_t rounded = Rounded(bytes);
  const auto same =
      std::find_if(kept_.begin(), kept_.end(),
                   [&](const Block& block) { return block.bytes == rounded; });
  if (same != kept_.end()) {
    std::byte* data = same->data;
    kept_.erase(same);
    kept_bytes_ -= rounded;
    live_bytes_ += rounded;
    most_bytes_ = std::max(most_bytes_, live_bytes_);
    return data;
  }
  // Make room first: the oldest blocks go.
  most_bytes_ = std::max(most_bytes_, live_bytes_ + rounded);
  while (!kept_.empty() && live_bytes_ + rounded + kept_bytes_ > most_bytes_) {
    kept_bytes_ -= kept_.front().bytes;
    std::free(kept_.front().data);
    kept_.erase(kept_.begin());
  }
  const bool huge = rounded >= kHugeBytes;
  void* data = nullptr;
  if (posix_memalign(&data, huge ? kHugeBytes : kAlignment, rounded) != 0) {
    return Error{Code::kOverBudget,
                 fmt::format("the system has no {} bytes left", bytes),
                 "lower --memory or choose a smaller problem"};
  }
  // Advice: failing costs time, not correctness.
  if (huge) (void)madvise(data, rounded, MADV_HUGEPAGE);
  live_bytes_ += rounded;
  return static_cast<std::byte*>(data);
}

void HostPool::Give(std::byte* data, size_t bytes) {
  const size_t rounded = Rounded(bytes);
  live_bytes_ -= rounded;
  // Small blocks are the allocator's own business.
  if (rounded < kHugeBytes) {
    std::free(data);
    return;
  }
  kept_.push_back({data, rounded});
  kept_bytes_ += rounded;
}

void HostPool::Trim() {
  for (const Block& block : kept_) std::free(block.data);
  kept_.clear();
  kept_bytes_ = 0;
  most_bytes_ = live_bytes_;
}

}  // namespace assay
