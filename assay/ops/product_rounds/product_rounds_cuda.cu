// Passes over columns on the GPU, with the challenges hashed there.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/launch.h"
#include "assay/ops/product_rounds/exchange_gpu.h"
#include "assay/ops/product_rounds/product_rounds_kernels.h"
#include "assay/ops/product_rounds/tiles_gpu.h"

namespace assay {
namespace {

using gpu::Desk;
using gpu::kWarp;
using gpu::Layout;
using gpu::NodeSum;
using gpu::Table;

namespace pr = product_rounds;

__device__ __forceinline__ void XorAtomically(Word128 x, Word128* at) {
  auto* words = reinterpret_cast<unsigned long long*>(at);
  atomicXor(words, static_cast<unsigned long long>(x.low));
  atomicXor(words + 1, static_cast<unsigned long long>(x.high));
}

// Adds up what all blocks measured. True in the threads of the block that is
// last, once the sums of all stand in the transcript.
template <class L>
__device__ bool AddToTranscript(const Word128* of_warps, Word128* transcript) {
  __shared__ bool last;
  Word128* scratch = transcript + pr::kScratch;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < L::kRows * L::kSums) {
    constexpr int kWarpsOfRow = L::kRow / kWarp;
    const int row = thread / L::kSums, k = thread % L::kSums;
    Word128 sum = {};
#pragma unroll
    for (int w = 0; w < kWarpsOfRow; ++w) {
      sum = sum ^ of_warps[(row * kWarpsOfRow + w) * L::kSums + k];
    }
    XorAtomically(sum, scratch + thread);
  }
  __threadfence();
  __syncthreads();
  auto* count =
      reinterpret_cast<unsigned int*>(scratch + pr::kScratchElements - 1);
  if (threadIdx.x == 0) last = atomicAdd(count, 1u) + 1 == gridDim.x;
  __syncthreads();
  if (!last) return false;
  __threadfence();
  if (threadIdx.x == 0) *count = 0;
  return true;
}

// Plays kRounds rounds. Reads each element once; of 2^kBits elements it writes
// one, where it binds.
template <int D, int kBits, int kRounds>
__global__ void __launch_bounds__(Layout<D, kBits, kRounds>::kThreads,
                                  Layout<D, kBits, kRounds>::kBlocks)
    Play(Table table, Word128* transcript, uint32_t round) {
  using L = Layout<D, kBits, kRounds>;
  extern __shared__ Word128 shared[];
  Word128* of_warps =
      shared + L::kStages * L::kStageElements + L::kTileElements;
  gpu::Tiles<D, kBits, kRounds> tiles(table, shared);
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  __syncthreads();
  if (warp == 0) {
    for (int k = 0; k < L::kStages; ++k) {
      tiles.Begin(blockIdx.x + static_cast<uint64_t>(k) * gridDim.x, k);
    }
  }
  Word128 weights[L::kInputs];
  gpu::BindWeights<kBits>(transcript + pr::kChallenges, weights);

  const int row = static_cast<int>(threadIdx.x) / L::kRow;
  NodeSum<D> sums[L::kSums] = {};
  const auto measure = [&](const Word128* tile) {
#pragma unroll
    for (int i = static_cast<int>(threadIdx.x) % L::kRow; i < L::kPositions;
         i += L::kRow) {
      if (!tiles.Inside(i)) break;
      gpu::MeasureRow<L, D, kRounds>(tile + i, row, sums);
    }
  };
  int stage = 0, buffer = 0;
  uint32_t parity = 0;
  const auto advance = [&] {
    if (++stage == L::kStages) {
      stage = 0;
      parity ^= 1;
    }
  };
  const auto later = static_cast<uint64_t>(L::kStages) * gridDim.x;
  if constexpr (kBits == 0) {
    int free_stage = 0;
    uint32_t free_parity = 0;
    for (uint64_t tile = blockIdx.x; tile < tiles.Count(); tile += gridDim.x) {
      // The place of the tile before this one, which most warps are past.
      if (warp == 0 && tile != blockIdx.x) {
        tiles.WaitUntilFree(free_stage, free_parity);
        tiles.Begin(tile - gridDim.x + later, free_stage);
      }
      free_stage = stage;
      free_parity = parity;
      tiles.WaitForStage(stage, parity);
      measure(tiles.Stage(stage));
      tiles.Release(stage);
      advance();
    }
  } else {
    for (uint64_t tile = blockIdx.x; tile < tiles.Count(); tile += gridDim.x) {
      tiles.WaitForStage(stage, parity);
      tiles.Bind(tile, stage, buffer, weights);
      // All have bound this tile, and measured the one before.
      __syncthreads();
      if (warp == 0) tiles.Begin(tile + later, stage);
      measure(tiles.Tile(buffer));
      buffer = 1 - buffer;
      advance();
    }
  }

#pragma unroll
  for (int k = 0; k < L::kSums; ++k) {
    const Word128 sum = gpu::SumOfWarp(gpu::Value(sums[k]));
    if (gpu::Lane() == 0) of_warps[warp * L::kSums + k] = sum;
  }
  __syncthreads();
  if (!AddToTranscript<L>(of_warps, transcript) || warp > 1) return;
  static_assert(sizeof(Desk<D>) <= 16 * L::kStages * L::kStageElements);
  auto& desk = *reinterpret_cast<Desk<D>*>(shared);
  if (warp == 1) {
    for (int k = 0; k < kRounds; ++k) gpu::ExpandMessage<D>(desk);
    return;
  }
  auto* scratch = reinterpret_cast<uint32_t*>(transcript + pr::kScratch);
  auto* values = reinterpret_cast<uint32_t*>(desk.values);
  for (int i = gpu::Lane(); i < 4 * L::kRows * L::kSums; i += kWarp) {
    values[i] = __ldcg(scratch + i);
    scratch[i] = 0;
  }
  gpu::OpenDesk<D>(transcript, desk);
#pragma unroll 1
  for (int k = 0; k < kRounds; ++k) {
    gpu::PlayOne<D>(desk, transcript, round + static_cast<uint32_t>(k),
                    kRounds - 1 - k);
    if (gpu::Lane() == 0) transcript[pr::kChallenges + k] = desk.challenge;
  }
  gpu::CloseDesk<D>(desk, transcript);
}

template <int D, int kBits, int kRounds>
void LaunchPlayOf(const CudaArgs& args) {
  using L = Layout<D, kBits, kRounds>;
  const auto& p = args.Params<ProductRoundsPlay::Params>();
  const Table table = {
      args.Get<Word128>(0), uint64_t{1} << p.table.log_size,
      uint64_t{p.table.stride_high} << 32 | p.table.stride_low};
  const uint64_t positions = table.size >> (kBits + kRounds);
  const uint64_t tiles = (positions + L::kPositions - 1) / L::kPositions;
  const auto most = static_cast<uint64_t>(args.multiprocessors) * L::kBlocks;
  const auto kernel = Play<D, kBits, kRounds>;
  constexpr int kBytes = 16 * L::kSharedElements;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       kBytes);
  kernel<<<static_cast<unsigned>(std::min(tiles, most)), L::kThreads, kBytes,
           args.stream>>>(table, args.Get<Word128>(1), p.round);
}

