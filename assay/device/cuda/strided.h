// Deals blocks of 16 bytes to the threads of a grid, some loads ahead.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace assay::gpu {

// Thread `lane` of `lanes` takes each lanes-th block, the last one of all
// being that of the last thread; blocks in front of the first are padding.
// Neighbours read neighbours, and kAhead loads of each thread are under way.
template <int kAhead>
class Strided {
 public:
  // Precondition: blocks > 0 and lane < lanes.
  __device__ __forceinline__ Strided(uint64_t blocks, uint64_t lanes,
                                     uint64_t lane)
      : lanes_(static_cast<int64_t>(lanes)) {
    const uint64_t rows = (blocks + lanes - 1) / lanes;
    batches_ = (rows + kAhead - 1) / kAhead;
    padded_ = static_cast<int>(batches_ * kAhead - rows);
    at_ = static_cast<int64_t>(blocks + lane) -
          static_cast<int64_t>(batches_ * kAhead * lanes);
  }

  // Begins the first loads. edge(k) is block k, which may be the first or the
  // last one of all, or zeros for k < 0.
  template <class Edge>
  __device__ __forceinline__ void Begin(const Edge& edge) {
#pragma unroll
    for (int k = 0; k < kAhead; ++k, at_ += lanes_) {
      ahead_[k] = k < padded_ ? ulonglong2{0, 0} : edge(at_);
    }
  }

  // Calls take(x) for each block in turn; zeros may come first. load(k) is
  // block k, which is neither the first nor the last one.
  template <class Load, class Edge, class Take>
  __device__ __forceinline__ void Walk(const Load& load, const Edge& edge,
                                       const Take& take) {
    int padded = padded_;
    for (uint64_t batch = 1; batch < batches_; ++batch, padded = 0) {
#pragma unroll
      for (int k = 0; k < kAhead; ++k, at_ += lanes_) {
        if (k >= padded) take(ahead_[k]);
        ahead_[k] = k == kAhead - 1 ? edge(at_) : load(at_);
      }
    }
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      if (k >= padded) take(ahead_[k]);
    }
  }

 private:
  int64_t lanes_, at_;
  uint64_t batches_;
  int padded_;  // rows of the first batch that are all padding
  ulonglong2 ahead_[kAhead];
};

}  // namespace assay::gpu
