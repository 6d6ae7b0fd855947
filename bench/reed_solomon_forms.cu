// Products over GF(2^8) by tables in shared memory, and by shifts.
// SPDX-License-Identifier: Apache-2.0
#include "bench/reed_solomon_forms.h"

#include <cuda_runtime.h>

#include <algorithm>

#include "assay/number/gf256.h"

namespace assay::bench {
namespace {

constexpr int kThreads = 256;
constexpr int kOutputs = 4;
constexpr int kMostInputs = 32;
constexpr int kBlocksOfSm = 4;

struct Coefficients {
  uint8_t of[kMostInputs][kOutputs];
};

__device__ __forceinline__ uint32_t Times2(uint32_t x) {
  const uint32_t carries = (x >> 7) & 0x01010101;
  return ((x & 0x7f7f7f7f) << 1) ^ (carries * (gf256::kPolynomial & 0xff));
}

__device__ __forceinline__ uint32_t WordOf(uint4 x, int w) {
  return w == 0 ? x.x : w == 1 ? x.y : w == 2 ? x.z : x.w;
}

__global__ void __launch_bounds__(kThreads, kBlocksOfSm)
    ByTables(const __grid_constant__ Coefficients c, FourOutputs s) {
  extern __shared__ uint32_t tables[];
  for (uint32_t k = threadIdx.x; k < s.inputs * 256; k += kThreads) {
    // The four coefficients in a word, times the byte.
    uint32_t multiple = 0, sum = 0;
    for (int i = kOutputs - 1; i >= 0; --i) {
      multiple = multiple << 8 | c.of[k / 256][i];
    }
    for (int bit = 0; bit < 8; ++bit) {
      if ((k >> bit & 1) != 0) sum ^= multiple;
      multiple = Times2(multiple);
    }
    tables[k] = sum;
  }
  __syncthreads();
  for (uint64_t at = (uint64_t{blockIdx.x} * kThreads + threadIdx.x) * 16;
       at < s.bytes; at += uint64_t{gridDim.x} * kThreads * 16) {
    uint32_t sums[16] = {};  // a byte's four outputs
    const uint8_t* in = s.in + at;
#pragma unroll 2
    for (uint32_t j = 0; j < s.inputs; ++j, in += s.in_stride) {
      const uint4 x = __ldcs(reinterpret_cast<const uint4*>(in));
      const uint32_t* table = tables + 256 * j;
#pragma unroll
      for (int b = 0; b < 16; ++b) {
        sums[b] ^= table[WordOf(x, b / 4) >> (8 * (b % 4)) & 0xff];
      }
    }
#pragma unroll
    for (int i = 0; i < kOutputs; ++i) {
      uint32_t words[4];
#pragma unroll
      for (int w = 0; w < 4; ++w) {
        const uint32_t pair = 0x0040 + 0x11 * i;  // byte i of both
        words[w] = __byte_perm(
            __byte_perm(sums[4 * w], sums[4 * w + 1], pair),
            __byte_perm(sums[4 * w + 2], sums[4 * w + 3], pair), 0x5410);
      }
      __stcs(reinterpret_cast<uint4*>(s.out + i * s.out_stride + at),
             {words[0], words[1], words[2], words[3]});
    }
  }
}

__global__ void __launch_bounds__(kThreads, kBlocksOfSm)
    ByShifts(const __grid_constant__ Coefficients c, FourOutputs s) {
  __shared__ uint32_t masks[kMostInputs][8][kOutputs];
  for (uint32_t k = threadIdx.x; k < s.inputs * 8 * kOutputs; k += kThreads) {
    const uint32_t j = k / (8 * kOutputs), bit = k / kOutputs % 8;
    masks[j][bit][k % kOutputs] =
        0 - (uint32_t{c.of[j][k % kOutputs]} >> bit & 1);
  }
  __syncthreads();
  for (uint64_t at = (uint64_t{blockIdx.x} * kThreads + threadIdx.x) * 16;
       at < s.bytes; at += uint64_t{gridDim.x} * kThreads * 16) {
    uint32_t sums[kOutputs][4] = {};
    const uint8_t* in = s.in + at;
#pragma unroll 2
    for (uint32_t j = 0; j < s.inputs; ++j, in += s.in_stride) {
      const uint4 x = __ldcs(reinterpret_cast<const uint4*>(in));
      uint32_t multiple[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
      for (int bit = 0; bit < 8; ++bit) {
        const uint4 m = *reinterpret_cast<const uint4*>(masks[j][bit]);
#pragma unroll
        for (int w = 0; w < 4; ++w) {
          sums[0][w] ^= multiple[w] & m.x;
          sums[1][w] ^= multiple[w] & m.y;
          sums[2][w] ^= multiple[w] & m.z;
          sums[3][w] ^= multiple[w] & m.w;
          multiple[w] = Times2(multiple[w]);
        }
      }
    }
#pragma unroll
    for (int i = 0; i < kOutputs; ++i) {
      __stcs(reinterpret_cast<uint4*>(s.out + i * s.out_stride + at),
             {sums[i][0], sums[i][1], sums[i][2], sums[i][3]});
    }
  }
}

Coefficients CoefficientsOf(const FourOutputs& shards) {
  Coefficients c = {};
  for (uint32_t j = 0; j < shards.inputs; ++j) {
    for (uint32_t i = 0; i < kOutputs; ++i) {
      c.of[j][i] = shards.rows[i * shards.inputs + j];
    }
  }
  return c;
}

unsigned GridOf(const FourOutputs& shards, int multiprocessors) {
  const uint64_t tiles = (shards.bytes / 16 + kThreads - 1) / kThreads;
  return static_cast<unsigned>(
      std::min<uint64_t>(tiles, multiprocessors * kBlocksOfSm));
}

}  // namespace

void LaunchTables(const FourOutputs& shards, int multiprocessors) {
  ByTables<<<GridOf(shards, multiprocessors), kThreads, shards.inputs * 1024>>>(
      CoefficientsOf(shards), shards);
}

void LaunchShifts(const FourOutputs& shards, int multiprocessors) {
  ByShifts<<<GridOf(shards, multiprocessors), kThreads>>>(
      CoefficientsOf(shards), shards);
}

}  // namespace assay::bench
