// Products over GF(2^8) on the GPU: four bytes a carry-less product.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/launch.h"
#include "assay/number/clmad_cuda.h"
#include "assay/number/gf256.h"
#include "assay/ops/reed_solomon/reed_solomon_kernels.h"

namespace assay {
namespace {

using gpu::ClmadLow;

constexpr int kThreads = 256;
constexpr int kAhead = 5;  // inputs whose loads are under way
// Inputs of one launch: their coefficients lie in shared memory.
constexpr uint32_t kMostInputs = 256;
constexpr uint32_t kMostGroup = 8;  // outputs that share one read

// Where the shards are; strides in bytes. `add`: to what is in `out`.
struct Shards {
  const uint8_t* in;
  uint64_t in_stride;
  uint32_t inputs;
  uint8_t* out;
  uint64_t out_stride;
  uint32_t outputs;
  const uint8_t* rows;
  uint32_t row_stride;
  uint64_t bytes;
  bool add;
};

// A word holds four bytes, 16 bits apart: products with a coefficient, which
// have 15 bits, and their sums do not meet. Two folds of the upper bytes by
// x^8 = x^4 + x^3 + x^2 + 1 bring them back (docs/engines/binary.md, 6).
constexpr uint64_t kBytesOfWord = 0x00ff00ff00ff00ff;

__device__ __forceinline__ uint64_t ReduceBytes(uint64_t sum) {
  constexpr uint64_t kFold = gf256::kPolynomial & 0xff;
#pragma unroll
  for (int i = 0; i < 2; ++i) {
    sum = ClmadLow(sum >> 8 & kBytesOfWord, kFold, sum & kBytesOfWord);
  }
  return sum;
}

// How a thread reads and writes the bytes of a shard.

// 16 neighbours; shards lie on multiples of 16 bytes.
struct Vectors {
  static constexpr int kWords = 4, kBytes = 16;
  // As many as the registers of the sums allow.
  static constexpr int BlocksOfSm(int outputs) { return outputs > 4 ? 2 : 3; }
  using Raw = uint4;

  static __device__ uint64_t PlaceOf(uint32_t thread) { return 16 * thread; }
  static __device__ __forceinline__ Raw Load(const uint8_t* shard, uint64_t at,
                                             uint64_t bytes) {
    if (at + 16 <= bytes) {
      return __ldcs(reinterpret_cast<const uint4*>(shard + at));
    }
    uint32_t words[4] = {};
    for (uint32_t b = 0; at + b < bytes; ++b) {
      words[b / 4] |= uint32_t{shard[at + b]} << (8 * (b % 4));
    }
    return {words[0], words[1], words[2], words[3]};
  }
  static __device__ __forceinline__ uint64_t Spread(uint32_t x) {
    return static_cast<uint64_t>(__byte_perm(x, 0, 0x4342)) << 32 |
           __byte_perm(x, 0, 0x4140);
  }
  static __device__ __forceinline__ void Spread(Raw x, uint64_t* words) {
    words[0] = Spread(x.x);
    words[1] = Spread(x.y);
    words[2] = Spread(x.z);
    words[3] = Spread(x.w);
  }
  static __device__ __forceinline__ uint32_t Join(uint64_t word) {
    return __byte_perm(static_cast<uint32_t>(word),
                       static_cast<uint32_t>(word >> 32), 0x6420);
  }
  static __device__ __forceinline__ void Store(uint8_t* shard, uint64_t at,
                                               uint64_t bytes,
                                               const uint64_t* words) {
    const uint4 x = {Join(words[0]), Join(words[1]), Join(words[2]),
                     Join(words[3])};
    if (at + 16 <= bytes) {
      __stcs(reinterpret_cast<uint4*>(shard + at), x);
      return;
    }
    const uint32_t all[4] = {x.x, x.y, x.z, x.w};
    for (uint32_t b = 0; at + b < bytes; ++b) {
      shard[at + b] = static_cast<uint8_t>(all[b / 4] >> (8 * (b % 4)));
    }
  }
};

// Four bytes, 32 apart, so that the threads of a warp read neighbours: shards
// lie anywhere.
struct Bytes {
  static constexpr int kWords = 1, kBytes = 4;
  static constexpr int BlocksOfSm(int outputs) { return outputs > 4 ? 2 : 5; }
  using Raw = uint64_t;

  static __device__ uint64_t PlaceOf(uint32_t thread) {
    return 128 * (thread / 32) + thread % 32;
  }
  static __device__ __forceinline__ Raw Load(const uint8_t* shard, uint64_t at,
                                             uint64_t bytes) {
    uint64_t word = 0;
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      if (at + 32 * b < bytes) word |= uint64_t{shard[at + 32 * b]} << (16 * b);
    }
    return word;
  }
  static __device__ __forceinline__ void Spread(Raw x, uint64_t* words) {
    words[0] = x;
  }
  static __device__ __forceinline__ void Store(uint8_t* shard, uint64_t at,
                                               uint64_t bytes,
                                               const uint64_t* words) {
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      if (at + 32 * b < bytes) {
        shard[at + 32 * b] = static_cast<uint8_t>(words[0] >> (16 * b));
      }
    }
  }
};

