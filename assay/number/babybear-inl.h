// BabyBear in vector lanes, included once for each Highway target.
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_NUMBER_BABYBEAR_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_NUMBER_BABYBEAR_INL_H_
#undef ASSAY_NUMBER_BABYBEAR_INL_H_
#else
#define ASSAY_NUMBER_BABYBEAR_INL_H_
#endif

#include <hwy/highway.h>

#include "assay/number/babybear.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Lanes of residues. "Canonical" lanes are below p; "signed" lanes are any
// 32-bit two's complement number, congruent to the residue.
using DF = hn::ScalableTag<uint32_t>;
using VF = hn::Vec<DF>;

HWY_INLINE VF LoadF(const BabyBear* p) {
  return hn::LoadU(DF(), reinterpret_cast<const uint32_t*>(p));
}
HWY_INLINE void StoreF(VF v, BabyBear* p) {
  hn::StoreU(v, DF(), reinterpret_cast<uint32_t*>(p));
}
// The first n <= lanes elements, the other lanes zero; and back.
HWY_INLINE VF LoadSome(const BabyBear* p, size_t n) {
  const DF d;
  if (n == hn::Lanes(d)) return LoadF(p);
  HWY_ALIGN uint32_t lanes[HWY_MAX_BYTES / 4] = {};
  for (size_t i = 0; i < n; ++i) lanes[i] = p[i].residue;
  return hn::Load(d, lanes);
}
HWY_INLINE void StoreSome(VF v, BabyBear* p, size_t n) {
  const DF d;
  if (n == hn::Lanes(d)) return StoreF(v, p);
  HWY_ALIGN uint32_t lanes[HWY_MAX_BYTES / 4] = {};
  hn::Store(v, d, lanes);
  for (size_t i = 0; i < n; ++i) p[i].residue = lanes[i];
}
HWY_INLINE VF SetF(BabyBear x) { return hn::Set(DF(), x.residue); }
HWY_INLINE VF ZeroF() { return hn::Zero(DF()); }
HWY_INLINE VF PrimeF() { return hn::Set(DF(), BabyBear::kPrime); }

// From (-p, p), two's complement, to canonical: the smaller of v and v + p
// when read as unsigned.
HWY_INLINE VF FromSigned(VF v) { return hn::Min(v, hn::Add(v, PrimeF())); }
// From [0, 2p) to canonical.
HWY_INLINE VF FromDouble(VF v) { return hn::Min(v, hn::Sub(v, PrimeF())); }

HWY_INLINE VF AddF(VF a, VF b) { return FromDouble(hn::Add(a, b)); }
HWY_INLINE VF SubF(VF a, VF b) { return FromSigned(hn::Sub(a, b)); }
HWY_INLINE VF DoubleF(VF a) { return AddF(a, a); }

#if HWY_TARGET == HWY_SCALAR

// One lane: the host's arithmetic.
HWY_INLINE VF SignedMulF(VF a, VF b) {
  const int64_t t = static_cast<int64_t>(static_cast<int32_t>(a.raw)) *
                    static_cast<int32_t>(b.raw);
  const int32_t q =
      static_cast<int32_t>(static_cast<uint32_t>(t) * BabyBear::kInverse);
  const int64_t d =
      t - static_cast<int64_t>(q) * static_cast<int32_t>(BabyBear::kPrime);
  return hn::Set(DF(), static_cast<uint32_t>(static_cast<uint64_t>(d) >> 32));
}
HWY_INLINE VF MulF(VF a, VF b) { return FromSigned(SignedMulF(a, b)); }
HWY_INLINE VF SignedPow7F(VF x) {
  const VF x2 = SignedMulF(x, x);
  return SignedMulF(SignedMulF(x2, x), SignedMulF(x2, x2));
}

#else

// 32-bit products live in 64-bit lanes: the even ones, and the odd ones after
// DupOdd. `Wide` holds a signed value in the low half of each 64-bit lane.
using DW = hn::RepartitionToWide<DF>;
using VW = hn::Vec<DW>;
using DS = hn::RebindToSigned<DF>;

HWY_INLINE VW MulEvenSigned(VF a, VF b) {
  const DS ds;
  return hn::BitCast(DW(), hn::MulEven(hn::BitCast(ds, a), hn::BitCast(ds, b)));
}

// t - (t p^-1 mod 2^32) p for products t of even lanes: a multiple of 2^32
// whose upper half is t 2^-32 mod p, in (-p, p) for |t| < 2^31 p.
HWY_INLINE VW ReduceHigh(VW t) {
  const VF q = hn::BitCast(
      DF(),
      hn::MulEven(hn::BitCast(DF(), t), hn::Set(DF(), BabyBear::kInverse)));
  return hn::Sub(t, MulEvenSigned(q, PrimeF()));
}

// The upper halves of even (left) and odd (right) 64-bit lanes, interleaved.
HWY_INLINE VF MergeHigh(VW even, VW odd) {
  const DF d;
#if HWY_TARGET <= HWY_AVX3
  // One masked shuffle instead of a shuffle and a blend.
  return VF{_mm512_mask_shuffle_epi32(odd.raw, __mmask16{0x5555}, even.raw,
                                      _MM_PERM_DDBB)};
#else
  return hn::OddEven(hn::BitCast(d, odd), hn::DupOdd(hn::BitCast(d, even)));
#endif
}

// The Montgomery product in (-p, p), for signed lanes with |a b| < 2^31 p.
HWY_INLINE VF SignedMulF(VF a, VF b) {
  const VW even = ReduceHigh(MulEvenSigned(a, b));
  const VW odd = ReduceHigh(MulEvenSigned(hn::DupOdd(a), hn::DupOdd(b)));
  return MergeHigh(even, odd);
}

// The Montgomery product of canonical lanes, canonical.
HWY_INLINE VF MulF(VF a, VF b) { return FromSigned(SignedMulF(a, b)); }

HWY_INLINE VW Pow7Half(VF x) {
  const DF d;
  const VF x2 = hn::DupOdd(hn::BitCast(d, ReduceHigh(MulEvenSigned(x, x))));
  const VF x3 = hn::DupOdd(hn::BitCast(d, ReduceHigh(MulEvenSigned(x2, x))));
  const VF x4 = hn::DupOdd(hn::BitCast(d, ReduceHigh(MulEvenSigned(x2, x2))));
  return ReduceHigh(MulEvenSigned(x3, x4));
}

// x^7 in (-p, p) for any signed lanes: |x| <= 2^31 gives |x^2| < 1.04 p,
// |x^3| < 1.02 p, |x^4| < 1.001 p and |x^7| < 0.98 p. Even and odd lanes stay
// apart until the end, which saves the merges in between.
HWY_INLINE VF SignedPow7F(VF x) {
  return MergeHigh(Pow7Half(x), Pow7Half(hn::DupOdd(x)));
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
