// Rounds of the sum-check of a product on the GPU.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/grid_sum.h"
#include "assay/device/cuda/launch.h"
#include "assay/ops/product_sumcheck/nodes_gpu.h"
#include "assay/ops/product_sumcheck/product_sumcheck_kernels.h"

namespace assay {
namespace {

using gpu::Mul;
using gpu::NodeSum;
using gpu::Table;

// Two blocks an SM hide more of memory's latency than the registers that a
// third of the kernels would like; grids of two rounds need smaller blocks.
constexpr int kThreads = 256;
constexpr int kGridThreads = 128;

__device__ __forceinline__ Word128 Load(const Word128* at) {
  const ulonglong2 x = __ldcs(reinterpret_cast<const ulonglong2*>(at));
  return {x.x, x.y};
}
__device__ __forceinline__ void Store(Word128 x, Word128* at) {
  __stcs(reinterpret_cast<ulonglong2*>(at), make_ulonglong2(x.low, x.high));
}

// Adds the sums of all threads; the last block writes those from kFirst on.
template <int kCount, int kFirst, class Sum>
__device__ void Finish(const Sum* sums, gpu::GridSumState* state,
                       Word128* out) {
  constexpr int kWords = 2 * (kCount - kFirst);
  uint64_t mine[kWords];
#pragma unroll
  for (int k = kFirst; k < kCount; ++k) {
    const Word128 w = Value(sums[k]);
    mine[2 * (k - kFirst)] = w.low;
    mine[2 * (k - kFirst) + 1] = w.high;
  }
  __shared__ uint64_t total[kWords];
  if (!gpu::GridSum<kWords>(mine, state, total)) return;
  if (threadIdx.x < kCount - kFirst) {
    const uint64_t* w = total + 2 * threadIdx.x;
    out[kFirst + threadIdx.x] = {w[0], w[1]};
  }
}

template <int D>
__global__ void __launch_bounds__(kThreads, 2)
    Round(Table table, gpu::GridSumState* state, Word128* out) {
  NodeSum<D> sums[D + 1] = {};
  const uint64_t half = table.size / 2;
  for (uint64_t i = uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < half;
       i += uint64_t{gridDim.x} * kThreads) {
    Word128 lo[D], hi[D];
#pragma unroll
    for (int j = 0; j < D; ++j) {
      lo[j] = Load(table.Column(j) + i);
      hi[j] = Load(table.Column(j) + half + i);
    }
    gpu::AddNodes<D, 0>(lo, hi, sums);
  }
  Finish<D + 1, 0>(sums, state, out);
}

// A thread reads the four entries that its two new ones come from, so that
// columns fold in place.
template <int D>
__global__ void __launch_bounds__(kThreads, 2)
    Fold(Table table, Word128 r, gpu::GridSumState* state, Word128* out) {
  NodeSum<D> sums[D + 1] = {};
  const uint64_t quarter = table.size / 4;
  for (uint64_t i = uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < quarter;
       i += uint64_t{gridDim.x} * kThreads) {
    Word128 lo[D], hi[D];
#pragma unroll
    for (int j = 0; j < D; ++j) {
      Word128* column = table.Column(j) + i;
      const Word128 a = Load(column), b = Load(column + quarter);
      const Word128 c = Load(column + 2 * quarter);
      const Word128 d = Load(column + 3 * quarter);
      lo[j] = a ^ Mul(a ^ c, r);
      hi[j] = b ^ Mul(b ^ d, r);
      Store(lo[j], column);
      Store(hi[j], column + quarter);
    }
    gpu::AddNodes<D, 1>(lo, hi, sums);
  }
  Finish<D + 1, 1>(sums, state, out);
}

// The last round leaves one entry a column and nothing to measure.
__global__ void FoldLast(Table table, int factors, Word128 r) {
  const int j = static_cast<int>(threadIdx.x);
  if (j >= factors) return;
  Word128* column = table.Column(j);
  column[0] = column[0] ^ Mul(column[0] ^ column[1], r);
}

template <int D>
__global__ void __launch_bounds__(kGridThreads)
    Grid(Table table, gpu::GridSumState* state, Word128* out) {
  NodeSum<D> sums[(D + 1) * (D + 1)] = {};
  const uint64_t quarter = table.size / 4;
  for (uint64_t i = uint64_t{blockIdx.x} * kGridThreads + threadIdx.x;
       i < quarter; i += uint64_t{gridDim.x} * kGridThreads) {
    Word128 v[D][4];
#pragma unroll
    for (int j = 0; j < D; ++j) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        v[j][k] =
            Load(table.Column(j) + static_cast<uint64_t>(k) * quarter + i);
      }
    }
    gpu::AddGrid<D, 0>(v, sums);
  }
  Finish<(D + 1) * (D + 1), 0>(sums, state, out);
}

__device__ __forceinline__ Word128 BindTwo(Word128* column, uint64_t quarter,
                                           const Word128* weights) {
  Word128 v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    v[k] = Load(column + static_cast<uint64_t>(k) * quarter);
  }
  const Word128 bound = gpu::Bind<2>(v, weights);
  Store(bound, column);
  return bound;
}

