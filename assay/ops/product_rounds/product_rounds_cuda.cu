// Rounds on the GPU, with the challenges hashed there.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/base/split_mix.h"
#include "assay/device/cuda/launch.h"
#include "assay/ops/product_rounds/async_copy_gpu.h"
#include "assay/ops/product_rounds/exchange_gpu.h"
#include "assay/ops/product_rounds/product_rounds_kernels.h"
#include "assay/ops/product_sumcheck/nodes_gpu.h"

namespace assay {
namespace {

using gpu::Desk;
using gpu::kWarp;
using gpu::NodeSum;
using gpu::Table;

namespace pr = product_rounds;

// How a pass is laid out. A block takes kPositions entries of each quarter
// (eighth, where three rounds are measured) of the columns at a time. First
// its threads bind each of these entries and leave it in the block's memory.
// Then they measure: a row of threads for each node of the variable bound
// first, which has the sums at all nodes of the others in its registers.
template <int D, int kBits, int kRounds>
struct Layout {
  static constexpr int kRow = D <= 3 ? 64 : 32;
  static constexpr int kThreads = (D + 1) * kRow;
  static constexpr int kWarps = kThreads / kWarp;
  static constexpr int kPositions = kRow;
  static constexpr int kParts = 1 << kRounds;
  static constexpr int kItems = D * kParts * kPositions;
  static constexpr int kSums = kRounds == 3 ? (D + 1) * (D + 1) : D + 1;
  // Blocks of a multiprocessor, which its registers allow.
  static constexpr int kBlocks = D == 1   ? 5
                                 : D == 2 ? (kRounds == 3 ? 2 : 3)
                                 : D == 4 ? 3
                                 : D == 6 ? 1
                                          : 2;
  // Entries that an item is bound from; batches under way where there is
  // nothing to bind.
  static constexpr int kInputs = 1 << kBits;
  static constexpr int kStages = 3;
  static constexpr int kItemsOfThread = (kItems + kThreads - 1) / kThreads;
  static constexpr int kInputElements =
      kBits == 0 ? 0 : kItemsOfThread * kInputs * kThreads;
  static constexpr int kTileElements = (kBits == 0 ? kStages : 2) * kItems;
  static constexpr int kSharedElements =
      kInputElements + kTileElements + kWarps * kSums;
};

// Item `item` of a tile: position item % kPositions of a part of a column.
template <class L>
struct Item {
  uint64_t offset;  // in a column
  int column;
  bool inside;  // small columns do not fill a tile

