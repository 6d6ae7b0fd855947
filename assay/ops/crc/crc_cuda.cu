// Checks on the GPU: a lane a thread folds its blocks, then lanes are joined.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "assay/device/cuda/grid_sum.h"
#include "assay/device/cuda/launch.h"
#include "assay/device/cuda/strided.h"
#include "assay/number/clmad_cuda.h"
#include "assay/ops/crc/crc_kernels.h"

namespace assay {
namespace {

using gpu::ClmadHigh;
using gpu::ClmadLow;

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kBlocksOfSm = 3;
constexpr int kRows = 4;   // blocks a lane at least, where there are few
constexpr int kAhead = 8;  // loads under way in each thread
// Thread blocks that share a stream, at most: 32 times 32 distances.
constexpr uint32_t kMostShare = 1023;

// What moves 128 bits on by a distance: crc::Folding::Step.
using Step = crc::Folding::Step;

// Constants of a generator; distances in blocks of 16 bytes.
struct Constants {
  uint64_t p, mu, k127;  // crc::Folding
  uint64_t over;         // x^(8 bytes): moves a register over a stream
  Step stride;           // between two blocks of a lane
  Step lane[32];         // i
  Step warp[kWarps];     // 32 i
  Step near[32];         // 256 i
  Step far[32];          // 8192 i
  uint64_t back[16];     // x^(-8 i): zeros behind a stream
};

struct Streams {
  const uint8_t* data;
  uint64_t stride, bytes;
  uint32_t count;
  uint64_t* registers;
};

// Of the thread blocks of a stream.
struct Sums {
  gpu::PairSumState of[kMostShare];
};

__device__ __forceinline__ ulonglong2 Fold(ulonglong2 a, Step step,
                                           ulonglong2 next) {
  return {ClmadLow(a.x, step.low, ClmadLow(a.y, step.high, next.x)),
          ClmadHigh(a.x, step.low, ClmadHigh(a.y, step.high, next.y))};
}
// Moves by the i-th distance; there is no step of distance 0.
__device__ __forceinline__ ulonglong2 Move(ulonglong2 a, Step step,
                                           uint32_t i) {
  return i == 0 ? a : Fold(a, step, {0, 0});
}

// low x^64 + high modulo the generator, by Barrett's quotient.
__device__ uint64_t Reduce(const Constants& c, uint64_t low, uint64_t high) {
  const uint64_t q = low ^ (ClmadLow(low, c.mu, 0) << 1);
  return high ^ (ClmadHigh(q, c.p, 0) << 1) ^ (ClmadLow(q, c.p, 0) >> 63);
}
__device__ uint64_t Multiply(const Constants& c, uint64_t a, uint64_t b) {
  const uint64_t low = ClmadLow(a, b, 0), high = ClmadHigh(a, b, 0);
  return Reduce(c, low << 1, high << 1 | low >> 63);
}

__device__ __forceinline__ ulonglong2 SumOfWarp(ulonglong2 a) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) {
    a.x ^= __shfl_xor_sync(0xffffffff, a.x, step);
    a.y ^= __shfl_xor_sync(0xffffffff, a.y, step);
  }
  return a;
}

// Thread blocks of one y share a stream. A stream is read in whole blocks of
// 16 bytes where memory has them; zeros in front of its bytes change nothing,
// and those behind are divided away.
__global__ void __launch_bounds__(kThreads, kBlocksOfSm)
    Advance(const __grid_constant__ Constants c, Streams streams, Sums* all) {
  __shared__ Step lane_steps[32];
  __shared__ ulonglong2 sums[kWarps];
  const uint32_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const uint32_t lanes = gridDim.x * kThreads;
  for (uint32_t s = blockIdx.y; s < streams.count; s += gridDim.y) {
    const auto begin =
        reinterpret_cast<uintptr_t>(streams.data) + s * streams.stride;
    const uintptr_t end = begin + streams.bytes;
    const auto* data = reinterpret_cast<const ulonglong2*>(begin / 16 * 16);
    const auto blocks = static_cast<int64_t>((end + 15) / 16 - begin / 16);
    const auto load = [&](int64_t k) { return __ldcs(data + k); };
    const auto edge = [&](int64_t k) -> ulonglong2 {
      if (k < 0) return {0, 0};
      const uintptr_t at = reinterpret_cast<uintptr_t>(data + k);
      if (at >= begin && at + 16 <= end) return __ldcs(data + k);
      ulonglong2 x = {0, 0};
      for (uintptr_t b = max(at, begin); b < min(at + 16, end); ++b) {
        const uint64_t byte = *reinterpret_cast<const uint8_t*>(b);
        (b % 16 < 8 ? x.x : x.y) |= byte << (8 * (b % 8));
      }
      return x;
    };
    gpu::Strided<kAhead> walk(static_cast<uint64_t>(blocks), lanes,
                              blockIdx.x * kThreads + threadIdx.x);
    walk.Begin(edge);
    if (warp == 0) lane_steps[lane] = c.lane[lane];
    const Step stride = c.stride;
    ulonglong2 a = {0, 0};
    walk.Walk(load, edge, [&](ulonglong2 x) { a = Fold(a, stride, x); });
    __syncthreads();
    a = SumOfWarp(Move(a, lane_steps[31 - lane], 31 - lane));
    if (lane == 0) sums[warp] = a;
    __syncthreads();
    if (warp != 0) continue;
    a = {0, 0};
    if (lane < kWarps) {
      const uint32_t after = kWarps - 1 - lane;
      a = Move(sums[lane], c.warp[after], after);
    }
    a = SumOfWarp(a);
    if (lane != 0) continue;
    const uint32_t after = gridDim.x - 1 - blockIdx.x;
    a = Move(a, c.near[after % 32], after % 32);
    a = Move(a, c.far[after / 32], after / 32);
    uint64_t low = a.x, high = a.y;
    if (!gpu::PairSum(&all->of[s % kMostShare], gridDim.x, low, high)) continue;
    // The sum stands for sum x^64: K(127) makes 96 or 128 bits of it.
    const uint64_t r =
        Reduce(c, ClmadLow(low, c.k127, high), ClmadHigh(low, c.k127, 0));
    const uint64_t zeros = -end % 16;
    streams.registers[s] = Multiply(c, r, c.back[zeros]) ^
                           Multiply(c, streams.registers[s], c.over);
  }
}

