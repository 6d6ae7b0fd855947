// Products of columns at the nodes of a round, one thread at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "assay/number/gf2_128_cuda.h"

namespace assay::gpu {

// Columns in the device's memory, `stride` elements apart.
struct Table {
  Word128* data;
  uint64_t size;
  uint64_t stride;

  __device__ __forceinline__ Word128* Column(int j) const {
    return data + static_cast<uint64_t>(j) * stride;
  }
};

// What stays of a sum where there is nothing to multiply.
struct PlainSum {
  Word128 value;
};
template <int D>
using NodeSum = std::conditional_t<D == 1, PlainSum, Sum256>;

__device__ __forceinline__ Word128 Value(const PlainSum& sum) {
  return sum.value;
}
__device__ __forceinline__ Word128 Value(const Sum256& sum) {
  return Reduce(sum.Join());
}

// lo + X (lo + hi) at node k: 0, 1, infinity, x, x + 1, x^2, x^2 + 1.
struct Line {
  Word128 lo, hi;

  template <int kNode>
  __device__ __forceinline__ Word128 At() const {
    const Word128 slope = lo ^ hi;
    if constexpr (kNode == 0) return lo;
    if constexpr (kNode == 1) return hi;
    if constexpr (kNode == 2) return slope;
    if constexpr (kNode == 3) return lo ^ TimesX(slope);
    if constexpr (kNode == 4) return hi ^ TimesX(slope);
    if constexpr (kNode == 5) return lo ^ TimesX(TimesX(slope));
    return hi ^ TimesX(TimesX(slope));
  }
};

// A product of two lines: three products say what it is at 0, 1 and infinity,
// and shifts what it is at the other nodes (docs/engines/binary.md, 2.5).
struct Quadratic {
  Word128 at0, at1, top;

  __device__ __forceinline__ static Quadratic Of(const Word128* lo,
                                                 const Word128* hi) {
    return {Mul(lo[0], lo[1]), Mul(hi[0], hi[1]),
            Mul(lo[0] ^ hi[0], lo[1] ^ hi[1])};
  }

  template <int kNode>
  __device__ __forceinline__ Word128 At() const {
    const Word128 slope = at0 ^ at1 ^ top;
    if constexpr (kNode == 0) return at0;
    if constexpr (kNode == 1) return at1;
    if constexpr (kNode == 2) return top;
    if constexpr (kNode == 3) return at0 ^ TimesX(slope ^ TimesX(top));
    if constexpr (kNode == 4) return at1 ^ at0 ^ At<3>();
    if constexpr (kNode == 5) {
      return at0 ^ TimesX(TimesX(slope ^ TimesX(TimesX(top))));
    }
    return at1 ^ at0 ^ At<5>();
  }
};

// Nodes kNode to D of a product whose first factors are `first` and, where
// there are five columns or more, `second`. The last product is summed raw.
template <int D, int kNode, class Last>
__device__ __forceinline__ void AddProducts(const Quadratic& first,
                                            const Quadratic& second,
                                            const Last& last, Sum256* sums) {
  if constexpr (kNode <= D) {
    Word128 product = first.template At<kNode>();
    if constexpr (D >= 5) {
      product = Mul(product, second.template At<kNode>());
    }
    sums[kNode].Add(product, last.template At<kNode>());
    AddProducts<D, kNode + 1>(first, second, last, sums);
  }
}

// Adds the product of D lines, at nodes kFirst (0 or 1) to D, to `sums`.
template <int D, int kFirst>
__device__ __forceinline__ void AddNodes(const Word128* lo, const Word128* hi,
                                         NodeSum<D>* sums) {
  if constexpr (D == 1) {
    if constexpr (kFirst == 0) sums[0].value = sums[0].value ^ lo[0];
    sums[1].value = sums[1].value ^ hi[0];
  } else if constexpr (D == 2) {
    if constexpr (kFirst == 0) sums[0].Add(lo[0], lo[1]);
    sums[1].Add(hi[0], hi[1]);
    sums[2].Add(lo[0] ^ hi[0], lo[1] ^ hi[1]);
  } else {
    const Quadratic first = Quadratic::Of(lo, hi);
    Quadratic second = {};
    if constexpr (D >= 5) second = Quadratic::Of(lo + 2, hi + 2);
    if constexpr (D % 2 == 1) {
      AddProducts<D, kFirst>(first, second, Line{lo[D - 1], hi[D - 1]}, sums);
    } else {
      AddProducts<D, kFirst>(first, second,
                             Quadratic::Of(lo + D - 2, hi + D - 2), sums);
    }
  }
}

// The same for two rounds, for one column or two: v[j] are the four entries of
// column j, the first bit that of the variable bound first; pairs of nodes
// p-major, from pair kFirst on.
template <int D, int kFirst>
__device__ __forceinline__ void AddGrid(const Word128 (*v)[4],
                                        NodeSum<D>* sums) {
  if constexpr (D == 1) {
#pragma unroll
    for (int k = kFirst; k < 4; ++k) {
      sums[k].value = sums[k].value ^ v[0][k];
    }
  } else {
    Word128 grid[2][9];
#pragma unroll
    for (int j = 0; j < 2; ++j) {
      const Word128* w = v[j];
      const Word128 low = w[0] ^ w[1], high = w[2] ^ w[3];
      const Word128 all[9] = {w[0], w[1],        low,         w[2],      w[3],
                              high, w[0] ^ w[2], w[1] ^ w[3], low ^ high};
#pragma unroll
      for (int k = 0; k < 9; ++k) grid[j][k] = all[k];
    }
#pragma unroll
    for (int k = kFirst; k < 9; ++k) sums[k].Add(grid[0][k], grid[1][k]);
  }
}

// How much each of 2^kBits entries adds to the one that they are bound to, the
// first bit of b being that of the variable bound first: the product of r or
// 1 + r for each challenge. For one variable, its challenge.
template <int kBits>
__device__ __forceinline__ void BindWeights(const Word128* challenges,
                                            Word128* weights) {
  weights[0] = kBits == 1 ? challenges[0] : Word128{1, 0};
#pragma unroll
  for (int k = 0; k < (kBits == 1 ? 0 : kBits); ++k) {
#pragma unroll
    for (int b = 1 << k; b-- > 0;) {
      weights[2 * b + 1] = Mul(weights[b], challenges[k]);
      weights[2 * b] = weights[b] ^ weights[2 * b + 1];
    }
  }
}

// Binds kBits variables at once, with one reduction. For two and more a product
// an entry costs less logic than differences do.
template <int kBits>
__device__ __forceinline__ Word128 Bind(const Word128* v,
                                        const Word128* weights) {
  if constexpr (kBits == 0) {
    return v[0];
  } else if constexpr (kBits == 1) {
    return v[0] ^ Mul(v[0] ^ v[1], weights[0]);
  } else {
    Sum256 sum = {};
#pragma unroll
    for (int b = 0; b < 1 << kBits; ++b) sum.Add(v[b], weights[b]);
    return Reduce(sum.Join());
  }
}

}  // namespace assay::gpu
