// The ways to transform that ntt.encode was chosen from, checked and timed.
// SPDX-License-Identifier: Apache-2.0
#include "bench/ntt_ladder.h"

#include "assay/ops/ntt/butterflies_gpu.h"

namespace assay::bench {
namespace {

constexpr unsigned kThreads = 256;

// Places of all columns: 2^log_size words each, one after the other.
struct Columns {
  uint32_t count, log_size;
  uint64_t Words() const { return uint64_t{count} << log_size; }
  unsigned Blocks(int log_each) const {
    return static_cast<unsigned>(((Words() >> log_each) + kThreads - 1) /
                                 kThreads);
  }
};

__device__ __forceinline__ uint32_t Thread() {
  return blockIdx.x * kThreads + threadIdx.x;
}

// w^e for w of order 2^log_order and e below it.
__device__ __forceinline__ uint32_t Root(const uint32_t* twiddles,
                                         uint32_t log_order, uint32_t e) {
  if (log_order == 0) return BabyBear::kOneResidue;
  const uint32_t half = 1u << (log_order - 1);
  return e < half ? twiddles[half + e]
                  : gpu::SubMod(0, twiddles[e]);  // half + (e - half)
}

// kBits stages by decimation in frequency of the sub-transforms of
// 2^log_length values: 2^kBits values a thread, natural order to reversed.
template <int kBits>
__global__ void __launch_bounds__(kThreads)
    Frequency(uint32_t* x, const uint32_t* twiddles, uint32_t log_length,
              uint64_t threads) {
  const uint32_t i = Thread();
  if (i >= threads) return;
  const uint32_t log_step = log_length - kBits;
  const uint32_t j = i & ((1u << log_step) - 1);
  uint32_t* at = x + ((uint64_t{i >> log_step} << log_length) | j);
  uint32_t v[1 << kBits];
#pragma unroll
  for (int k = 0; k < 1 << kBits; ++k) {
    v[k] = at[static_cast<uint64_t>(k) << log_step];
  }
#pragma unroll
  for (int s = kBits - 1; s >= 0; --s) {
#pragma unroll
    for (int m = 0; m < 1 << s; ++m) {
      const uint32_t w =
          twiddles[(static_cast<uint32_t>((1 << s) + m) << log_step) + j];
#pragma unroll
      for (int k = m; k < 1 << kBits; k += 2 << s) {
        const uint32_t a = v[k], b = v[k + (1 << s)];
        v[k] = gpu::AddMod(a, b);
        v[k + (1 << s)] = gpu::MulMod(gpu::SubMod(a, b), w);
      }
    }
  }
#pragma unroll
  for (int k = 0; k < 1 << kBits; ++k) {
    at[static_cast<uint64_t>(k) << log_step] = v[k];
  }
}

// The pass that follows decimation in frequency.
__global__ void __launch_bounds__(kThreads)
    Unreverse(const uint32_t* from, uint32_t* to, uint32_t log_size) {
  // Tiles of 2^5 x 2^5 by the five top and the five lowest bits.
  __shared__ uint32_t tile[32][33];
  const uint32_t middle_bits = log_size - 10;
  const uint64_t column = uint64_t{blockIdx.x >> middle_bits} << log_size;
  const uint32_t middle = blockIdx.x & ((1u << middle_bits) - 1);
  const uint32_t x = threadIdx.x & 31;
  for (uint32_t top = threadIdx.x / 32; top < 32; top += kThreads / 32) {
    tile[top][x] = from[column + ((top << middle_bits | middle) << 5 | x)];
  }
  __syncthreads();
  const uint32_t other =
      middle_bits == 0 ? 0 : __brev(middle) >> (32 - middle_bits);
  for (uint32_t top = threadIdx.x / 32; top < 32; top += kThreads / 32) {
    to[column + ((top << middle_bits | other) << 5 | x)] =
        tile[__brev(x) >> 27][__brev(top) >> 27];
  }
}

// Stockham: kBits stages from one array to the other, in order.
template <int kBits>
__global__ void __launch_bounds__(kThreads)
    Stockham(const uint32_t* from, uint32_t* to, const uint32_t* twiddles,
             uint32_t log_size, uint32_t log_done, uint64_t threads) {
  const uint32_t i = Thread();
  if (i >= threads) return;
  const uint32_t log_step = log_size - kBits;
  const uint64_t column = uint64_t{i >> log_step} << log_size;
  const uint32_t j = i & ((1u << log_step) - 1);
  const uint32_t low = j & ((1u << log_done) - 1);
  uint32_t v[1 << kBits];
#pragma unroll
  for (uint32_t k = 0; k < 1 << kBits; ++k) {
    // Decimation in time takes its values in reversed order.
    const uint32_t r = __brev(k) >> (32 - kBits);
    v[k] = gpu::MulMod(from[column + (uint64_t{r} << log_step) + j],
                       Root(twiddles, log_done + kBits, r * low));
  }
  gpu::Stages<kBits, 0>(v, twiddles, 0);
  const uint64_t at = column + ((j - low) << kBits) + low;
#pragma unroll
  for (uint32_t k = 0; k < 1 << kBits; ++k) {
    to[at + (uint64_t{k} << log_done)] = gpu::ReduceOnce(v[k]);
  }
}

// Rows of 2^log_rows x 2^log_columns words become columns.
__global__ void __launch_bounds__(kThreads)
    Transpose(const uint32_t* from, uint32_t* to, uint32_t log_rows,
              uint32_t log_columns) {
  __shared__ uint32_t tile[32][33];
  const uint64_t matrix = uint64_t{blockIdx.z} << (log_rows + log_columns);
  const uint32_t x = threadIdx.x & 31;
  for (uint32_t y = threadIdx.x / 32; y < 32; y += kThreads / 32) {
    const uint32_t row = blockIdx.y * 32 + y;
    tile[y][x] = from[matrix + (row << log_columns) + blockIdx.x * 32 + x];
  }
  __syncthreads();
  for (uint32_t y = threadIdx.x / 32; y < 32; y += kThreads / 32) {
    const uint32_t row = blockIdx.x * 32 + y;
    to[matrix + (row << log_rows) + blockIdx.y * 32 + x] = tile[x][y];
  }
}

// A row in shared memory, stage by stage; then its value k times the
// (row k)-th power of the root of order 2^log_twist, where that is not zero.
__global__ void __launch_bounds__(kThreads)
    Rows(uint32_t* x, const uint32_t* twiddles, uint32_t log_row,
         uint32_t log_rows, uint32_t log_twist) {
  extern __shared__ uint32_t v[];
  const uint32_t size = 1u << log_row;
  uint32_t* row = x + (uint64_t{blockIdx.x} << log_row);
  for (uint32_t i = threadIdx.x; i < size; i += kThreads) {
    v[__brev(i) >> (32 - log_row)] = row[i];
  }
  for (uint32_t s = 0; s < log_row; ++s) {
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < size / 2; i += kThreads) {
      const uint32_t m = i & ((1u << s) - 1);
      const uint32_t k = (i - m) * 2 + m;
      gpu::Butterfly(v[k], v[k + (1u << s)], twiddles[(1u << s) + m]);
    }
  }
  __syncthreads();
  const uint32_t number = blockIdx.x & ((1u << log_rows) - 1);
  for (uint32_t i = threadIdx.x; i < size; i += kThreads) {
    const uint32_t value = gpu::ReduceOnce(v[i]);
    row[i] = log_twist == 0
                 ? value
                 : gpu::MulMod(value, Root(twiddles, log_twist, number * i));
  }
}

template <int kBits>
void LaunchFrequency(const Columns& c, uint32_t* x, const uint32_t* twiddles,
                     uint32_t log_length) {
  Frequency<kBits><<<c.Blocks(kBits), kThreads>>>(x, twiddles, log_length,
                                                  c.Words() >> kBits);
}

template <int kBits>
void LaunchStockham(const Columns& c, const LadderData& d, bool& in_scratch,
                    uint32_t log_done) {
  const uint32_t* from = log_done == 0 ? d.message
                         : in_scratch  ? d.scratch
                                       : d.codeword;
  in_scratch = log_done == 0 ? true : !in_scratch;
  Stockham<kBits><<<c.Blocks(kBits), kThreads>>>(
      from, in_scratch ? d.scratch : d.codeword, d.twiddles, c.log_size,
      log_done, c.Words() >> kBits);
}

}  // namespace

