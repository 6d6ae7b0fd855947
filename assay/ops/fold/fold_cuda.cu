// Folding and weights on the GPU.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/launch.h"
#include "assay/number/ext4_cuda.h"
#include "assay/ops/fold/fold_kernels.h"

namespace assay {
namespace {

using gpu::Ext4BaseSum;
using gpu::Ext4Factor;

constexpr uint32_t kThreads = 256;

// One thread an entry; weights go through shared memory, kThreads at a time.
__global__ void __launch_bounds__(kThreads)
    Base(const BabyBear* __restrict__ table, const Ext4* __restrict__ weights,
         BabyBear* __restrict__ out, uint32_t log_blocks, uint32_t log_size,
         uint64_t stride) {
  __shared__ gpu::Ext4Words shared[kThreads];
  const uint64_t size = uint64_t{1} << log_size;
  const uint64_t i = uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const uint32_t blocks = 1u << log_blocks;
  Ext4BaseSum sum;
  for (uint32_t first = 0; first < blocks; first += kThreads) {
    const uint32_t count = min(kThreads, blocks - first);
    if (first > 0) __syncthreads();
    if (threadIdx.x < count) {
      shared[threadIdx.x].x = weights[first + threadIdx.x];
    }
    __syncthreads();
    if (i >= size) continue;
    const BabyBear* at = table + first * size + i;
    uint32_t c = 0;
    for (; c + 8 <= count; c += 8) {
      BabyBear x[8];
#pragma unroll
      for (uint32_t k = 0; k < 8; ++k) x[k] = at[(c + k) * size];
#pragma unroll
      for (uint32_t k = 0; k < 8; k += 2) {
        sum.Add(shared[c + k].x, x[k], shared[c + k + 1].x, x[k + 1]);
      }
    }
    for (; c < count; ++c) sum.Add(shared[c].x, at[c * size]);
  }
  if (i < size) gpu::StorePlanes(sum.Value(), out, stride, i);
}

// A thread keeps its low weight and walks over the high ones.
template <bool kAccumulate>
__global__ void __launch_bounds__(kThreads)
    Eq(const BabyBear* __restrict__ low, const Ext4* __restrict__ high,
       BabyBear* w, uint32_t log_low, uint32_t log_high, uint64_t stride) {
  const uint64_t threads = uint64_t{gridDim.x} * kThreads;
  const uint64_t first = uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const uint64_t low_size = uint64_t{1} << log_low;
  const uint64_t high_size = uint64_t{1} << log_high;
  const uint64_t high_step = threads < low_size ? 1 : threads >> log_low;
  for (uint64_t l = first & (low_size - 1); l < low_size; l += threads) {
    const Ext4Factor factor = Ext4Factor::Of(gpu::LoadPlanes(low, low_size, l));
#pragma unroll 4
    for (uint64_t h = first >> log_low; h < high_size; h += high_step) {
      const uint64_t i = h << log_low | l;
      Ext4 x = gpu::Mul(high[h], factor);
      if constexpr (kAccumulate) {
        x = gpu::Add(x, gpu::LoadPlanes(w, stride, i));
      }
      gpu::StorePlanes(x, w, stride, i);
    }
  }
}

// weights.select is a product of matrices: entry i = (high, low) of the weights
// is sum_j (coefficient_j y_j^high) y_j^low, the left factor in the extension.
// A block makes 4 kRows x 2^7 entries, a thread kRows x 2, from kPowers factors
// of each kind at a time, which its threads make first, 8 threads a power. More
// rows share the factors, fewer fill the GPU with a small table.
constexpr uint32_t kPowers = 32;
constexpr uint32_t kLogLow = 7, kLowSize = 1u << kLogLow;

// Rows of low factors are apart by so much that the threads that make them
// write to different banks.
template <uint32_t kLogHigh>
struct Factors {
  gpu::Ext4Words high[kPowers][1u << kLogHigh];
  uint32_t low[kPowers][kLowSize + 8];
};

// The factors of one power: thread `part` of 8 makes 16 low ones, those of its
// three lowest bits, and 2 high ones, which differ in their lowest bit. Bit t
// of an entry's index stands for y^(2^t), or, reversed, for the power of the
// bit as far from the top.
template <uint32_t kLogHigh>
__device__ __forceinline__ void MakeFactors(BabyBear y, const Ext4& coefficient,
                                            uint32_t log_size, bool reversed,
                                            uint32_t block, uint32_t part,
                                            uint32_t* low,
                                            gpu::Ext4Words* high) {
  constexpr uint32_t kPartBits = 3, kOwnBits = kLogLow - kPartBits;
  // The bits of an index at which this thread's factors have a one, those of
  // its own left out.
  const uint32_t low_bits = part;
  const uint64_t high_bits = (uint64_t{block} << kLogHigh | part << 1)
                             << kLogLow;
  BabyBear own[kOwnBits], odd = BabyBear::One();
#pragma unroll
  for (uint32_t k = 0; k < kOwnBits; ++k) own[k] = BabyBear::One();
  BabyBear low_power = BabyBear::One(), high_power = BabyBear::One();
  BabyBear power = y;
  for (uint32_t e = 0; e < log_size; ++e, power = gpu::Mul(power, power)) {
    const uint32_t bit = reversed ? log_size - 1 - e : e;
#pragma unroll
    for (uint32_t k = 0; k < kOwnBits; ++k) {
      if (bit == kPartBits + k) own[k] = power;
    }
    if (bit == kLogLow) odd = power;
    if ((low_bits >> bit & 1) != 0) low_power = gpu::Mul(low_power, power);
    if ((high_bits >> bit & 1) != 0) high_power = gpu::Mul(high_power, power);
  }
  BabyBear powers[1 << kOwnBits];
  powers[0] = low_power;
#pragma unroll
  for (uint32_t k = 0; k < kOwnBits; ++k) {
#pragma unroll
    for (uint32_t b = 0; b < 1u << k; ++b) {
      powers[(1u << k) + b] = gpu::Mul(powers[b], own[k]);
    }
  }
#pragma unroll
  for (uint32_t b = 0; b < 1u << kOwnBits; ++b) {
    low[b << kPartBits | part] = powers[b].residue;
  }
  if (part >= 1u << (kLogHigh - 1)) return;
  const Ext4 even = gpu::Mul(coefficient, high_power);
  high[2 * part].x = even;
  high[2 * part + 1].x = gpu::Mul(even, odd);
}

template <uint32_t kLogHigh>
__global__ void __launch_bounds__(kThreads, 2)
    Select(const BabyBear* __restrict__ y,
           const Ext4* __restrict__ coefficients, BabyBear* w, uint32_t count,
           uint32_t log_size, uint64_t stride, bool reversed) {
  constexpr uint32_t kHighSize = 1u << kLogHigh, kRows = kHighSize / 4;
  __shared__ Factors<kLogHigh> factors;
  const uint32_t low = threadIdx.x & 63, high = threadIdx.x >> 6;
  Ext4BaseSum sums[kRows][2];
  for (uint32_t first = 0; first < count; first += kPowers) {
    if (first > 0) __syncthreads();
    {
      const uint32_t j = threadIdx.x >> 3, part = threadIdx.x & 7;
      const bool present = first + j < count;
      MakeFactors<kLogHigh>(present ? y[first + j] : BabyBear::Zero(),
                            present ? coefficients[first + j] : Ext4::Zero(),
                            log_size, reversed, blockIdx.x, part,
                            factors.low[j], factors.high[j]);
    }
    __syncthreads();
    const uint32_t end = min(kPowers, count - first);
    // An odd one's partner has zeros.
    for (uint32_t j = 0; j < end; j += 2) {
      BabyBear x[2][2];
#pragma unroll
      for (uint32_t k = 0; k < 2; ++k) {
        x[k][0].residue = factors.low[j + k][low];
        x[k][1].residue = factors.low[j + k][low + 64];
      }
#pragma unroll
      for (uint32_t r = 0; r < kRows; ++r) {
        const Ext4 even = factors.high[j][kRows * high + r].x;
        const Ext4 odd = factors.high[j + 1][kRows * high + r].x;
        sums[r][0].Add(even, x[0][0], odd, x[1][0]);
        sums[r][1].Add(even, x[0][1], odd, x[1][1]);
      }
    }
  }
  const uint64_t size = uint64_t{1} << log_size;
#pragma unroll
  for (uint32_t r = 0; r < kRows; ++r) {
#pragma unroll
    for (uint32_t k = 0; k < 2; ++k) {
      const uint64_t i =
          (uint64_t{blockIdx.x} * kHighSize + kRows * high + r) * kLowSize +
          low + 64 * k;
      if (i >= size) continue;
      gpu::StorePlanes(
          gpu::Add(gpu::LoadPlanes(w, stride, i), sums[r][k].Value()), w,
          stride, i);
    }
  }
}

constexpr uint32_t kLogTile = 5, kTile = 1u << kLogTile;
constexpr uint32_t kTileRows = 8;

// Entries whose middle bits are m change places, and are transposed, with
// those whose middle bits are m reversed: tiles of 2^5 x 2^5 entries by their
// five top and five lowest bits.
__global__ void __launch_bounds__(kTile* kTileRows)
    ReverseTiles(uint32_t* table, uint32_t log_size) {
  __shared__ uint32_t tiles[2][kTile][kTile + 1];
  const uint32_t middle_bits = log_size - 2 * kLogTile;
  const uint32_t m = blockIdx.x;
  const uint32_t other = middle_bits == 0 ? 0 : __brev(m) >> (32 - middle_bits);
  if (m > other) return;
  const auto at = [&](uint32_t middle, uint32_t top) {
    return table + ((top << middle_bits | middle) << kLogTile) + threadIdx.x;
  };
  for (uint32_t top = threadIdx.y; top < kTile; top += kTileRows) {
    tiles[0][top][threadIdx.x] = *at(m, top);
    tiles[1][top][threadIdx.x] = *at(other, top);
  }
  __syncthreads();
  const uint32_t from = __brev(threadIdx.x) >> (32 - kLogTile);
  for (uint32_t top = threadIdx.y; top < kTile; top += kTileRows) {
    const uint32_t reversed = __brev(top) >> (32 - kLogTile);
    *at(m, top) = tiles[1][from][reversed];
    if (m != other) *at(other, top) = tiles[0][from][reversed];
  }
}

__global__ void ReverseSmall(uint32_t* table, uint32_t log_size) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1u << log_size) return;
  const uint32_t j = __brev(i) >> (32 - log_size);
  if (i >= j) return;
  const uint32_t x = table[i];
  table[i] = table[j];
  table[j] = x;
}