  __device__ __forceinline__ Item(int item, uint64_t tile, uint64_t positions) {
    const int part = item / L::kPositions;
    const uint64_t position =
        tile * L::kPositions + static_cast<uint64_t>(item % L::kPositions);
    column = part / L::kParts;
    offset = static_cast<uint64_t>(part % L::kParts) * positions + position;
    inside = position < positions;
  }
};

// One thread's measurements at a position of a tile.
template <class L, int D, int kRounds>
__device__ __forceinline__ void MeasureRow(const Word128* tile, int row,
                                           NodeSum<D>* sums) {
  constexpr int kHalf = L::kParts / 2;
  Word128 v[D][kHalf];
#pragma unroll
  for (int j = 0; j < D; ++j) {
    const Word128* column = tile + j * L::kParts * L::kPositions;
#pragma unroll
    for (int k = 0; k < kHalf; ++k) {
      const Word128* at = column + k * L::kPositions;
      const Word128* other = at + kHalf * L::kPositions;
      // Lines at the row's node: 0, 1, infinity, x, x + 1, x^2, x^2 + 1.
      if (row < 2) {
        v[j][k] = row == 0 ? *at : *other;
      } else {
        const Word128 lo = *at;
        const Word128 slope = lo ^ *other;
        Word128 value = slope;
        if (row > 2) {
          Word128 product = gpu::TimesX(slope);
          if (row > 4) product = gpu::TimesX(product);
          value = (row & 1 ? lo : *other) ^ product;
        }
        v[j][k] = value;
      }
    }
  }
  if constexpr (kRounds == 3) {
    gpu::AddGrid<D, 0>(v, sums);
  } else {
    Word128 lo[D], hi[D];
#pragma unroll
    for (int j = 0; j < D; ++j) {
      lo[j] = v[j][0];
      hi[j] = v[j][1];
    }
    gpu::AddNodes<D, 0>(lo, hi, sums);
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

__device__ __forceinline__ void XorAtomically(Word128 x, Word128* at) {
  auto* words = reinterpret_cast<unsigned long long*>(at);
  atomicXor(words, static_cast<unsigned long long>(x.low));
  atomicXor(words + 1, static_cast<unsigned long long>(x.high));
}

// Adds up what all blocks measured. True in the threads of the block that is
// last, once the sums of all stand in the transcript.
template <class L>
__device__ bool AddToTranscript(const Word128* of_warps, int rows,
                                Word128* transcript) {
  __shared__ bool last;
  Word128* scratch = transcript + pr::kScratch;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < rows * L::kSums) {
    constexpr int kWarpsOfRow = L::kRow / kWarp;
    const int row = thread / L::kSums, k = thread % L::kSums;
    Word128 sum = {};
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

// Fills the pipeline and binds, tile by tile.
template <int D, int kBits, int kRounds>
class Tiles {
 public:
  using L = Layout<D, kBits, kRounds>;

  __device__ Tiles(const Table& table, Word128* shared)
      : table_(table),
        bound_(table.size >> kBits),
        positions_(bound_ >> kRounds),
        inputs_(shared),
        tiles_(shared + L::kInputElements) {}

  __device__ uint64_t Count() const {
    return (positions_ + L::kPositions - 1) / L::kPositions;
  }

  // Without anything to bind: the items of a tile themselves, to one of the
  // stages.
  __device__ __forceinline__ void BeginTile(uint64_t tile, int stage) {
    if (tile < Count()) {
      for (int k = 0; k < L::kItemsOfThread; ++k) {
        const int item = ItemOf(k);
        if (item >= L::kItems) break;
        const Item<L> at(item, tile, positions_);
        Word128* to = tiles_ + stage * L::kItems + item;
        if (at.inside) {
          gpu::BeginCopy(table_.Column(at.column) + at.offset, to);
        } else {
          *to = {};
        }
      }
    }
    gpu::EndBatch();
  }

  // What the thread's item k of a tile is bound from, to places that no other
  // thread reads.
  __device__ __forceinline__ void BeginInputs(uint64_t tile, int k) {
    const int item = ItemOf(k);
    if (item >= L::kItems || tile >= Count()) return;
    const Item<L> at(item, tile, positions_);
    if (!at.inside) return;
    const Word128* column = table_.Column(at.column) + at.offset;
#pragma unroll
    for (int b = 0; b < L::kInputs; ++b) {
      gpu::BeginCopy(column + static_cast<uint64_t>(b) * bound_, Input(k, b));
    }
  }

  // Binds all items of a tile and leaves them in a buffer; what the next tile
  // is bound from takes the place of what was read.
  __device__ __forceinline__ void BindTile(uint64_t tile, int buffer,
                                           const Word128* challenges) {
    gpu::WaitForCopies<0>();
    for (int k = 0; k < L::kItemsOfThread; ++k) {
      const int item = ItemOf(k);
      if (item >= L::kItems) break;
      const Item<L> at(item, tile, positions_);
      Word128 v[L::kInputs];
#pragma unroll
      for (int b = 0; b < L::kInputs; ++b) v[b] = *Input(k, b);
      BeginInputs(tile + gridDim.x, k);
      Word128 bound = {};
      if (at.inside) {
        bound = gpu::Bind<kBits>(v, challenges);
        table_.Column(at.column)[at.offset] = bound;
      }
      tiles_[buffer * L::kItems + item] = bound;
    }
    gpu::EndBatch();
  }

  __device__ const Word128* Tile(int buffer) const {
    return tiles_ + buffer * L::kItems;
  }

 private:
  __device__ __forceinline__ static int ItemOf(int k) {
    return k * L::kThreads + static_cast<int>(threadIdx.x);
  }
  __device__ __forceinline__ Word128* Input(int k, int b) const {
    return inputs_ + (k * L::kInputs + b) * L::kThreads + threadIdx.x;
  }

  Table table_;
  uint64_t bound_;      // entries of a bound column
  uint64_t positions_;  // of one of its parts
  Word128* inputs_;
  Word128* tiles_;
};

// Plays kRounds rounds. Reads each element once; of four elements (eight) it
// writes one where it binds.
template <int D, int kBits, int kRounds>
__global__ void __launch_bounds__(Layout<D, kBits, kRounds>::kThreads,
                                  Layout<D, kBits, kRounds>::kBlocks)
    Play(Table table, Word128* transcript, uint32_t round) {
  using L = Layout<D, kBits, kRounds>;
  extern __shared__ Word128 shared[];
  Word128* of_warps = shared + L::kInputElements + L::kTileElements;
  Tiles<D, kBits, kRounds> tiles(table, shared);
  const uint64_t count = tiles.Count();
  const int row = static_cast<int>(threadIdx.x) / L::kRow;
  NodeSum<D> sums[L::kSums] = {};
  const auto measure = [&](const Word128* tile) {
    for (int i = static_cast<int>(threadIdx.x) % L::kRow; i < L::kPositions;
         i += L::kRow) {
      MeasureRow<L, D, kRounds>(tile + i, row, sums);
    }
  };
  if constexpr (kBits == 0) {
    for (int k = 0; k + 1 < L::kStages; ++k) {
      tiles.BeginTile(blockIdx.x + static_cast<uint64_t>(k) * gridDim.x, k);
    }
    int stage = 0;
    for (uint64_t tile = blockIdx.x; tile < count; tile += gridDim.x) {
      gpu::WaitForCopies<L::kStages - 2>();
      __syncthreads();
      // All threads are past the tile before this one, whose place is free.
      tiles.BeginTile(tile + static_cast<uint64_t>(L::kStages - 1) * gridDim.x,
                      stage == 0 ? L::kStages - 1 : stage - 1);
      measure(tiles.Tile(stage));
      stage = stage + 1 == L::kStages ? 0 : stage + 1;
    }
  } else {
    for (int k = 0; k < L::kItemsOfThread; ++k) {
      tiles.BeginInputs(blockIdx.x, k);
    }
    gpu::EndBatch();
    Word128 challenges[L::kInputs];
    gpu::Subsets<kBits>(transcript + pr::kChallenges, challenges);
    int buffer = 0;
    for (uint64_t tile = blockIdx.x; tile < count; tile += gridDim.x) {
      tiles.BindTile(tile, buffer, challenges);
      __syncthreads();
      measure(tiles.Tile(buffer));
      // The other buffer was measured by all before the barrier above.
      buffer = 1 - buffer;
    }
  }

  const int warp = static_cast<int>(threadIdx.x) / kWarp;
#pragma unroll
  for (int k = 0; k < L::kSums; ++k) {
    const Word128 sum = SumOfWarp(gpu::Value(sums[k]));
    if (gpu::Lane() == 0) of_warps[warp * L::kSums + k] = sum;
  }
  __syncthreads();
  if (!AddToTranscript<L>(of_warps, D + 1, transcript) || warp != 0) return;
  static_assert(sizeof(Desk<D>) <= 16 * L::kTileElements);
  auto& desk = *reinterpret_cast<Desk<D>*>(shared);
  gpu::OpenDesk<D>(transcript, desk);
  auto* scratch = reinterpret_cast<uint32_t*>(transcript + pr::kScratch);
  auto* values = reinterpret_cast<uint32_t*>(desk.values);
  for (int i = gpu::Lane(); i < 4 * (D + 1) * L::kSums; i += kWarp) {
    values[i] = __ldcg(scratch + i);
    scratch[i] = 0;
  }
  __syncwarp();
#pragma unroll 1
  for (int k = 0; k < kRounds; ++k) {
    gpu::PlayOne<D>(desk, transcript, round + static_cast<uint32_t>(k),
                    kRounds - 1 - k);
    if (gpu::Lane() == 0) transcript[pr::kChallenges + k] = desk.challenge;
  }
  gpu::CloseDesk<D>(desk, transcript);
}

constexpr int kCloseThreads = 256;
constexpr int kCloseWarps = kCloseThreads / kWarp;

// Binds up to three variables while the columns are read.
template <int kBits>
__device__ void ReadBound(const Table& table, int factors,
                          const Word128* transcript, Word128* columns) {
  const uint64_t size = table.size >> kBits;
  Word128 challenges[1 << kBits];
  gpu::Subsets<kBits>(transcript + pr::kChallenges, challenges);
  for (uint64_t item = threadIdx.x;
       item < static_cast<uint64_t>(factors) * size; item += kCloseThreads) {
    const Word128* at =
        table.Column(static_cast<int>(item / size)) + item % size;
    Word128 v[1 << kBits];
#pragma unroll
    for (int b = 0; b < 1 << kBits; ++b) {
      v[b] = at[static_cast<uint64_t>(b) * size];
    }
    columns[item] = gpu::Bind<kBits>(v, challenges);
  }
}

// One block. The columns stand one after the other in its memory.
template <int D>
__global__ void __launch_bounds__(kCloseThreads, 1)
    Close(Table table, uint32_t bound, Word128* transcript, uint32_t round) {
  extern __shared__ Word128 shared[];
  auto& desk = *reinterpret_cast<Desk<D>*>(shared);
  Word128* of_warps = shared + sizeof(Desk<D>) / 16;
  Word128* columns = of_warps + kCloseWarps * (D + 1);
  const int thread = static_cast<int>(threadIdx.x);
  const int warp = thread / kWarp;
  if (warp == 0) gpu::OpenDesk<D>(transcript, desk);
  switch (bound) {
    case 0: ReadBound<0>(table, D, transcript, columns); break;
    case 1: ReadBound<1>(table, D, transcript, columns); break;
    case 2: ReadBound<2>(table, D, transcript, columns); break;
    default: ReadBound<3>(table, D, transcript, columns); break;
  }
  const int stride = static_cast<int>(table.size >> bound);
  __syncthreads();
#pragma unroll 1
  for (int half = stride / 2; half > 0; half /= 2) {
    NodeSum<D> sums[D + 1] = {};
    for (int i = thread; i < half; i += kCloseThreads) {
      Word128 lo[D], hi[D];
#pragma unroll
      for (int j = 0; j < D; ++j) {
        lo[j] = columns[j * stride + i];
        hi[j] = columns[j * stride + i + half];
      }
      gpu::AddNodes<D, 0>(lo, hi, sums);
    }
    // Warps without a position have nothing to add.
    const int busy = min(kCloseWarps, (half + kWarp - 1) / kWarp);
    if (warp < busy) {
#pragma unroll
      for (int k = 0; k <= D; ++k) {
        const Word128 sum = SumOfWarp(gpu::Value(sums[k]));
        if (gpu::Lane() == 0) of_warps[warp * (D + 1) + k] = sum;
      }
    }
    __syncthreads();
    if (warp == 0) {
      if (thread <= D) {
        Word128 sum = {};
        for (int w = 0; w < busy; ++w) {
          sum = sum ^ of_warps[w * (D + 1) + thread];
        };
        desk.values[thread] = sum;
      }
      __syncwarp();
      gpu::PlayOne<D>(desk, transcript, round, 0);
    }
    __syncthreads();
    ++round;
    for (int item = thread; item < D * half; item += kCloseThreads) {
      Word128* at = columns + item / half * stride + item % half;
      *at = *at ^ gpu::Mul(*at ^ at[half], desk.challenge);
    }
    __syncthreads();
  }
  if (warp != 0) return;
  if (thread < D) {
    transcript[pr::kTape + round * D + thread] = columns[thread * stride];
  }
  if (thread == 0 && stride > 1) transcript[pr::kChallenges] = desk.challenge;
  gpu::CloseDesk<D>(desk, transcript);
}

constexpr int kGenerateThreads = 256;

__global__ void Generate(Table table, uint64_t seed, int factors) {
  const uint64_t step = uint64_t{gridDim.x} * kGenerateThreads;
  for (int j = 0; j < factors; ++j) {
    for (uint64_t i = uint64_t{blockIdx.x} * kGenerateThreads + threadIdx.x;
         i < table.size; i += step) {
      const uint64_t c = static_cast<uint64_t>(j) * table.size + i;
      table.Column(j)[i] = {SplitMix64(seed, 2 * c),
                            SplitMix64(seed, 2 * c + 1)};
    }
  }
}

Table TableOf(const CudaArgs& args, const ProductRoundsTable& p) {
  return {args.Get<Word128>(0), uint64_t{1} << p.log_size,
          uint64_t{p.stride_high} << 32 | p.stride_low};
}

// Calls body with the number of factors as a type.
template <class Body>
void WithFactors(uint32_t factors, const Body& body) {
  switch (factors) {
    case 1: return body(std::integral_constant<int, 1>());
    case 2: return body(std::integral_constant<int, 2>());
    case 3: return body(std::integral_constant<int, 3>());
    case 4: return body(std::integral_constant<int, 4>());
    case 5: return body(std::integral_constant<int, 5>());
    default: return body(std::integral_constant<int, 6>());
  }
}

template <int D, int kBits, int kRounds>
void LaunchPlayOf(const CudaArgs& args) {
  using L = Layout<D, kBits, kRounds>;
  const auto& p = args.Params<ProductRoundsPlay::Params>();
  const Table table = TableOf(args, p.table);
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

void LaunchPlay(const CudaArgs& args) {
  const auto& p = args.Params<ProductRoundsPlay::Params>();
  WithFactors(p.table.factors, [&](auto d) {
    if (p.measured == 2) {
      if (p.bound == 0) LaunchPlayOf<d.value, 0, 2>(args);
      if (p.bound == 2) LaunchPlayOf<d.value, 2, 2>(args);
    }
    if constexpr (d.value == 2) {
      if (p.bound == 0 && p.measured == 3) LaunchPlayOf<2, 0, 3>(args);
      if (p.bound == 3 && p.measured == 2) LaunchPlayOf<2, 3, 2>(args);
    }
  });
}

void LaunchClose(const CudaArgs& args) {
  const auto& p = args.Params<ProductRoundsClose::Params>();
  const Table table = TableOf(args, p.table);
  const auto elements =
      static_cast<size_t>(p.table.factors * (table.size >> p.bound));
  WithFactors(p.table.factors, [&](auto d) {
    const auto bytes = static_cast<int>(
        sizeof(Desk<d.value>) + 16 * (kCloseWarps * (d.value + 1) + elements));
    const auto kernel = Close<d.value>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         bytes);
    kernel<<<1, kCloseThreads, bytes, args.stream>>>(
        table, p.bound, args.Get<Word128>(1), p.round);
  });
}

void LaunchGenerate(const CudaArgs& args) {
  const auto& p = args.Params<ProductRoundsGenerate::Params>();
  const Table table = TableOf(args, p.table);
  const uint64_t wanted =
      (table.size + kGenerateThreads - 1) / kGenerateThreads;
  const auto most = static_cast<uint64_t>(args.multiprocessors) * 8;
  Generate<<<static_cast<unsigned>(std::min(wanted, most)), kGenerateThreads, 0,
             args.stream>>>(table, uint64_t{p.seed_high} << 32 | p.seed_low,
                            static_cast<int>(p.table.factors));
}

}  // namespace

CudaEntry ProductRoundsPlay::Cuda() { return {LaunchPlay}; }
CudaEntry ProductRoundsClose::Cuda() { return {LaunchClose}; }
CudaEntry ProductRoundsGenerate::Cuda() { return {LaunchGenerate}; }

}  // namespace assay