template <int D>
__global__ void __launch_bounds__(kGridThreads)
    FoldGrid(Table table, Word128 r, Word128 s, gpu::GridSumState* state,
             Word128* out) {
  NodeSum<D> sums[(D + 1) * (D + 1)] = {};
  const Word128 challenges[2] = {r, s};
  Word128 weights[4];
  gpu::BindWeights<2>(challenges, weights);
  const uint64_t quarter = table.size / 4, next = quarter / 4;
  for (uint64_t i = uint64_t{blockIdx.x} * kGridThreads + threadIdx.x; i < next;
       i += uint64_t{gridDim.x} * kGridThreads) {
    Word128 v[D][4];
#pragma unroll
    for (int j = 0; j < D; ++j) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        v[j][k] = BindTwo(table.Column(j) + static_cast<uint64_t>(k) * next + i,
                          quarter, weights);
      }
    }
    gpu::AddGrid<D, 1>(v, sums);
  }
  Finish<(D + 1) * (D + 1), 1>(sums, state, out);
}

// One or two entries a column are left.
__global__ void FoldGridLast(Table table, int factors, Word128 r, Word128 s) {
  const int j = static_cast<int>(threadIdx.x);
  if (j >= factors) return;
  const uint64_t quarter = table.size / 4;
  const Word128 challenges[2] = {r, s};
  Word128 weights[4];
  gpu::BindWeights<2>(challenges, weights);
  for (uint64_t i = 0; i < quarter; ++i) {
    BindTwo(table.Column(j) + i, quarter, weights);
  }
}

Table TableOf(const CudaArgs& args, const ProductSumcheckParams& p) {
  return {args.Get<Word128>(0), uint64_t{1} << p.log_size,
          uint64_t{p.stride_high} << 32 | p.stride_low};
}

Word128 ElementOf(const uint32_t* words) {
  return {uint64_t{words[1]} << 32 | words[0],
          uint64_t{words[3]} << 32 | words[2]};
}

unsigned GridOf(const CudaArgs& args, uint64_t positions,
                uint64_t threads = kThreads) {
  const uint64_t most =
      static_cast<uint64_t>(args.multiprocessors) * (2048 / threads);
  const uint64_t wanted = (positions + threads - 1) / threads;
  return static_cast<unsigned>(std::clamp<uint64_t>(wanted, 1, most));
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

void LaunchRound(const CudaArgs& args) {
  const auto& p = args.Params<ProductSumcheckParams>();
  const Table table = TableOf(args, p);
  WithFactors(p.factors, [&](auto d) {
    Round<d.value><<<GridOf(args, table.size / 2), kThreads, 0, args.stream>>>(
        table, args.Sums<gpu::GridSumState>(), args.Get<Word128>(1));
  });
}

void LaunchFold(const CudaArgs& args) {
  const auto& p = args.Params<ProductSumcheckFold::Params>();
  const Table table = TableOf(args, p.table);
  const Word128 r = ElementOf(p.r);
  if (table.size == 2) {
    FoldLast<<<1, 32, 0, args.stream>>>(table,
                                        static_cast<int>(p.table.factors), r);
    return;
  }
  WithFactors(p.table.factors, [&](auto d) {
    Fold<d.value><<<GridOf(args, table.size / 4), kThreads, 0, args.stream>>>(
        table, r, args.Sums<gpu::GridSumState>(), args.Get<Word128>(1));
  });
}

void LaunchGrid(const CudaArgs& args) {
  const auto& p = args.Params<ProductSumcheckParams>();
  const Table table = TableOf(args, p);
  const unsigned grid = GridOf(args, table.size / 4, kGridThreads);
  auto* state = args.Sums<gpu::GridSumState>();
  Word128* out = args.Get<Word128>(1);
  if (p.factors == 1) {
    Grid<1><<<grid, kGridThreads, 0, args.stream>>>(table, state, out);
  } else {
    Grid<2><<<grid, kGridThreads, 0, args.stream>>>(table, state, out);
  }
}

void LaunchFoldGrid(const CudaArgs& args) {
  const auto& p = args.Params<ProductSumcheckFoldGrid::Params>();
  const Table table = TableOf(args, p.table);
  const Word128 r = ElementOf(p.r), s = ElementOf(p.s);
  if (table.size / 4 < 4) {
    FoldGridLast<<<1, 32, 0, args.stream>>>(
        table, static_cast<int>(p.table.factors), r, s);
    return;
  }
  const unsigned grid = GridOf(args, table.size / 16, kGridThreads);
  auto* state = args.Sums<gpu::GridSumState>();
  Word128* out = args.Get<Word128>(1);
  if (p.table.factors == 1) {
    FoldGrid<1>
        <<<grid, kGridThreads, 0, args.stream>>>(table, r, s, state, out);
  } else {
    FoldGrid<2>
        <<<grid, kGridThreads, 0, args.stream>>>(table, r, s, state, out);
  }
}

}  // namespace

CudaEntry ProductSumcheckRound::Cuda() { return {LaunchRound}; }
CudaEntry ProductSumcheckFold::Cuda() { return {LaunchFold}; }
CudaEntry ProductSumcheckGrid::Cuda() { return {LaunchGrid}; }
CudaEntry ProductSumcheckFoldGrid::Cuda() { return {LaunchFoldGrid}; }

}  // namespace assay
