// The last rounds in one thread block of a GPU, and columns made there.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <type_traits>

#include "assay/base/split_mix.h"
#include "assay/device/cuda/launch.h"
#include "assay/ops/product_rounds/exchange_gpu.h"
#include "assay/ops/product_rounds/product_rounds_kernels.h"
#include "assay/ops/product_rounds/tiles_gpu.h"

namespace assay {
namespace {

using gpu::Desk;
using gpu::kWarp;
using gpu::NodeSum;
using gpu::Table;

namespace pr = product_rounds;

constexpr int kCloseThreads = 256;
constexpr int kCloseWarps = kCloseThreads / kWarp;

// Binds up to three variables while the columns are read.
template <int kBits>
__device__ void ReadBound(const Table& table, int factors,
                          const Word128* transcript, Word128* columns) {
  const int log_size = 63 - kBits - __clzll(static_cast<int64_t>(table.size));
  const int size = 1 << log_size;
  Word128 weights[1 << kBits];
  gpu::BindWeights<kBits>(transcript + pr::kChallenges, weights);
#pragma unroll 2
  for (int item = static_cast<int>(threadIdx.x); item < factors << log_size;
       item += kCloseThreads) {
    const Word128* at = table.Column(item >> log_size) + (item & (size - 1));
    Word128 v[1 << kBits];
#pragma unroll
    for (int b = 0; b < 1 << kBits; ++b) v[b] = at[b << log_size];
    columns[item] = gpu::Bind<kBits>(v, weights);
  }
}

// Entry i of a column whose highest variable is bound to r in place; `half`:
// the entries that stay.
__device__ __forceinline__ Word128 BindInPlace(Word128* column, int i, int half,
                                               Word128 r) {
  const Word128 lo = column[i];
  return column[i] = lo ^ gpu::Mul(lo ^ column[i + half], r);
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
  Word128 challenge = {};
  __syncthreads();
#pragma unroll 1
  for (int half = stride / 2; half > 0; half /= 2) {
    // The round before is bound on the way; the first has none.
    const bool bind = 2 * half < stride;
    NodeSum<D> sums[D + 1] = {};
    for (int i = thread; i < half; i += kCloseThreads) {
      Word128 lo[D], hi[D];
#pragma unroll
      for (int j = 0; j < D; ++j) {
        Word128* column = columns + j * stride;
        if (bind) {
          lo[j] = BindInPlace(column, i, 2 * half, challenge);
          hi[j] = BindInPlace(column, i + half, 2 * half, challenge);
        } else {
          lo[j] = column[i];
          hi[j] = column[i + half];
        }
      }
      gpu::AddNodes<D, 0>(lo, hi, sums);
    }
    // Warps without a position have nothing to add.
    const int busy = min(kCloseWarps, (half + kWarp - 1) / kWarp);
    if (warp < busy) {
#pragma unroll
      for (int k = 0; k <= D; ++k) {
        const Word128 sum = gpu::SumOfWarp(gpu::Value(sums[k]));
        if (gpu::Lane() == 0) of_warps[warp * (D + 1) + k] = sum;
      }
    }
    __syncthreads();
    if (warp == 0) {
      if (thread <= D) {
        Word128 sum = {};
        for (int w = 0; w < busy; ++w) {
          sum = sum ^ of_warps[w * (D + 1) + thread];
        }
        desk.values[thread] = sum;
      }
      __syncwarp();
      gpu::PlayOne<D>(desk, transcript, round, 0);
    } else if (warp == 1) {
      gpu::ExpandMessage<D>(desk);
    }
    __syncthreads();
    challenge = desk.challenge;
    ++round;
  }
  if (warp != 0) return;
  if (thread < D) {
    Word128* column = columns + thread * stride;
    transcript[pr::kTape + round * D + thread] =
        stride > 1 ? BindInPlace(column, 0, 1, challenge) : column[0];
  }
  if (thread == 0 && stride > 1) transcript[pr::kChallenges] = challenge;
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

template <int D>
void LaunchCloseFor(const CudaArgs& args) {
  static_assert(sizeof(Desk<D>) + 16 * (kCloseWarps * (D + 1) +
                                        D * (1 << MostCloseLogSize(D))) <=
                gpu::kMostSharedBytes);
  const auto& p = args.Params<ProductRoundsClose::Params>();
  const Table table = TableOf(args, p.table);
  const auto entries = static_cast<int>(table.size >> p.bound);
  const int bytes = static_cast<int>(sizeof(Desk<D>)) +
                    16 * (kCloseWarps * (D + 1) + D * entries);
  const auto kernel = Close<D>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       bytes);
  kernel<<<1, kCloseThreads, static_cast<size_t>(bytes), args.stream>>>(
      table, p.bound, args.Get<Word128>(1), p.round);
}

void LaunchClose(const CudaArgs& args) {
  switch (args.Params<ProductRoundsClose::Params>().table.factors) {
    case 1: return LaunchCloseFor<1>(args);
    case 2: return LaunchCloseFor<2>(args);
    case 3: return LaunchCloseFor<3>(args);
    case 4: return LaunchCloseFor<4>(args);
    case 5: return LaunchCloseFor<5>(args);
    default: return LaunchCloseFor<6>(args);
  }
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

CudaEntry ProductRoundsClose::Cuda() { return {LaunchClose}; }
CudaEntry ProductRoundsGenerate::Cuda() { return {LaunchGenerate}; }

}  // namespace assay
