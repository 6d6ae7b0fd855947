// Adds up, mod p, what the threads of a grid hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/device/cuda/grid_sum.h"
#include "assay/number/ext4_cuda.h"

namespace assay::gpu {

// Where the blocks of one sum meet, in memory of the stream (CudaArgs::Sums),
// all zero between launches.
template <int kWords>
struct ResidueSumState {
  unsigned long long words[kWords];
  unsigned long long blocks;
};

// Residues of all lanes: lane l gets the sum of word l >> (5 - log2 kWords).
template <int kWords>
__device__ __forceinline__ uint32_t WarpSum(uint32_t (&words)[kWords]) {
  static_assert(kWords <= 32 && (kWords & (kWords - 1)) == 0);
  // Halves of what is left change places until each lane has one word.
#pragma unroll
  for (int left = kWords; left > 1; left /= 2) {
    const auto lanes = static_cast<unsigned>(16 * left / kWords);
    const bool upper = (threadIdx.x & lanes) != 0;
#pragma unroll
    for (int k = 0; k < kWords / 2; ++k) {
      if (k >= left / 2) break;
      const uint32_t keep = upper ? words[k + left / 2] : words[k];
      const uint32_t send = upper ? words[k] : words[k + left / 2];
      words[k] = AddMod(keep, __shfl_xor_sync(0xffffffff, send, lanes));
    }
  }
#pragma unroll
  for (unsigned lanes = 16 / kWords; lanes > 0; lanes /= 2) {
    words[0] = AddMod(words[0], __shfl_xor_sync(0xffffffff, words[0], lanes));
  }
  return words[0];
}

// The residue of a sum of fewer than 2^32 residues.
__device__ __forceinline__ uint32_t Residue(uint64_t sum) {
  // The reduction takes 2^32 away, the product with 2^64 brings it back.
  return MulMod(ReduceOnce(ReduceLazy(sum)), BabyBear::kRSquared);
}

// Adds `words` of all threads of the `blocks` blocks that share `state`; the
// last of them to arrive writes the sums, and leaves zeros in `state`. Blocks
// have whole warps.
template <int kWords>
__device__ __forceinline__ void ResidueSum(uint32_t (&words)[kWords],
                                           ResidueSumState<kWords>* state,
                                           uint32_t blocks, uint32_t* out) {
  __shared__ uint32_t shared[32][kWords];
  constexpr int kLanes = 32 / kWords;
  const uint32_t sum = WarpSum(words);
  if (threadIdx.x % kLanes == 0) {
    shared[threadIdx.x / 32][threadIdx.x % 32 / kLanes] = sum;
  }
  __syncthreads();
  if (threadIdx.x >= 32) return;
  const bool adds = threadIdx.x < kWords;
  uint64_t total = 0;
  if (adds) {
    for (uint32_t warp = 0; warp < blockDim.x / 32; ++warp) {
      total += shared[warp][threadIdx.x];
    }
  }
  if (blocks > 1) {
    if (adds) atomicAdd(&state->words[threadIdx.x], total);
    __threadfence();
    __syncwarp();
    uint32_t before = 0;
    if (threadIdx.x == 0) {
      before = CountIn(reinterpret_cast<unsigned int*>(&state->blocks));
    }
    before = __shfl_sync(0xffffffff, before, 0);
    if (before + 1 != blocks) return;
    __threadfence();
    if (adds) total = atomicExch(&state->words[threadIdx.x], 0ull);
    if (threadIdx.x == 0) state->blocks = 0;
  }
  if (adds) out[threadIdx.x] = Residue(total);
}

// The words of `kCount` elements, one after the other.
template <int kCount>
__device__ __forceinline__ void WordsOf(const Ext4 (&elements)[kCount],
                                        uint32_t (&words)[4 * kCount]) {
#pragma unroll
  for (int k = 0; k < 4 * kCount; ++k) {
    words[k] = elements[k / 4].c[k % 4].residue;
  }
}

}  // namespace assay::gpu
