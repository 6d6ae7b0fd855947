// Products of columns at the nodes of a round, in vector lanes.
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_OPS_PRODUCT_SUMCHECK_NODES_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_OPS_PRODUCT_SUMCHECK_NODES_INL_H_
#undef ASSAY_OPS_PRODUCT_SUMCHECK_NODES_INL_H_
#else
#define ASSAY_OPS_PRODUCT_SUMCHECK_NODES_INL_H_
#endif

#include <hwy/highway.h>

#include "assay/number/gf2_128_products-inl.h"

// Arrays of vectors become registers only where loops over them are unrolled.
#undef ASSAY_UNROLL
#define ASSAY_UNROLL _Pragma("GCC unroll 32")

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// Columns are multiplied in pairs: a pair is a quadratic, known from three
// products, whose values at further nodes cost shifts only. What is left is
// one product for each further pair or column and node. The last of them is
// summed raw.

HWY_INLINE VG Add3G(VG a, VG b, VG c) { return AddG(AddG(a, b), c); }

// Values of a line at K nodes; v[0], v[1] given.
template <int K>
HWY_INLINE void ExtendLine(VG* v) {
  if constexpr (K > 2) v[2] = AddG(v[0], v[1]);
  if constexpr (K > 3) {
    const VG slope = TimesXG(v[2]);
    v[3] = AddG(v[0], slope);
    if constexpr (K > 5) v[5] = AddG(v[0], TimesXG(slope));
  }
  if constexpr (K > 4) v[4] = AddG(v[3], v[2]);
  if constexpr (K > 6) v[6] = AddG(v[5], v[2]);
}

// Values of a quadratic c + l X + t X^2 at K nodes; v[0], v[1], v[2] = t
// given. At x it is c + x (l + x t), at x^2 c + x^2 (l + x^2 t); one further
// adds l + t, since (x + 1)^2 = x^2 + 1.
template <int K>
HWY_INLINE void ExtendQuadratic(VG* v) {
  if constexpr (K > 3) {
    const VG t = v[2];
    const VG l = Add3G(v[0], v[1], t);
    const VG one_more = AddG(v[0], v[1]);
    const VG xt = TimesXG(t);
    v[3] = AddG(v[0], TimesXG(AddG(l, xt)));
    if constexpr (K > 4) v[4] = AddG(v[3], one_more);
    if constexpr (K > 5) {
      v[5] = AddG(v[0], TimesXG(TimesXG(AddG(l, TimesXG(xt)))));
    }
    if constexpr (K > 6) v[6] = AddG(v[5], one_more);
  }
}

// Sums over pairs of entries at the D + 1 nodes of a round.
template <int D>
struct NodeSums {
  static constexpr size_t kCount = D + 1;
  WideSumG sums[kCount];

  // Spelled out, as SumG's.
  HWY_INLINE NodeSums() {}

  // Nodes before kFirst (0 or 1) are left out.
  template <int kFirst>
  HWY_INLINE void Add(const VG* lo, const VG* hi) {
    if constexpr (D == 2) {
      if constexpr (kFirst == 0) sums[0].Add(lo[0], lo[1]);
      sums[1].Add(hi[0], hi[1]);
      sums[2].Add(AddG(lo[0], hi[0]), AddG(lo[1], hi[1]));
      return;
    }
    VG product[kCount];
    Pair(lo, hi, product);
    if constexpr (D >= 5) {
      VG second[kCount];
      Pair(lo + 2, hi + 2, second);
      ASSAY_UNROLL
      for (size_t k = kFirst; k < kCount; ++k) {
        product[k] = MulWideG(product[k], second[k]);
      }
    }
    VG last[kCount];
    if constexpr (D % 2 == 1) {
      last[0] = lo[D - 1];
      last[1] = hi[D - 1];
      ExtendLine<kCount>(last);
    } else {
      Pair(lo + D - 2, hi + D - 2, last);
    }
    ASSAY_UNROLL
    for (size_t k = kFirst; k < kCount; ++k) {
      sums[k].Add(product[k], last[k]);
    }
  }

  HWY_INLINE void Store(size_t first, Gf2_128* out) const {
    ASSAY_UNROLL
    for (size_t k = first; k < kCount; ++k) {
      out[k] = SumOfLanesG(sums[k].Reduce());
    }
  }

 private:
  static HWY_INLINE void Pair(const VG* lo, const VG* hi, VG* v) {
    v[0] = MulWideG(lo[0], lo[1]);
    v[1] = MulWideG(hi[0], hi[1]);
    v[2] = MulWideG(AddG(lo[0], hi[0]), AddG(lo[1], hi[1]));
    ExtendQuadratic<kCount>(v);
  }
};

// For one column the sums need no product.
template <>
struct NodeSums<1> {
  static constexpr size_t kCount = 2;
  VG sums[kCount];

  HWY_INLINE NodeSums() {
    sums[0] = ZeroG();
    sums[1] = ZeroG();
  }
  template <int kFirst>
  HWY_INLINE void Add(const VG* lo, const VG* hi) {
    if constexpr (kFirst == 0) sums[0] = AddG(sums[0], lo[0]);
    sums[1] = AddG(sums[1], hi[0]);
  }
  HWY_INLINE void Store(size_t first, Gf2_128* out) const {
    ASSAY_UNROLL
    for (size_t k = first; k < kCount; ++k) out[k] = SumOfLanesG(sums[k]);
  }
};

// Sums over quarters of entries at the (D + 1)^2 pairs of nodes, for one
// column or two. v[j]: the four entries of column j, the first bit that of the
// variable bound first.
template <int D>
struct GridSums;

template <>
struct GridSums<2> {
  static constexpr size_t kCount = 9;
  WideSumG sums[kCount];

  HWY_INLINE GridSums() {}

  template <int kFirst>
  HWY_INLINE void Add(const VG (*v)[4]) {
    VG a[kCount];
    VG b[kCount];
    Extend(v[0], a);
    Extend(v[1], b);
    ASSAY_UNROLL
    for (size_t k = kFirst; k < kCount; ++k) sums[k].Add(a[k], b[k]);
  }

  HWY_INLINE void Store(size_t first, Gf2_128* out) const {
    for (size_t k = first; k < kCount; ++k) {
      out[k] = SumOfLanesG(sums[k].Reduce());
    }
  }

 private:
  // One column at 0, 1 and infinity in both variables.
  static HWY_INLINE void Extend(const VG* v, VG* grid) {
    grid[0] = v[0];
    grid[1] = v[1];
    grid[2] = AddG(v[0], v[1]);
    grid[3] = v[2];
    grid[4] = v[3];
    grid[5] = AddG(v[2], v[3]);
    grid[6] = AddG(v[0], v[2]);
    grid[7] = AddG(v[1], v[3]);
    grid[8] = AddG(grid[2], grid[5]);
  }
};

template <>
struct GridSums<1> {
  static constexpr size_t kCount = 4;
  VG sums[kCount];

  HWY_INLINE GridSums() {
    for (VG& sum : sums) sum = ZeroG();
  }
  template <int kFirst>
  HWY_INLINE void Add(const VG (*v)[4]) {
    ASSAY_UNROLL
    for (size_t k = kFirst; k < kCount; ++k) sums[k] = AddG(sums[k], v[0][k]);
  }
  HWY_INLINE void Store(size_t first, Gf2_128* out) const {
    for (size_t k = first; k < kCount; ++k) out[k] = SumOfLanesG(sums[k]);
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