unsigned Groups(uint64_t entries, uint64_t each) {
  return static_cast<unsigned>((entries + each - 1) / each);
}

void LaunchBase(const CudaArgs& args) {
  const auto& p = args.Params<FoldBase::Params>();
  Base<<<Groups(uint64_t{1} << p.log_size, kThreads), kThreads, 0,
         args.stream>>>(args.Get<BabyBear>(0), args.Get<Ext4>(1),
                        args.Get<BabyBear>(2), p.log_blocks, p.log_size,
                        p.stride);
}

void LaunchEq(const CudaArgs& args) {
  const auto& p = args.Params<FoldEq::Params>();
  // A power of two, so that a thread keeps its low weight.
  const unsigned most = 1024;
  const unsigned grid =
      std::min(most, Groups(uint64_t{1} << (p.log_low + p.log_high), kThreads));
  auto* kernel = p.accumulate != 0 ? Eq<true> : Eq<false>;
  kernel<<<grid, kThreads, 0, args.stream>>>(
      args.Get<BabyBear>(0), args.Get<Ext4>(1), args.Get<BabyBear>(2),
      p.log_low, p.log_high, p.stride);
}

void LaunchSelect(const CudaArgs& args) {
  const auto& p = args.Params<FoldSelect::Params>();
  if (p.count == 0) return;
  const uint64_t size = uint64_t{1} << p.log_size;
  const bool small =
      size / (kLowSize * 8) < static_cast<uint64_t>(args.multiprocessors);
  auto* kernel = small ? Select<2> : Select<4>;
  kernel<<<Groups(size, kLowSize * (small ? 4 : 16)), kThreads, 0,
           args.stream>>>(args.Get<BabyBear>(0), args.Get<Ext4>(1),
                          args.Get<BabyBear>(2), p.count, p.log_size, p.stride,
                          p.reversed != 0);
}

void LaunchReverse(const CudaArgs& args) {
  const uint32_t log_size = args.Params<FoldReverse::Params>().log_size;
  uint32_t* table = args.Get<uint32_t>(0);
  if (log_size < 2) return;  // 0 and 1 are their own reverse
  if (log_size < 2 * kLogTile) {
    ReverseSmall<<<Groups(uint64_t{1} << log_size, kThreads), kThreads, 0,
                   args.stream>>>(table, log_size);
    return;
  }
  ReverseTiles<<<1u << (log_size - 2 * kLogTile), dim3(kTile, kTileRows), 0,
                 args.stream>>>(table, log_size);
}

}  // namespace

CudaEntry FoldBase::Cuda() { return {LaunchBase}; }
CudaEntry FoldEq::Cuda() { return {LaunchEq}; }
CudaEntry FoldSelect::Cuda() { return {LaunchSelect}; }
CudaEntry FoldReverse::Cuda() { return {LaunchReverse}; }

}  // namespace assay
