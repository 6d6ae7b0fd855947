// Rounds of the sum-check of a product on the GPU.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/grid_sum.h"
#include "assay/device/cuda/launch.h"
#include "assay/number/gf2_128_cuda.h"
#include "assay/ops/product_sumcheck/product_sumcheck_kernels.h"

namespace assay {
namespace {

using gpu::Mul;
using gpu::Reduce;
using gpu::Sum256;
using gpu::TimesX;

// Two blocks an SM hide more of memory's latency than the registers that a
// third of the kernels would like; grids of two rounds need smaller blocks.
constexpr int kThreads = 256;
constexpr int kGridThreads = 128;

__device__ gpu::GridSumState g_sum;

struct Table {
  Word128* data;
  uint64_t size;
  uint64_t stride;

  __device__ __forceinline__ Word128* Column(int j) const {
    return data + static_cast<uint64_t>(j) * stride;
  }
};

__device__ __forceinline__ Word128 Load(const Word128* at) {
  const ulonglong2 x = __ldcs(reinterpret_cast<const ulonglong2*>(at));
  return {x.x, x.y};
}
__device__ __forceinline__ void Store(Word128 x, Word128* at) {
  __stcs(reinterpret_cast<ulonglong2*>(at), make_ulonglong2(x.low, x.high));
}

// A line lo + X (lo + hi) at node k: 0, 1, infinity, x, x + 1, x^2, x^2 + 1.
template <int kNode>
__device__ __forceinline__ Word128 At(Word128 lo, Word128 hi) {
  const Word128 slope = lo ^ hi;
  if constexpr (kNode == 0) return lo;
  if constexpr (kNode == 1) return hi;
  if constexpr (kNode == 2) return slope;
  if constexpr (kNode == 3) return lo ^ TimesX(slope);
  if constexpr (kNode == 4) return lo ^ TimesX(slope) ^ slope;
  if constexpr (kNode == 5) return lo ^ TimesX(TimesX(slope));
  return lo ^ TimesX(TimesX(slope)) ^ slope;
}

// The product of D lines at one node: the last factor is left to the sum.
template <int D, int kNode>
__device__ __forceinline__ void AddNode(const Word128* lo, const Word128* hi,
                                        Sum256& sum) {
  Word128 product = At<kNode>(lo[0], hi[0]);
#pragma unroll
  for (int j = 1; j + 1 < D; ++j)
    product = Mul(product, At<kNode>(lo[j], hi[j]));
  if constexpr (D == 1) {
    // A column of ones: the sum's parts take the value as it is.
    sum.z0 = sum.z0 ^ Word128 { product.low, 0 };
    sum.z1 = sum.z1 ^ Word128 { product.low ^ product.high, 0 };
    sum.z2 = sum.z2 ^ Word128 { 0, 0 };
  } else {
    sum.Add(product, At<kNode>(lo[D - 1], hi[D - 1]));
  }
}

template <int D, int kFirst, int kNode = kFirst>
__device__ __forceinline__ void AddNodes(const Word128* lo, const Word128* hi,
                                         Sum256* sums) {
  if constexpr (kNode <= D) {
    AddNode<D, kNode>(lo, hi, sums[kNode]);
    AddNodes<D, kFirst, kNode + 1>(lo, hi, sums);
  }
}

// Four columns: products of pairs at 0, 1 and infinity say what they are at
// the other nodes, by shifts (docs/engines/binary.md, 2.5).
struct Quadratic {
  Word128 at0, at1, top;

