// Adds up, by XOR, what the threads of a whole grid hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace assay::gpu {

inline constexpr int kGridSumWords = 256;

// One a kernel, in memory of the device, all zero between launches: kernels
// of a stream follow each other.
struct GridSumState {
  unsigned long long words[kGridSumWords];
  unsigned int blocks;
};

// XORs `count` words of all threads. Returns true in every thread of the last
// block to arrive, and only there `out` (in shared memory) holds the result.
// Blocks have whole warps, at most 1024 threads. State is zero again after.
template <int kCount>
__device__ bool GridSum(const uint64_t* mine, GridSumState* state,
                        uint64_t* out) {
  static_assert(kCount <= kGridSumWords);
  __shared__ unsigned long long shared[kCount];
  __shared__ bool last;
  for (int k = static_cast<int>(threadIdx.x); k < kCount;
       k += static_cast<int>(blockDim.x)) {
    shared[k] = 0;
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < kCount; ++k) {
    uint64_t value = mine[k];
#pragma unroll
    for (int step = 16; step > 0; step /= 2) {
      value ^= __shfl_xor_sync(0xffffffff, value, step);
    }
    if ((threadIdx.x & 31) == 0) {
      atomicXor(&shared[k], static_cast<unsigned long long>(value));
    }
  }
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < kCount;
       k += static_cast<int>(blockDim.x)) {
    atomicXor(&state->words[k], shared[k]);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    last = atomicAdd(&state->blocks, 1u) + 1 == gridDim.x;
  }
  __syncthreads();
  if (!last) return false;
  __threadfence();
  for (int k = static_cast<int>(threadIdx.x); k < kCount;
       k += static_cast<int>(blockDim.x)) {
    out[k] = atomicExch(&state->words[k], 0ull);
  }
  if (threadIdx.x == 0) state->blocks = 0;
  __syncthreads();
  return true;
}

}  // namespace assay::gpu