// Outputs blockIdx.y * kOutputs and the following ones. Reads `in` once for
// each y; y run side by side, so that the others find it in the cache.
template <class Place, int kOutputs>
__global__ void __launch_bounds__(kThreads, Place::BlocksOfSm(kOutputs))
    Apply(Shards s) {
  __shared__ uint64_t coefficients[kMostInputs * kOutputs];
  const uint32_t first = blockIdx.y * kOutputs;
  for (uint32_t k = threadIdx.x; k < s.inputs * kOutputs; k += kThreads) {
    const uint32_t i = first + k % kOutputs;
    coefficients[k] =
        i < s.outputs ? s.rows[uint64_t{i} * s.row_stride + k / kOutputs] : 0;
  }
  __syncthreads();
  constexpr uint64_t kTile = uint64_t{kThreads} * Place::kBytes;
  for (uint64_t at = blockIdx.x * kTile + Place::PlaceOf(threadIdx.x);
       at < s.bytes; at += gridDim.x * kTile) {
    uint64_t sums[kOutputs][Place::kWords] = {};
    const uint8_t* in = s.in;
    for (uint32_t j = 0; j < s.inputs; j += kAhead) {
      typename Place::Raw ahead[kAhead];
#pragma unroll
      for (int k = 0; k < kAhead; ++k, in += s.in_stride) {
        if (j + k < s.inputs) ahead[k] = Place::Load(in, at, s.bytes);
      }
#pragma unroll
      for (int k = 0; k < kAhead; ++k) {
        if (j + k >= s.inputs) break;
        uint64_t words[Place::kWords];
        Place::Spread(ahead[k], words);
#pragma unroll
        for (int i = 0; i < kOutputs; ++i) {
          const uint64_t c = coefficients[(j + k) * kOutputs + i];
#pragma unroll
          for (int w = 0; w < Place::kWords; ++w) {
            sums[i][w] = ClmadLow(words[w], c, sums[i][w]);
          }
        }
      }
    }
#pragma unroll
    for (int i = 0; i < kOutputs; ++i) {
      if (first + i >= s.outputs) break;
      uint8_t* out = s.out + (first + i) * s.out_stride;
      uint64_t before[Place::kWords] = {};
      if (s.add) Place::Spread(Place::Load(out, at, s.bytes), before);
#pragma unroll
      for (int w = 0; w < Place::kWords; ++w) {
        sums[i][w] = ReduceBytes(sums[i][w]) ^ before[w];
      }
      Place::Store(out, at, s.bytes, sums[i]);
    }
  }
}

template <class Place, int kOutputs>
void LaunchGroups(const CudaArgs& args, const Shards& shards) {
  constexpr uint64_t kTile = uint64_t{kThreads} * Place::kBytes;
  const uint32_t groups = (shards.outputs + kOutputs - 1) / kOutputs;
  const uint64_t tiles = (shards.bytes + kTile - 1) / kTile;
  const auto all =
      static_cast<uint32_t>(args.multiprocessors * Place::BlocksOfSm(kOutputs));
  const auto share = static_cast<uint32_t>(
      std::min<uint64_t>(tiles, std::max(1u, all / groups)));
  Apply<Place, kOutputs>
      <<<dim3(share, groups), kThreads, 0, args.stream>>>(shards);
}

// Groups of equal size, as few as there can be.
template <class Place>
void LaunchPlace(const CudaArgs& args, const Shards& shards) {
  const uint32_t groups = (shards.outputs + kMostGroup - 1) / kMostGroup;
  switch ((shards.outputs + groups - 1) / groups) {
    case 1: return LaunchGroups<Place, 1>(args, shards);
    case 2: return LaunchGroups<Place, 2>(args, shards);
    case 3: return LaunchGroups<Place, 3>(args, shards);
    case 4: return LaunchGroups<Place, 4>(args, shards);
    case 5:
    case 6: return LaunchGroups<Place, 6>(args, shards);
    default: return LaunchGroups<Place, 8>(args, shards);
  }
}

void Launch(const CudaArgs& args) {
  const auto& p = args.Params<ReedSolomonApply::Params>();
  const auto join = [](uint32_t low, uint32_t high) {
    return low | (uint64_t{high} << 32);
  };
  Shards shards = {args.Get<uint8_t>(1),
                   join(p.in_stride_low, p.in_stride_high),
                   p.inputs,
                   args.Get<uint8_t>(2),
                   join(p.out_stride_low, p.out_stride_high),
                   p.outputs,
                   args.Get<uint8_t>(0),
                   p.inputs,
                   join(p.bytes_low, p.bytes_high),
                   false};
  if (shards.bytes == 0 || shards.outputs == 0) return;
  const bool aligned =
      (reinterpret_cast<uintptr_t>(shards.in) | shards.in_stride |
       reinterpret_cast<uintptr_t>(shards.out) | shards.out_stride) %
          16 ==
      0;
  for (uint32_t rest = p.inputs; !shards.add || rest != 0;) {
    shards.inputs = std::min(rest, kMostInputs);
    if (aligned) {
      LaunchPlace<Vectors>(args, shards);
    } else {
      LaunchPlace<Bytes>(args, shards);
    }
    rest -= shards.inputs;
    shards.in += shards.inputs * shards.in_stride;
    shards.rows += shards.inputs;
    shards.add = true;
  }
}

}  // namespace

CudaEntry ReedSolomonApply::Cuda() { return {Launch}; }

}  // namespace assay