// The form for d columns, of those that RecordProductRounds asks for.
template <int D>
void LaunchPlayFor(const CudaArgs& args, uint32_t bound, uint32_t measured) {
  const auto is = [&](uint32_t b, uint32_t m) {
    return bound == b && measured == m;
  };
  if constexpr (D == 2) {
    if (is(0, 3)) LaunchPlayOf<D, 0, 3>(args);
    if (is(3, 2)) LaunchPlayOf<D, 3, 2>(args);
  }
  if constexpr (D == 1 || D == 3) {
    if (is(0, 2)) LaunchPlayOf<D, 0, 2>(args);
  }
  if constexpr (D >= 4) {
    if (is(0, 1)) LaunchPlayOf<D, 0, 1>(args);
  }
  if constexpr (D == 4) {
    if (is(1, 2)) LaunchPlayOf<D, 1, 2>(args);
  }
  if constexpr (D <= 4) {
    if (is(2, 2)) LaunchPlayOf<D, 2, 2>(args);
  } else {
    if (is(1, 1)) LaunchPlayOf<D, 1, 1>(args);
  }
}

void LaunchPlay(const CudaArgs& args) {
  const auto& p = args.Params<ProductRoundsPlay::Params>();
  switch (p.table.factors) {
    case 1: return LaunchPlayFor<1>(args, p.bound, p.measured);
    case 2: return LaunchPlayFor<2>(args, p.bound, p.measured);
    case 3: return LaunchPlayFor<3>(args, p.bound, p.measured);
    case 4: return LaunchPlayFor<4>(args, p.bound, p.measured);
    case 5: return LaunchPlayFor<5>(args, p.bound, p.measured);
    default: return LaunchPlayFor<6>(args, p.bound, p.measured);
  }
}

}  // namespace

CudaEntry ProductRoundsPlay::Cuda() { return {LaunchPlay}; }

}  // namespace assay