void RadixTwo(const LadderData& d) { RadixFrequency(d, 1); }

// Passes of `bits` stages and a last one of what is left.
void RadixFrequency(const LadderData& d, uint32_t bits) {
  const Columns c = {d.columns, d.log_size};
  cudaMemcpyAsync(d.scratch, d.message, 4 * c.Words(),
                  cudaMemcpyDeviceToDevice);
  for (uint32_t left = d.log_size; left > 0;) {
    const uint32_t now = left < bits ? left : bits;
    switch (now) {
      case 1: LaunchFrequency<1>(c, d.scratch, d.twiddles, left); break;
      case 2: LaunchFrequency<2>(c, d.scratch, d.twiddles, left); break;
      case 3: LaunchFrequency<3>(c, d.scratch, d.twiddles, left); break;
      case 4: LaunchFrequency<4>(c, d.scratch, d.twiddles, left); break;
      default: LaunchFrequency<5>(c, d.scratch, d.twiddles, left); break;
    }
    left -= now;
  }
  Unreverse<<<c.Blocks(2), kThreads>>>(d.scratch, d.codeword, d.log_size);
}

// Whether the last pass writes to the codeword depends on how many there are,
// so a pass of fewer stages comes first where that is needed.
void RadixStockham(const LadderData& d) {
  const Columns c = {d.columns, d.log_size};
  uint32_t passes = (d.log_size + 3) / 4;
  passes += passes % 2;
  bool in_scratch = false;
  for (uint32_t done = 0, k = 0; k < passes; ++k) {
    const uint32_t now = (d.log_size - done) / (passes - k);
    switch (now) {
      case 1: LaunchStockham<1>(c, d, in_scratch, done); break;
      case 2: LaunchStockham<2>(c, d, in_scratch, done); break;
      case 3: LaunchStockham<3>(c, d, in_scratch, done); break;
      default: LaunchStockham<4>(c, d, in_scratch, done); break;
    }
    done += now;
  }
}

void FourStep(const LadderData& d) {
  const uint32_t log_second = d.log_size / 2;
  const uint32_t log_first = d.log_size - log_second;
  const uint32_t first = 1u << log_first, second = 1u << log_second;
  const auto transpose = [&](const uint32_t* from, uint32_t* to,
                             uint32_t log_rows, uint32_t log_columns) {
    Transpose<<<dim3(1u << log_columns >> 5, 1u << log_rows >> 5, d.columns),
                kThreads>>>(from, to, log_rows, log_columns);
  };
  transpose(d.message, d.codeword, log_first, log_second);
  Rows<<<d.columns * second, kThreads, 4 * first>>>(
      d.codeword, d.twiddles, log_first, log_second, d.log_size);
  transpose(d.codeword, d.scratch, log_second, log_first);
  Rows<<<d.columns * first, kThreads, 4 * second>>>(d.scratch, d.twiddles,
                                                    log_second, log_first, 0);
  transpose(d.scratch, d.codeword, log_first, log_second);
}

}  // namespace assay::bench
