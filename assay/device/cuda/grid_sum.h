// Adds up, by XOR, what the threads of a whole grid hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace assay::gpu {

inline constexpr int kGridSumWords = 256;

// Memory of the stream (CudaArgs::Sums), all zero between launches.
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

// Likewise for two words that one thread of each block holds.
struct PairSumState {
  unsigned long long low, high;
  unsigned int blocks;
};

// Counts a block in, after all that this thread has written; what those
// counted before have written can be read. Returns how many there were.
__device__ __forceinline__ unsigned int CountIn(unsigned int* blocks) {
  unsigned int before;
  asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], 1;"
               : "=r"(before)
               : "l"(__cvta_generic_to_global(blocks))
               : "memory");
  return before;
}

// Adds a pair by XOR. Returns true in the last of `blocks` to arrive, and
// there the pair becomes the sum.
__device__ __forceinline__ bool PairSum(PairSumState* state,
                                        unsigned int blocks, uint64_t& low,
                                        uint64_t& high) {
  if (blocks == 1) return true;
  atomicXor(&state->low, static_cast<unsigned long long>(low));
  atomicXor(&state->high, static_cast<unsigned long long>(high));
  if (CountIn(&state->blocks) + 1 != blocks) return false;
  low = atomicExch(&state->low, 0ull);
  high = atomicExch(&state->high, 0ull);
  state->blocks = 0;
  return true;
}

}  // namespace assay::gpu
