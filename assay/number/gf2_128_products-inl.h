// Products in GF(2^128) that spare the port on which shuffles run.
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_NUMBER_GF2_128_PRODUCTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_NUMBER_GF2_128_PRODUCTS_INL_H_
#undef ASSAY_NUMBER_GF2_128_PRODUCTS_INL_H_
#else
#define ASSAY_NUMBER_GF2_128_PRODUCTS_INL_H_
#endif

#include <hwy/highway.h>

#include "assay/number/gf2_128-inl.h"

// Targets without the instruction get one copy of each product: inlined they
// take minutes to compile.
#undef ASSAY_PRODUCT
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128 || \
    HWY_TARGET == HWY_SSSE3
#define ASSAY_PRODUCT HWY_NOINLINE
#else
#define ASSAY_PRODUCT HWY_INLINE
#endif

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// On x86 carry-less products and shuffles share one port, which bounds long
// sums of products. The instruction picks its words itself, so four products
// of words need no shuffle, where Karatsuba's three need two.
#if HWY_TARGET == HWY_SCALAR

struct WideSumG {
  SumG sum;
  ASSAY_PRODUCT void Add(VG a, VG b) { sum.Add(a, FactorOf(b)); }
  ASSAY_PRODUCT VG Reduce() const { return sum.Reduce(); }
};
struct ConstantG {
  FactorG factor;
};
HWY_INLINE ConstantG ConstantOf(Gf2_128 x) { return {FactorOf(SetG(x))}; }
struct ConstantSumG {
  SumG sum;
  ASSAY_PRODUCT void Add(VG v, const ConstantG& c) { sum.Add(v, c.factor); }
  ASSAY_PRODUCT VG Reduce() const { return sum.Reduce(); }
};

#else

// a.low b.high + a.high b.low, unreduced, added to m.
HWY_INLINE VG AddCrossG(VG m, VG a, VG b) {
#if HWY_TARGET == HWY_AVX3_DL
  return VG{_mm512_ternarylogic_epi64(
      m.raw, _mm512_clmulepi64_epi128(a.raw, b.raw, 0x01),
      _mm512_clmulepi64_epi128(a.raw, b.raw, 0x10), 0x96)};
#else
  const VG swapped = SwapG(b);
  return hn::Xor3(m, ClmulLow(a, swapped), ClmulHigh(a, swapped));
#endif
}

// A sum of products low + middle x^64 + high x^128, its parts of 127 bits.
struct WideSumG {
  VG low, middle, high;

  HWY_INLINE WideSumG() : low(ZeroG()), middle(ZeroG()), high(ZeroG()) {}

  ASSAY_PRODUCT void Add(VG a, VG b) {
    low = hn::Xor(low, ClmulLow(a, b));
    middle = AddCrossG(middle, a, b);
    high = hn::Xor(high, ClmulHigh(a, b));
  }

  // x^128 = Q: high's upper word times Q joins the middle at x^64, then the
  // middle's upper word and high's lower one times Q land at x^0. Three
  // products, one shuffle.
  ASSAY_PRODUCT VG Reduce() const {
    const VG part = hn::Set(DG(), uint64_t{0x87});
    const VG m = hn::Xor(middle, ClmulHigh(high, part));
    return hn::Xor(UpG(m),
                   hn::Xor3(low, ClmulLow(high, part), ClmulHigh(m, part)));
  }
};

// A factor c that many elements are multiplied with: v c = v.low c +
// v.high (c x^64), and both constants are kept by words.
struct ConstantG {
  VG low, high;  // words of c and of c x^64: the lower ones, the upper ones
};
HWY_INLINE ConstantG ConstantOf(Gf2_128 c) {
  const Gf2_128 up = c * Gf2_128{0, 1};
  return {SetG({c.low, up.low}), SetG({c.high, up.high})};
}

// A sum of products with constants, low + high x^64: four products of words a
// term, no shuffle.
struct ConstantSumG {
  VG low, high;

  HWY_INLINE ConstantSumG() : low(ZeroG()), high(ZeroG()) {}

  ASSAY_PRODUCT void Add(VG v, const ConstantG& c) {
    low = hn::Xor3(low, ClmulLow(v, c.low), ClmulHigh(v, c.low));
    high = hn::Xor3(high, ClmulLow(v, c.high), ClmulHigh(v, c.high));
  }
  ASSAY_PRODUCT VG Reduce() const {
    const VG part = hn::Set(DG(), uint64_t{0x87});
    return hn::Xor3(low, UpG(high), ClmulHigh(high, part));
  }
};

#endif  // HWY_TARGET == HWY_SCALAR

// One product: as WideSumG, a term and the reduction at once.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE VG MulWideG(VG a, VG b) { return MulG(a, b); }
#else
ASSAY_PRODUCT VG MulWideG(VG a, VG b) {
  const VG part = hn::Set(DG(), uint64_t{0x87});
  const VG high = ClmulHigh(a, b);
  const VG m = AddCrossG(ClmulHigh(high, part), a, b);
  return hn::Xor(UpG(m), hn::Xor3(ClmulLow(a, b), ClmulLow(high, part),
                                  ClmulHigh(m, part)));
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
