// GHASH on the GPU: a lane a thread, each by Horner in a power of the key.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/grid_sum.h"
#include "assay/device/cuda/launch.h"
#include "assay/number/gf2_128_cuda.h"
#include "assay/ops/ghash/ghash_kernels.h"

namespace assay {
namespace {

using gpu::KeyOf;
using gpu::MulReflected;

constexpr int kThreads = 256;
constexpr int kBlocksOfSm = 5;  // as many as 48 registers a thread allow
constexpr int kAhead = 8;       // loads under way in each thread
constexpr int kPowers = 40;

// H^(2^t), reflected and divided by x. Wiped by the next key: it is
// as secret as H.
struct Powers {
  Word128 key[kPowers];
};
__device__ Powers g_powers;
__device__ gpu::GridSumState g_sum;

// Bytes as GHASH reads them: the first byte holds x^0 to x^7, its highest bit
// x^0.
__device__ __forceinline__ Word128 Reflected(uint64_t first, uint64_t second) {
  const auto swap = [](uint64_t x) {
    const uint32_t low = __byte_perm(static_cast<uint32_t>(x), 0, 0x0123);
    const uint32_t high =
        __byte_perm(static_cast<uint32_t>(x >> 32), 0, 0x0123);
    return static_cast<uint64_t>(low) << 32 | high;
  };
  return {swap(second), swap(first)};
}

__device__ __forceinline__ Word128 LoadBlock(const uint8_t* data, uint64_t i) {
  const ulonglong2 x = __ldcs(reinterpret_cast<const ulonglong2*>(data) + i);
  return Reflected(x.x, x.y);
}

// One thread: squares, one after the other.
__global__ void MakePowers(const uint8_t* h, int count) {
  Word128 power = LoadBlock(h, 0);
  for (int t = 0; t < count; ++t) {
    const Word128 key = KeyOf(power);
    g_powers.key[t] = key;
    power = MulReflected(power, key);
  }
}

__device__ Word128 PowerOf(uint64_t exponent) {
  Word128 power = {0, uint64_t{1} << 63};  // 1
  for (int t = 0; exponent != 0; ++t, exponent >>= 1) {
    if ((exponent & 1) != 0) power = MulReflected(power, g_powers.key[t]);
  }
  return power;
}

// Blocks are front-padded with zeros to a multiple of the lanes: lane l holds
// blocks l - pad, l - pad + lanes, ... (docs/engines/binary.md, section 3).
__global__ void __launch_bounds__(kThreads)
    Hash(const uint8_t* data, uint64_t bytes, uint8_t* state) {
  const uint64_t blocks = (bytes + 15) / 16, whole = bytes / 16;
  const uint64_t lanes = uint64_t{gridDim.x} * kThreads;
  const uint64_t lane = uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const uint64_t rows = (blocks + lanes - 1) / lanes;
  const uint64_t pad = rows * lanes - blocks;
  const Word128 step = KeyOf(PowerOf(lanes));
  Word128 y = {0, 0};
  // The first block of a lane, which may be padding, takes the state along.
  uint64_t i = lane;
  const auto block = [&](uint64_t at) -> Word128 {
    if (at < pad) return {0, 0};
    const uint64_t k = at - pad;
    Word128 x;
    if (k < whole) {
      x = LoadBlock(data, k);
    } else {
      uint64_t words[2] = {0, 0};
      for (uint64_t b = 0; b < bytes - 16 * k; ++b) {
        words[b / 8] |= uint64_t{data[16 * k + b]} << (8 * (b % 8));
      }
      x = Reflected(words[0], words[1]);
    }
    return k == 0 ? x ^ LoadBlock(state, 0) : x;
  };
  if (rows > 0) y = block(i);
  i += lanes;
  const uint64_t end = rows * lanes;
  // Whole blocks that are neither first nor last, some loads ahead.
  while (i + kAhead * lanes < end) {
    Word128 x[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      x[k] = LoadBlock(data, i + static_cast<uint64_t>(k) * lanes - pad);
    }
#pragma unroll
    for (int k = 0; k < kAhead; ++k) y = MulReflected(y, step) ^ x[k];
    i += kAhead * lanes;
  }
  for (; i < end; i += lanes) y = MulReflected(y, step) ^ block(i);
  y = MulReflected(y, KeyOf(PowerOf(lanes - lane)));
  const uint64_t mine[2] = {y.low, y.high};
  __shared__ uint64_t sum[2];
  if (!gpu::GridSum<2>(mine, &g_sum, sum)) return;
  if (threadIdx.x < 16) {
    const unsigned k = threadIdx.x;
    state[k] = static_cast<uint8_t>(sum[k < 8 ? 1 : 0] >> (8 * (7 - k % 8)));
  }
}

void Launch(const CudaArgs& args) {
  const auto& p = args.Params<Ghash::Params>();
  const uint64_t bytes = uint64_t{p.bytes_high} << 32 | p.bytes_low;
  if (bytes == 0) return;
  const uint64_t blocks = (bytes + 15) / 16;
  // A few blocks a lane where there are few: the power of a lane costs about
  // ten products.
  const uint64_t most =
      static_cast<uint64_t>(args.multiprocessors) * kBlocksOfSm;
  const uint64_t wanted = (blocks + 4 * kThreads - 1) / (4 * kThreads);
  const auto grid = static_cast<unsigned>(std::min(most, wanted));
  int powers = 1;
  while ((uint64_t{1} << powers) <= uint64_t{grid} * kThreads) ++powers;
  MakePowers<<<1, 1, 0, args.stream>>>(args.Get<uint8_t>(0), powers);
  Hash<<<grid, kThreads, 0, args.stream>>>(args.Get<uint8_t>(1), bytes,
                                           args.Get<uint8_t>(2));
}

}  // namespace

CudaEntry Ghash::Cuda() { return {Launch}; }

}  // namespace assay