// Steps by i times `unit` blocks, modulo the generator times x^(64 - width).
template <size_t kCount>
void MakeSteps(const crc::Generator& ring, uint64_t unit,
               Step (&steps)[kCount]) {
  const uint64_t power = crc::PowerOfX(ring, 128 * unit);
  steps[0] = {};
  steps[1] = {crc::PowerOfX(ring, 128 * unit + 63),
              crc::PowerOfX(ring, 128 * unit - 1)};
  for (size_t i = 2; i < kCount; ++i) {
    steps[i] = {crc::Multiply(ring, steps[i - 1].low, power),
                crc::Multiply(ring, steps[i - 1].high, power)};
  }
}

// What does not depend on the streams. About 300 products.
struct Prepared {
  crc::Generator generator;
  Constants constants = {};
  std::array<uint64_t, 64> powers;  // x^(8 2^t)

  explicit Prepared(const crc::Generator& g) : generator(g) {
    const crc::Folding folding = crc::FoldingOf(g);
    const crc::Generator ring = {64, folding.p};
    constants.p = folding.p;
    constants.mu = folding.mu;
    constants.k127 = folding.steps[0].high;
    MakeSteps(ring, 1, constants.lane);
    MakeSteps(ring, 32, constants.warp);
    MakeSteps(ring, kThreads, constants.near);
    MakeSteps(ring, 32 * kThreads, constants.far);
    // crc::WithoutZeros undoes a step likewise.
    uint64_t r = uint64_t{1} << (g.width - 1);
    for (uint64_t& back : constants.back) {
      back = r << (64 - g.width);
      for (int i = 0; i < 8; ++i) {
        const uint64_t added = (r >> (g.width - 1)) & 1;
        r = ((r ^ (g.low & (0 - added))) << 1) | added;
      }
    }
    uint64_t power = crc::PowerOfX(g, 8);
    for (uint64_t& kept : powers) {
      kept = power;
      power = crc::Multiply(g, power, power);
    }
  }

  // x^(8 bytes) in the upper bits.
  uint64_t Over(uint64_t bytes) const {
    uint64_t power = uint64_t{1} << (generator.width - 1);
    for (size_t t = 0; bytes != 0; ++t, bytes >>= 1) {
      if ((bytes & 1) != 0) {
        power = crc::Multiply(generator, power, powers[t]);
      }
    }
    return power << (64 - generator.width);
  }
};

// Those of the three kinds are kept: a launch waits for them.
Prepared PreparedOf(const crc::Generator& generator) {
  static const std::array<Prepared, crc::kKinds.size()> kept = {
      Prepared(crc::GeneratorOf(crc::kKinds[0])),
      Prepared(crc::GeneratorOf(crc::kKinds[1])),
      Prepared(crc::GeneratorOf(crc::kKinds[2]))};
  for (const Prepared& one : kept) {
    if (one.generator.width == generator.width &&
        one.generator.low == generator.low) {
      return one;
    }
  }
  return Prepared(generator);
}

// A step by `share` times 256 blocks, from the two that make it up.
Step StrideOf(const Constants& c, uint32_t share) {
  const Step far = c.far[share / 32], near = c.near[share % 32];
  if (share < 32) return near;
  if (share % 32 == 0) return far;
  const crc::Generator ring = {64, c.p};
  // near.high is x^(D - 1).
  const uint64_t power = crc::Multiply(ring, near.high, crc::PowerOfX(ring, 1));
  return {crc::Multiply(ring, far.low, power),
          crc::Multiply(ring, far.high, power)};
}

void Launch(const CudaArgs& args) {
  const auto& p = args.Params<CrcAdvance::Params>();
  const auto join = [](uint32_t low, uint32_t high) {
    return low | (uint64_t{high} << 32);
  };
  const crc::Generator generator = {static_cast<int>(p.width),
                                    join(p.generator_low, p.generator_high)};
  const Streams streams = {
      args.Get<uint8_t>(0), join(p.stride_low, p.stride_high),
      join(p.bytes_low, p.bytes_high), p.streams, args.Get<uint64_t>(1)};
  if (streams.bytes == 0 || streams.count == 0) return;
  const auto all = static_cast<uint64_t>(args.multiprocessors * kBlocksOfSm);
  const uint64_t blocks = streams.bytes / 16 + 2;
  const uint64_t wanted = (blocks + kRows * kThreads - 1) / (kRows * kThreads);
  const auto share = static_cast<uint32_t>(std::max<uint64_t>(
      1, std::min({all / streams.count, wanted, uint64_t{kMostShare}})));
  Prepared prepared = PreparedOf(generator);
  Constants& constants = prepared.constants;
  constants.stride = StrideOf(constants, share);
  constants.over = prepared.Over(streams.bytes);
  const dim3 grid(share, std::min(streams.count, 65535u));
  Advance<<<grid, kThreads, 0, args.stream>>>(constants, streams,
                                              args.Sums<Sums>());
}

}  // namespace

CudaEntry CrcAdvance::Cuda() { return {Launch}; }

}  // namespace assay
