// GF(2^128) in vector lanes, included once for each Highway target.
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_NUMBER_GF2_128_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_NUMBER_GF2_128_INL_H_
#undef ASSAY_NUMBER_GF2_128_INL_H_
#else
#define ASSAY_NUMBER_GF2_128_INL_H_
#endif

#include <hwy/highway.h>

#include "assay/number/clmul-inl.h"
#include "assay/number/gf2_128.h"
#include "assay/number/gf2_128_reflected.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// VG holds LanesG() elements of 128 bits. All of it is constant-time.
#if HWY_TARGET == HWY_SCALAR

// Lanes of 64 bits hold no element: one at a time, by the portable product.
struct VG {
  Word128 x;
};
HWY_INLINE size_t LanesG() { return 1; }
HWY_INLINE VG ZeroG() { return {}; }
HWY_INLINE VG SetG(Gf2_128 x) { return {x.word()}; }
HWY_INLINE VG LoadG(const Gf2_128* p) { return {p->word()}; }
HWY_INLINE void StoreG(VG v, Gf2_128* p) { *p = Gf2_128::From(v.x); }
HWY_INLINE VG AddG(VG a, VG b) { return {a.x ^ b.x}; }
HWY_INLINE VG TimesXG(VG a) { return {Gf2_128::From(a.x).TimesX().word()}; }

// An operand with the sum of its halves, which Karatsuba's middle term needs.
struct FactorG {
  VG v;
  uint64_t middle = 0;
};
HWY_INLINE FactorG FactorOf(VG v) { return {v, v.x.low ^ v.x.high}; }

// The raw z0, z1, z2 of sums of products: combined and reduced once, late.
struct SumG {
  Word128 z0, z1, z2;

  HWY_INLINE void Add(VG a, const FactorG& b) {
    z0 = z0 ^ clmul::Mul(a.x.low, b.v.x.low);
    z1 = z1 ^ clmul::Mul(a.x.low ^ a.x.high, b.middle);
    z2 = z2 ^ clmul::Mul(a.x.high, b.v.x.high);
  }
  HWY_INLINE void Add(const SumG& b) {
    z0 = z0 ^ b.z0;
    z1 = z1 ^ b.z1;
    z2 = z2 ^ b.z2;
  }
  HWY_INLINE VG Reduce() const {
    return {clmul::Reduce(clmul::Join(z0, z1, z2))};
  }
  HWY_INLINE VG ReduceReflected() const {
    return {reflected::Reduce(clmul::Join(z0, z1, z2))};
  }
};

HWY_INLINE Gf2_128 SumOfLanesG(VG v) { return Gf2_128::From(v.x); }

#else

// Where carry-less products have 128 bits, wider vectors would be taken apart
// and put together for each of them: 2.5 to 4 times slower.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
using DG = hn::Full128<uint64_t>;
#else
using DG = hn::ScalableTag<uint64_t>;
#endif
using VG = hn::Vec<DG>;

HWY_INLINE size_t LanesG() { return hn::Lanes(DG()) / 2; }
HWY_INLINE VG ZeroG() { return hn::Zero(DG()); }
HWY_INLINE VG SetG(Gf2_128 x) {
  HWY_ALIGN const uint64_t words[2] = {x.low, x.high};
  return hn::LoadDup128(DG(), words);
}
HWY_INLINE VG LoadG(const Gf2_128* p) {
  return hn::LoadU(DG(), reinterpret_cast<const uint64_t*>(p));
}
HWY_INLINE void StoreG(VG v, Gf2_128* p) {
  hn::StoreU(v, DG(), reinterpret_cast<uint64_t*>(p));
}
HWY_INLINE VG AddG(VG a, VG b) { return hn::Xor(a, b); }

// Low and high words of each element exchanged; moved up or down with zeros.
HWY_INLINE VG SwapG(VG v) { return hn::Shuffle01(v); }
HWY_INLINE VG UpG(VG v) { return hn::ShiftLeftLanes<1>(DG(), v); }
HWY_INLINE VG DownG(VG v) { return hn::ShiftRightLanes<1>(DG(), v); }

HWY_INLINE VG TimesXG(VG a) {
  const DG d;
  const hn::RebindToSigned<DG> di;
  // All ones in a word whose top bit is set.
  const VG sign = hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(di, a)));
  HWY_ALIGN static constexpr uint64_t kCarries[2] = {0x87, 1};
  return hn::Xor(hn::Add(a, a),
                 hn::And(SwapG(sign), hn::LoadDup128(d, kCarries)));
}

