// Multiplies 1024 blocks at a time, bit plane by bit plane, in four warps.
// SPDX-License-Identifier: Apache-2.0
#include "bench/ghash_bit_sliced.h"

#include <algorithm>

#include "assay/device/cuda/grid_sum.h"
#include "assay/number/gf2_128_cuda.h"

namespace assay::bench {
namespace {

using gpu::KeyOf;
using gpu::MulReflected;
using gpu::SquareReflected;

constexpr int kWarps = 4;  // each makes 32 of the 128 bit planes
constexpr int kThreads = 32 * kWarps;
constexpr int kLanes = 32 * 32;  // blocks side by side: a warp's registers
constexpr int kBlocksOfSm = 4;
constexpr int kPowers = 24;
constexpr int kSpill = 7;  // planes that a reduction pushes into the next word

__device__ gpu::PairSumState g_sum;

// Planes: coefficient x^i of all lanes. In memory bit p of the q-th word of
// 32 bits of a block belongs to x^(32 q + (p xor 7)).
using Planes = uint32_t[32];

__device__ __forceinline__ void Transpose(Planes& a) {
  uint32_t mask = 0x0000ffff;
#pragma unroll
  for (int j = 16; j != 0; j /= 2, mask ^= mask << j) {
#pragma unroll
    for (int k = 0; k < 32; ++k) {
      if ((k & j) != 0) continue;
      const uint32_t t = (a[k] >> j ^ a[k + j]) & mask;
      a[k + j] ^= t;
      a[k] ^= t << j;
    }
  }
}

// The lower or upper half of the product of 32 planes each.
template <bool kUpper>
__device__ __forceinline__ void AddProduct(Planes& sum, const Planes& a,
                                           const uint32_t* masks) {
#pragma unroll
  for (int j = 0; j < 32; ++j) {
    const uint32_t mask = masks[j];
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      if ((i + j >= 32) == kUpper) sum[(i + j) % 32] ^= a[i] & mask;
    }
  }
}

__device__ uint64_t Swap(uint64_t x) {
  const uint32_t low = __byte_perm(static_cast<uint32_t>(x), 0, 0x0123);
  const uint32_t high = __byte_perm(static_cast<uint32_t>(x >> 32), 0, 0x0123);
  return static_cast<uint64_t>(low) << 32 | high;
}
__device__ Word128 Reflected(ulonglong2 x) { return {Swap(x.y), Swap(x.x)}; }

__device__ Word128 PowerOf(const Word128* powers, uint32_t exponent) {
  Word128 power = {0, uint64_t{1} << 63};
  for (int t = 0; exponent != 0; ++t, exponent >>= 1) {
    if ((exponent & 1) != 0) power = MulReflected(power, powers[t]);
  }
  return power;
}

// Lane 32 r + l of a block: bit r of thread l.
__global__ void __launch_bounds__(kThreads, kBlocksOfSm)
    Hash(const uint8_t* h, const uint8_t* data, uint64_t bytes,
         uint8_t* state) {
  __shared__ Word128 powers[kPowers];
  __shared__ uint32_t masks[4][32];  // H^lanes, a plane a word
  __shared__ uint32_t y[4][32][32];  // [word][plane][thread]
  __shared__ uint32_t spill[4][kSpill][32];
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int lane = static_cast<int>(threadIdx.x % 32);
  const uint32_t lanes = gridDim.x * kLanes;
  const auto blocks = static_cast<int64_t>((bytes + 15) / 16);
  const int64_t rows = (blocks + lanes - 1) / lanes;
  int64_t at = int64_t{blockIdx.x} * kLanes + lane + blocks - rows * lanes;

  // Word `warp` of 32 blocks.
  Planes next;
  const auto load = [&] {
#pragma unroll
    for (int r = 0; r < 32; ++r) {
      const int64_t k = at + 32 * r;
      next[r] = 0;
      if (k < 0) continue;
      const int64_t first = 16 * k + 4 * warp;
      if (first + 4 <= static_cast<int64_t>(bytes)) {
        next[r] = __ldcs(reinterpret_cast<const uint32_t*>(data + first));
      } else {
        for (int b = 0; first + b < static_cast<int64_t>(bytes); ++b) {
          next[r] |= uint32_t{data[first + b]} << (8 * b);
        }
      }
      if (k == 0) next[r] ^= reinterpret_cast<const uint32_t*>(state)[warp];
    }
    at += lanes;
  };
  load();
  if (threadIdx.x == 0) {
    Word128 power = Reflected(*reinterpret_cast<const ulonglong2*>(h));
    for (int t = 0; lanes >> t != 0; ++t) {
      powers[t] = KeyOf(power);
      power = SquareReflected(power);
    }
  }
  __syncthreads();
  {
    const Word128 step = PowerOf(powers, lanes);
    const int i = static_cast<int>(threadIdx.x);
    const uint64_t word = i < 64 ? step.high : step.low;
    masks[warp][lane] = 0 - static_cast<uint32_t>(word >> (63 - i % 64) & 1);
  }
#pragma unroll
  for (int i = 0; i < 32; ++i) y[warp][i][lane] = 0;

#pragma unroll 1
  for (int64_t row = 0; row < rows; ++row) {
    __syncthreads();
    Planes sum = {};
    // The upper half first: x^128 = x^7 + x^2 + x + 1 folds it to the lower.
#pragma unroll 1
    for (int half = 1; half >= 0; --half) {
#pragma unroll 1
      for (int a = 0; a < 4; ++a) {
        Planes factor;
#pragma unroll
        for (int i = 0; i < 32; ++i) factor[i] = y[a][i][lane];
        const int b = warp + 4 * half - a;
        if (b >= 0 && b < 4) AddProduct<false>(sum, factor, masks[b]);
        if (b >= 1 && b < 5) AddProduct<true>(sum, factor, masks[b - 1]);
      }
      if (half == 0) break;
#pragma unroll
      for (int k = 32 + kSpill - 1; k >= 0; --k) {
        uint32_t folded = k < 32 ? sum[k] : 0;
        if (k >= 1 && k - 1 < 32) folded ^= sum[k - 1];
        if (k >= 2 && k - 2 < 32) folded ^= sum[k - 2];
        if (k >= 7 && k - 7 < 32) folded ^= sum[k - 7];
        if (k < 32) {
          sum[k] = folded;
        } else {
          spill[warp][k - 32][lane] = folded;
        }
      }
    }
    __syncthreads();
    uint32_t more[kSpill];
#pragma unroll
    for (int k = 0; k < kSpill; ++k) more[k] = spill[(warp + 3) % 4][k][lane];
#pragma unroll
    for (int k = 0; k < kSpill; ++k) {
      sum[k] ^= more[k];
      if (warp != 0) continue;  // those of x^128 and above fold once more
      sum[k + 1] ^= more[k];
      sum[k + 2] ^= more[k];
      sum[k + 7] ^= more[k];
    }
    Transpose(next);
#pragma unroll
    for (int i = 0; i < 32; ++i) y[warp][i][lane] = sum[i] ^ next[i ^ 7];
    if (row + 1 < rows) load();
  }

  // Words again; then a lane l is worth H^(lanes - l).
#pragma unroll
  for (int p = 0; p < 32; ++p) next[p] = y[warp][p ^ 7][lane];
  Transpose(next);
#pragma unroll
  for (int r = 0; r < 32; ++r) y[warp][r][lane] = next[r];
  __syncthreads();
  Word128 total = {0, 0};
  for (int r = warp; r < 32; r += kWarps) {
    const auto word = [&](int q) { return uint64_t{y[q][r][lane]}; };
    total = MulReflected(total, powers[7]) ^
            Reflected({word(1) << 32 | word(0), word(3) << 32 | word(2)});
  }
  const uint32_t after =
      (gridDim.x - blockIdx.x) * kLanes - (kLanes - kThreads) - threadIdx.x;
  total = MulReflected(total, KeyOf(PowerOf(powers, after)));
  __shared__ unsigned long long low, high;
  if (threadIdx.x == 0) low = high = 0;
  __syncthreads();
  atomicXor(&low, static_cast<unsigned long long>(total.low));
  atomicXor(&high, static_cast<unsigned long long>(total.high));
  __syncthreads();
  if (threadIdx.x != 0) return;
  total = {low, high};
  if (!gpu::PairSum(&g_sum, gridDim.x, total.low, total.high)) return;
  *reinterpret_cast<ulonglong2*>(state) = {Swap(total.high), Swap(total.low)};
}

}  // namespace

void LaunchBitSlicedGhash(const uint8_t* h, const uint8_t* data, uint64_t bytes,
                          uint8_t* state, int multiprocessors,
                          cudaStream_t stream) {
  if (bytes == 0) return;
  const uint64_t wanted = ((bytes + 15) / 16 + kLanes - 1) / kLanes;
  const auto most = static_cast<uint64_t>(multiprocessors) * kBlocksOfSm;
  Hash<<<static_cast<unsigned>(std::min(most, wanted)), kThreads, 0, stream>>>(
      h, data, bytes, state);
}

}  // namespace assay::bench
