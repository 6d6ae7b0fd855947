// GHASH on the GPU: a lane a thread, each by Horner in a power of the key.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/grid_sum.h"
#include "assay/device/cuda/launch.h"
#include "assay/device/cuda/strided.h"
#include "assay/number/gf2_128_cuda.h"
#include "assay/ops/ghash/ghash_kernels.h"

namespace assay {
namespace {

using gpu::KeyOf;
using gpu::MulReflected;
using gpu::SquareReflected;

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kBlocksOfSm = 4;
constexpr int kRows = 2;     // blocks a lane at least, where there are few
constexpr int kAhead = 8;    // loads under way in each thread
constexpr int kPowers = 24;  // for fewer than 2^24 lanes

// Powers of H as KeyOf wants them; as secret as H.
struct Keys {
  Word128 power[kPowers];  // H^(2^t)
  Word128 step;            // H^lanes
  Word128 lane[32];        // H^(32 - lane) of a warp's lanes
  Word128 warp[kWarps];    // what the warps of this block still lack
};

// Bytes as GHASH reads them: the first byte holds x^0 to x^7, its highest bit
// x^0.
__device__ __forceinline__ uint64_t Swap(uint64_t x) {
  const uint32_t low = __byte_perm(static_cast<uint32_t>(x), 0, 0x0123);
  const uint32_t high = __byte_perm(static_cast<uint32_t>(x >> 32), 0, 0x0123);
  return static_cast<uint64_t>(low) << 32 | high;
}
__device__ __forceinline__ Word128 Reflected(ulonglong2 x) {
  return {Swap(x.y), Swap(x.x)};
}
__device__ __forceinline__ ulonglong2 Load(const uint8_t* data, int64_t i) {
  return __ldcs(reinterpret_cast<const ulonglong2*>(data) + i);
}

__device__ Word128 PowerOf(const Word128* powers, uint32_t exponent) {
  Word128 power = {0, uint64_t{1} << 63};  // 1
  for (int t = 0; exponent != 0; ++t, exponent >>= 1) {
    if ((exponent & 1) != 0) power = MulReflected(power, powers[t]);
  }
  return power;
}

// One warp: squares, one after the other, while the first loads are under way.
__device__ void MakePowers(Word128 power, uint32_t lanes, Keys& keys) {
  const bool writes = threadIdx.x % 32 == 0;
  Word128 step = {0, uint64_t{1} << 63};
  for (int t = 0; lanes >> t != 0; ++t) {
    const Word128 key = KeyOf(power);
    if (writes) keys.power[t] = key;
    if ((lanes >> t & 1) != 0) step = MulReflected(step, key);
    power = SquareReflected(power);
  }
  if (writes) keys.step = KeyOf(step);
}

__device__ __forceinline__ Word128 SumOfWarp(Word128 y) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    y.low ^= __shfl_xor_sync(0xffffffff, y.low, step);
    y.high ^= __shfl_xor_sync(0xffffffff, y.high, step);
  }
  return y;
}

// The state as its 16 bytes.
__device__ void Write(uint8_t* state, Word128 y) {
  *reinterpret_cast<ulonglong2*>(state) = {Swap(y.high), Swap(y.low)};
}

// Lane l of L is worth H^(L - l) at the end: a power a lane of a warp times
// one a warp of the grid (docs/engines/binary.md, section 3).
__global__ void __launch_bounds__(kThreads, kBlocksOfSm)
    Hash(const uint8_t* h, const uint8_t* data, uint64_t bytes, uint8_t* state,
         gpu::PairSumState* sum) {
  __shared__ Keys keys;
  __shared__ Word128 sums[kWarps];
  const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint32_t lanes = gridDim.x * kThreads;
  const auto blocks = static_cast<int64_t>((bytes + 15) / 16);
  const auto load = [&](int64_t k) { return Load(data, k); };
  const auto edge = [&](int64_t k) -> ulonglong2 {
    if (k < 0) return {0, 0};
    ulonglong2 x = {0, 0};
    if (k + 1 < blocks || bytes % 16 == 0) {
      x = Load(data, k);
    } else {
      for (uint64_t b = 0; b < bytes % 16; ++b) {
        (b < 8 ? x.x : x.y) |= uint64_t{data[16 * k + b]} << (8 * (b % 8));
      }
    }
    if (k == 0) {
      const ulonglong2 before = Load(state, 0);
      x.x ^= before.x;
      x.y ^= before.y;
    }
    return x;
  };
  gpu::Strided<kAhead> walk(static_cast<uint64_t>(blocks), lanes,
                            blockIdx.x * kThreads + threadIdx.x);
  // Before the others: behind them it would wait until memory has answered all.
  ulonglong2 key = {0, 0};
  if (warp == 0) key = Load(h, 0);
  walk.Begin(edge);
  if (warp == 0) MakePowers(Reflected(key), lanes, keys);
  __syncthreads();
  if (warp == 1) keys.lane[lane] = KeyOf(PowerOf(keys.power, 32 - lane));
  if (warp == 2 && lane < kWarps) {
    const uint32_t after = (gridDim.x - blockIdx.x) * kWarps - 1 - lane;
    keys.warp[lane] = KeyOf(PowerOf(keys.power, 32 * after));
  }
  const Word128 step = keys.step;
  Word128 y = {0, 0};
  walk.Walk(load, edge,
            [&](ulonglong2 x) { y = MulReflected(y, step) ^ Reflected(x); });
  __syncthreads();
  y = SumOfWarp(MulReflected(y, keys.lane[lane]));
  if (lane == 0) sums[warp] = y;
  __syncthreads();
  if (warp != 0) return;
  y = {0, 0};
  if (lane < kWarps) y = MulReflected(sums[lane], keys.warp[lane]);
  y = SumOfWarp(y);
  __syncwarp();
  // What this block leaves behind in shared memory tells nothing of H.
  for (uint32_t k = lane; k < sizeof(Keys) / sizeof(Word128); k += 32) {
    reinterpret_cast<volatile uint64_t*>(&keys)[2 * k] = 0;
    reinterpret_cast<volatile uint64_t*>(&keys)[2 * k + 1] = 0;
  }
  if (lane != 0) return;
  if (gpu::PairSum(sum, gridDim.x, y.low, y.high)) Write(state, y);
}

void Launch(const CudaArgs& args) {
  const auto& p = args.Params<Ghash::Params>();
  const uint64_t bytes = uint64_t{p.bytes_high} << 32 | p.bytes_low;
  if (bytes == 0) return;
  const uint64_t blocks = (bytes + 15) / 16;
  const uint64_t most =
      static_cast<uint64_t>(args.multiprocessors) * kBlocksOfSm;
  const uint64_t wanted = (blocks + kRows * kThreads - 1) / (kRows * kThreads);
  Hash<<<static_cast<unsigned>(std::min(most, wanted)), kThreads, 0,
         args.stream>>>(args.Get<uint8_t>(0), args.Get<uint8_t>(1), bytes,
                        args.Get<uint8_t>(2), args.Sums<gpu::PairSumState>());
}

}  // namespace

CudaEntry Ghash::Cuda() { return {Launch}; }

}  // namespace assay