  __device__ __forceinline__ static Quadratic Of(const Word128* lo,
                                                 const Word128* hi) {
    return {Mul(lo[0], lo[1]), Mul(hi[0], hi[1]),
            Mul(lo[0] ^ hi[0], lo[1] ^ hi[1])};
  }
  __device__ __forceinline__ Word128 AtX() const {
    return at0 ^ TimesX(at0 ^ at1 ^ top) ^ TimesX(TimesX(top));
  }
  __device__ __forceinline__ Word128 AtX1() const { return AtX() ^ at0 ^ at1; }
};

template <int kFirst>
__device__ __forceinline__ void AddFour(const Word128* lo, const Word128* hi,
                                        Sum256* sums) {
  const Quadratic q = Quadratic::Of(lo, hi), s = Quadratic::Of(lo + 2, hi + 2);
  if constexpr (kFirst == 0) sums[0].Add(q.at0, s.at0);
  sums[1].Add(q.at1, s.at1);
  sums[2].Add(q.top, s.top);
  sums[3].Add(q.AtX(), s.AtX());
  sums[4].Add(q.AtX1(), s.AtX1());
}

template <int D, int kFirst>
__device__ __forceinline__ void AddAll(const Word128* lo, const Word128* hi,
                                       Sum256* sums) {
  if constexpr (D == 4) {
    AddFour<kFirst>(lo, hi, sums);
  } else {
    AddNodes<D, kFirst>(lo, hi, sums);
  }
}

// Adds the sums of all threads; the last block reduces those from kFirst on.
template <int kCount, int kFirst>
__device__ void Finish(const Sum256* sums, Word128* out) {
  constexpr int kWords = 4 * (kCount - kFirst);
  uint64_t mine[kWords];
#pragma unroll
  for (int k = kFirst; k < kCount; ++k) {
    const Word256 w = sums[k].Join();
    mine[4 * (k - kFirst)] = w.w0;
    mine[4 * (k - kFirst) + 1] = w.w1;
    mine[4 * (k - kFirst) + 2] = w.w2;
    mine[4 * (k - kFirst) + 3] = w.w3;
  }
  __shared__ uint64_t total[kWords];
  if (!gpu::GridSum<kWords>(mine, &g_sum, total)) return;
  if (threadIdx.x < kCount - kFirst) {
    const uint64_t* w = total + 4 * threadIdx.x;
    out[kFirst + threadIdx.x] = Reduce({w[0], w[1], w[2], w[3]});
  }
}

template <int D>
__global__ void __launch_bounds__(kThreads, 2)
    Round(Table table, Word128* out) {
  Sum256 sums[D + 1] = {};
  const uint64_t half = table.size / 2;
  for (uint64_t i = uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < half;
       i += uint64_t{gridDim.x} * kThreads) {
    Word128 lo[D], hi[D];
#pragma unroll
    for (int j = 0; j < D; ++j) {
      lo[j] = Load(table.Column(j) + i);
      hi[j] = Load(table.Column(j) + half + i);
    }
    AddAll<D, 0>(lo, hi, sums);
  }
  Finish<D + 1, 0>(sums, out);
}

// A thread reads the four entries that its two new ones come from, so that
// columns fold in place.
template <int D>
__global__ void __launch_bounds__(kThreads, 2)
    Fold(Table table, Word128 r, Word128* out) {
  Sum256 sums[D + 1] = {};
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
    AddAll<D, 1>(lo, hi, sums);
  }
  Finish<D + 1, 1>(sums, out);
}

// The last round leaves one entry a column and nothing to measure.
__global__ void FoldLast(Table table, int factors, Word128 r) {
  const int j = static_cast<int>(threadIdx.x);
  if (j >= factors) return;
  Word128* column = table.Column(j);
  column[0] = column[0] ^ Mul(column[0] ^ column[1], r);
}

// Nodes of the second variable at a node of the first one.
template <int D, int kFirst, int P, int Q = 0>
__device__ __forceinline__ void AddGridRow(const Word128 (*v)[4],
                                           Sum256* sums) {
  if constexpr (Q <= D) {
    if constexpr (P * (D + 1) + Q >= kFirst) {
      Word128 lo[D], hi[D];
#pragma unroll
      for (int j = 0; j < D; ++j) {
        lo[j] = At<P>(v[j][0], v[j][2]);
        hi[j] = At<P>(v[j][1], v[j][3]);
      }
      AddNode<D, Q>(lo, hi, sums[P * (D + 1) + Q]);
    }
    AddGridRow<D, kFirst, P, Q + 1>(v, sums);
  }
}
template <int D, int kFirst, int P = 0>
__device__ __forceinline__ void AddGrid(const Word128 (*v)[4], Sum256* sums) {
  if constexpr (P <= D) {
    AddGridRow<D, kFirst, P>(v, sums);
    AddGrid<D, kFirst, P + 1>(v, sums);
  }
}

template <int D>
__global__ void __launch_bounds__(kGridThreads)
    Grid(Table table, Word128* out) {
  Sum256 sums[(D + 1) * (D + 1)] = {};
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
    AddGrid<D, 0>(v, sums);
  }
  Finish<(D + 1) * (D + 1), 0>(sums, out);
}

