// Takes columns through the memory of a block, tile by tile, and binds them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/ops/product_rounds/async_copy_gpu.h"
#include "assay/ops/product_rounds/pair_gpu.h"
#include "assay/ops/product_sumcheck/nodes_gpu.h"

namespace assay::gpu {

// Memory that a block may have on every GPU that we compile for.
inline constexpr int kMostSharedBytes = 99 * 1024;

// How a pass is laid out that binds kBits variables and measures kRounds
// rounds. Bound columns have kParts parts, by the variables that are measured;
// a tile has kPositions entries of each part. First the threads bind each of
// these entries and leave it in the block's memory. Then they measure: a row
// of threads for each node of the variable bound first, which has the sums at
// all nodes of the others in its registers.
template <int D, int kBits, int kRounds>
struct Layout {
  static constexpr int kRows = kRounds == 1 ? 1 : D + 1;
  // Where small blocks do, more of them take turns at the barrier between
  // binding and measuring.
  static constexpr bool kSmall = D == 4 || (D == 2 && kBits > 0);
  static constexpr int kRow = kRounds == 1 ? 128 : kSmall ? 32 : 64;
  static constexpr int kThreads = kRows * kRow;
  static constexpr int kWarps = kThreads / kWarp;
  static constexpr int kSums = kRounds == 3 ? (D + 1) * (D + 1) : D + 1;
  // Blocks of a multiprocessor, as many as registers and memory of the block
  // allow without spilling: what is spilled goes through the second-level
  // cache, which reading loads to its limit.
  static constexpr int kBlocks = D == 1         ? 5
                                 : kRounds == 3 ? 2
                                 : D == 2       ? (kBits == 3 ? 5 : 6)
                                 : D == 4       ? 3
                                                : 2;

  // Where little is bound, rows take a tile twice.
  static constexpr int kPositions = kRounds > 1 && kBits < 2 ? 2 * kRow : kRow;
  static constexpr int kParts = 1 << kRounds;
  static constexpr int kInputs = 1 << kBits;
  static constexpr int kItems = D * kParts * kPositions;
  // Runs of kPositions entries that a tile is made from.
  static constexpr int kRuns = D * kParts * kInputs;
  static constexpr int kStages = kBits == 0 ? 3 : 1;
  static constexpr int kStageElements = kRuns * kPositions;
  static constexpr int kTileElements = kBits == 0 ? 0 : 2 * kItems;
  static constexpr int kSharedElements =
      kStages * kStageElements + kTileElements + kWarps * kSums + kStages;
  static_assert(16 * kSharedElements <= kMostSharedBytes);
};

// The tiles of a block: numbers blockIdx.x and every gridDim.x-th after it.
template <int D, int kBits, int kRounds>
class Tiles {
 public:
  using L = Layout<D, kBits, kRounds>;

  // All threads; no one may use tiles before a barrier that follows.
  __device__ Tiles(const Table& table, Word128* shared)
      : table_(table),
        bound_(table.size >> kBits),
        positions_(bound_ >> kRounds),
        stages_(shared),
        tiles_(shared + L::kStages * L::kStageElements),
        barriers_(reinterpret_cast<ArrivalBarrier*>(tiles_ + L::kTileElements +
                                                    L::kWarps * L::kSums)) {
    if (threadIdx.x < L::kStages) {
      Init(Full(static_cast<int>(threadIdx.x)), kWarp);
      Init(Free(static_cast<int>(threadIdx.x)), L::kWarps);
    }
  }

  __device__ uint64_t Count() const {
    return (positions_ + L::kPositions - 1) / L::kPositions;
  }
  // Small columns do not fill a tile.
  __device__ bool Inside(int position) const {
    return static_cast<uint64_t>(position) < positions_;
  }

  // The first warp begins to copy what a tile is made from.
  __device__ void Begin(uint64_t tile, int stage) {
    if (tile >= Count()) return;
    const uint64_t first = tile * L::kPositions;
    const auto elements = static_cast<uint32_t>(
        positions_ < L::kPositions ? positions_ : L::kPositions);
    BeginCopies(
        Full(stage), L::kRuns, elements,
        [&](int run) {
          const int input = run % L::kInputs, part = run / L::kInputs;
          return table_.Column(part / L::kParts) +
                 static_cast<uint64_t>(input) * bound_ +
                 static_cast<uint64_t>(part % L::kParts) * positions_ + first;
        },
        [&](int run) {
          return stages_ + stage * L::kStageElements + run * L::kPositions;
        });
  }

  // Until a stage has come; until all warps have released it.
  __device__ void WaitForStage(int stage, uint32_t parity) {
    WaitFor(Full(stage), parity);
  }
  __device__ void WaitUntilFree(int stage, uint32_t parity) {
    WaitFor(Free(stage), parity);
  }
  __device__ void Release(int stage) {
    __syncwarp();
    if (Lane() == 0) Arrive(Free(stage));
  }