// An operand with the sum of its halves (in both words), which Karatsuba's
// middle term needs.
struct FactorG {
  VG v;
  VG middle;
};
HWY_INLINE FactorG FactorOf(VG v) { return {v, hn::Xor(v, SwapG(v))}; }

// The reduction in reflected order of w1:w0 and w3:w2: two products.
HWY_INLINE VG ReduceReflectedG(VG low, VG high) {
  const VG part = hn::Set(DG(), uint64_t{0xc200000000000000});
  const VG t = hn::Xor(SwapG(low), ClmulLow(low, part));
  const VG u = hn::Xor(SwapG(t), ClmulLow(t, part));
  return hn::Xor(high, u);
}

// The raw z0, z1, z2 of sums of products: combined and reduced once, late.
// Three products a term.
struct SumG {
  VG z0, z1, z2;

  // Spelled out, since an implicit constructor would not be compiled for the
  // vector target.
  HWY_INLINE SumG() : z0(ZeroG()), z1(ZeroG()), z2(ZeroG()) {}

  HWY_INLINE void Add(VG a, const FactorG& b) {
    z0 = hn::Xor(z0, ClmulLow(a, b.v));
    z1 = hn::Xor(z1, ClmulLow(hn::Xor(a, SwapG(a)), b.middle));
    z2 = hn::Xor(z2, ClmulHigh(a, b.v));
  }
  HWY_INLINE void Add(const SumG& b) {
    z0 = hn::Xor(z0, b.z0);
    z1 = hn::Xor(z1, b.z1);
    z2 = hn::Xor(z2, b.z2);
  }

  // Natural order: two products with the polynomial's lower part.
  HWY_INLINE VG Reduce() const {
    const VG part = hn::Set(DG(), uint64_t{0x87});
    const VG m = hn::Xor(z1, hn::Xor(z0, z2));
    const VG low = hn::Xor(z0, UpG(m));     // w1:w0
    const VG high = hn::Xor(z2, DownG(m));  // w3:w2
    const VG t = ClmulHigh(high, part);
    const VG u = ClmulLow(hn::Xor(high, DownG(t)), part);
    return hn::Xor(hn::Xor(low, UpG(t)), u);
  }

  // Reflected order, the factors being keys (reflected::Key).
  HWY_INLINE VG ReduceReflected() const {
    const VG m = hn::Xor(z1, hn::Xor(z0, z2));
    return ReduceReflectedG(hn::Xor(z0, UpG(m)), hn::Xor(z2, DownG(m)));
  }
};

// The sum of a vector's elements.
HWY_INLINE Gf2_128 SumOfLanesG(VG v) {
  HWY_ALIGN Gf2_128 lanes[HWY_MAX_BYTES / 16];
  hn::Store(v, DG(), reinterpret_cast<uint64_t*>(lanes));
  Gf2_128 sum;
  for (size_t i = 0; i < LanesG(); ++i) sum += lanes[i];
  return sum;
}

#endif  // HWY_TARGET == HWY_SCALAR

// The first n <= LanesG() elements, the others zero; and back.
HWY_INLINE VG LoadSomeG(const Gf2_128* p, size_t n) {
  if (n == LanesG()) return LoadG(p);
  HWY_ALIGN Gf2_128 lanes[HWY_MAX_BYTES / 8] = {};
  for (size_t i = 0; i < n; ++i) lanes[i] = p[i];
  return LoadG(lanes);
}
HWY_INLINE void StoreSomeG(VG v, Gf2_128* p, size_t n) {
  if (n == LanesG()) return StoreG(v, p);
  HWY_ALIGN Gf2_128 lanes[HWY_MAX_BYTES / 8];
  StoreG(v, lanes);
  for (size_t i = 0; i < n; ++i) p[i] = lanes[i];
}

// One product, natural and reflected.
HWY_INLINE VG MulG(VG a, const FactorG& b) {
  SumG sum;
  sum.Add(a, b);
  return sum.Reduce();
}
HWY_INLINE VG MulG(VG a, VG b) { return MulG(a, FactorOf(b)); }
HWY_INLINE VG MulReflectedG(VG a, const FactorG& key) {
  SumG sum;
  sum.Add(a, key);
  return sum.ReduceReflected();
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