__device__ __forceinline__ Word128 BindTwo(Word128* column, uint64_t quarter,
                                           Word128 r, Word128 s, Word128 rs) {
  const Word128 v00 = Load(column), v01 = Load(column + quarter);
  const Word128 v10 = Load(column + 2 * quarter);
  const Word128 v11 = Load(column + 3 * quarter);
  const Word128 z = v00 ^ v01;
  Sum256 sum = {};
  sum.Add(v00 ^ v10, r);
  sum.Add(z, s);
  sum.Add(z ^ v10 ^ v11, rs);
  const Word128 bound = v00 ^ Reduce(sum.Join());
  Store(bound, column);
  return bound;
}

template <int D>
__global__ void __launch_bounds__(kGridThreads)
    FoldGrid(Table table, Word128 r, Word128 s, Word128* out) {
  Sum256 sums[(D + 1) * (D + 1)] = {};
  const Word128 rs = Mul(r, s);
  const uint64_t quarter = table.size / 4, next = quarter / 4;
  for (uint64_t i = uint64_t{blockIdx.x} * kGridThreads + threadIdx.x; i < next;
       i += uint64_t{gridDim.x} * kGridThreads) {
    Word128 v[D][4];
#pragma unroll
    for (int j = 0; j < D; ++j) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        v[j][k] = BindTwo(table.Column(j) + static_cast<uint64_t>(k) * next + i,
                          quarter, r, s, rs);
      }
    }
    AddGrid<D, 1>(v, sums);
  }
  Finish<(D + 1) * (D + 1), 1>(sums, out);
}

// One or two entries a column are left.
__global__ void FoldGridLast(Table table, int factors, Word128 r, Word128 s) {
  const int j = static_cast<int>(threadIdx.x);
  if (j >= factors) return;
  const uint64_t quarter = table.size / 4;
  const Word128 rs = Mul(r, s);
  for (uint64_t i = 0; i < quarter; ++i) {
    BindTwo(table.Column(j) + i, quarter, r, s, rs);
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
        table, args.Get<Word128>(1));
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
        table, r, args.Get<Word128>(1));
  });
}

void LaunchGrid(const CudaArgs& args) {
  const auto& p = args.Params<ProductSumcheckParams>();
  const Table table = TableOf(args, p);
  const unsigned grid = GridOf(args, table.size / 4, kGridThreads);
  Word128* out = args.Get<Word128>(1);
  if (p.factors == 1) {
    Grid<1><<<grid, kGridThreads, 0, args.stream>>>(table, out);
  } else {
    Grid<2><<<grid, kGridThreads, 0, args.stream>>>(table, out);
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
  Word128* out = args.Get<Word128>(1);
  if (p.table.factors == 1) {
    FoldGrid<1><<<grid, kGridThreads, 0, args.stream>>>(table, r, s, out);
  } else {
    FoldGrid<2><<<grid, kGridThreads, 0, args.stream>>>(table, r, s, out);
  }
}

}  // namespace

CudaEntry ProductSumcheckRound::Cuda() { return {LaunchRound}; }
CudaEntry ProductSumcheckFold::Cuda() { return {LaunchFold}; }
CudaEntry ProductSumcheckGrid::Cuda() { return {LaunchGrid}; }
CudaEntry ProductSumcheckFoldGrid::Cuda() { return {LaunchFoldGrid}; }

}  // namespace assay