  // What a tile is made from is the tile itself where there is nothing to bind.
  __device__ const Word128* Stage(int stage) const {
    return stages_ + stage * L::kStageElements;
  }
  __device__ const Word128* Tile(int buffer) const {
    return tiles_ + buffer * L::kItems;
  }

  // Binds all items of a tile, writes them back and leaves them in a buffer.
  __device__ __forceinline__ void Bind(uint64_t tile, int stage, int buffer,
                                       const Word128* weights) {
#pragma unroll
    for (int item = static_cast<int>(threadIdx.x); item < L::kItems;
         item += L::kThreads) {
      const int position = item % L::kPositions, part = item / L::kPositions;
      const Word128* from =
          Stage(stage) + part * L::kInputs * L::kPositions + position;
      Word128 v[L::kInputs];
#pragma unroll
      for (int b = 0; b < L::kInputs; ++b) v[b] = from[b * L::kPositions];
      const Word128 bound = gpu::Bind<kBits>(v, weights);
      if (Inside(position)) {
        Word128* to = table_.Column(part / L::kParts) +
                      static_cast<uint64_t>(part % L::kParts) * positions_ +
                      tile * L::kPositions + static_cast<uint64_t>(position);
        *to = bound;
      }
      tiles_[buffer * L::kItems + item] = bound;
    }
  }

 private:
  __device__ ArrivalBarrier* Full(int stage) const { return barriers_ + stage; }
  __device__ ArrivalBarrier* Free(int stage) const {
    return barriers_ + L::kStages + stage;
  }

  Table table_;
  uint64_t bound_;      // entries of a bound column
  uint64_t positions_;  // of one of its parts
  Word128* stages_;
  Word128* tiles_;
  ArrivalBarrier* barriers_;
};

// What a row of threads measures of two rounds or three: entry(j, part).
template <class L, int D, int kRounds, class Entry>
__device__ __forceinline__ void MeasureLines(const Entry& entry, int row,
                                             NodeSum<D>* sums) {
  static_assert(D <= 4);
  constexpr int kHalf = L::kParts / 2;
  // Lines at the row's node: 0, 1, infinity, x, x + 1.
  Word128 v[D][kHalf];
  const auto set = [&](const auto& line) {
#pragma unroll
    for (int j = 0; j < D; ++j) {
#pragma unroll
      for (int k = 0; k < kHalf; ++k) {
        v[j][k] = line(entry(j, k), entry(j, k + kHalf));
      }
    }
  };
  // The last row there is needs no comparison.
  if (row == 0) {
    set([](Word128 lo, Word128) { return lo; });
  } else if (D == 1 || row == 1) {
    set([](Word128, Word128 hi) { return hi; });
  } else if (D == 2 || row == 2) {
    set([](Word128 lo, Word128 hi) { return lo ^ hi; });
  } else if (D == 3 || row == 3) {
    set([](Word128 lo, Word128 hi) { return lo ^ TimesX(lo ^ hi); });
  } else {
    set([](Word128 lo, Word128 hi) { return hi ^ TimesX(lo ^ hi); });
  }
  if constexpr (kRounds == 3) {
    AddGrid<D, 0>(v, sums);
  } else {
    Word128 lo[D], hi[D];
#pragma unroll
    for (int j = 0; j < D; ++j) {
      lo[j] = v[j][0];
      hi[j] = v[j][1];
    }
    AddNodes<D, 0>(lo, hi, sums);
  }
}

// One thread's measurements at a position of a tile.
template <class L, int D, int kRounds>
__device__ __forceinline__ void MeasureRow(const Word128* tile, int row,
                                           NodeSum<D>* sums) {
  const auto entry = [&](int j, int part) {
    return tile[(j * L::kParts + part) * L::kPositions];
  };
  if constexpr (kRounds == 1) {
    Word128 lo[D], hi[D];
#pragma unroll
    for (int j = 0; j < D; ++j) {
      lo[j] = entry(j, 0);
      hi[j] = entry(j, 1);
    }
    AddNodes<D, 0>(lo, hi, sums);
  } else {
    MeasureLines<L, D, kRounds>(entry, row, sums);
  }
}

// XORs a value over the lanes of a warp.
__device__ __forceinline__ Word128 SumOfWarp(Word128 x) {
  const auto sum = [](uint64_t word) {
    const uint32_t low =
        __reduce_xor_sync(0xffffffff, static_cast<uint32_t>(word));
    const uint32_t high =
        __reduce_xor_sync(0xffffffff, static_cast<uint32_t>(word >> 32));
    return uint64_t{high} << 32 | low;
  };
  return {sum(x.low), sum(x.high)};
}

}  // namespace assay::gpu
