// The quartic extension in vector lanes, and long sums of products.
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_NUMBER_EXT4_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_NUMBER_EXT4_INL_H_
#undef ASSAY_NUMBER_EXT4_INL_H_
#else
#define ASSAY_NUMBER_EXT4_INL_H_
#endif

#include "assay/number/babybear_wide-inl.h"
#include "assay/number/ext4.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// One extension element a lane, canonical coefficients.
struct VE {
  VF c0, c1, c2, c3;
};

HWY_INLINE VE ZeroE() { return {ZeroF(), ZeroF(), ZeroF(), ZeroF()}; }
HWY_INLINE VE SetE(const Ext4& x) {
  return {SetF(x.c[0]), SetF(x.c[1]), SetF(x.c[2]), SetF(x.c[3])};
}
// From and to four planes, `stride` elements apart.
HWY_INLINE VE LoadE(const BabyBear* p, size_t stride) {
  return {LoadF(p), LoadF(p + stride), LoadF(p + 2 * stride),
          LoadF(p + 3 * stride)};
}
HWY_INLINE void StoreE(const VE& v, BabyBear* p, size_t stride) {
  StoreF(v.c0, p);
  StoreF(v.c1, p + stride);
  StoreF(v.c2, p + 2 * stride);
  StoreF(v.c3, p + 3 * stride);
}
// The first n lanes of four planes.
HWY_INLINE VE LoadSomeE(const BabyBear* p, size_t stride, size_t n) {
  return {LoadSome(p, n), LoadSome(p + stride, n), LoadSome(p + 2 * stride, n),
          LoadSome(p + 3 * stride, n)};
}
HWY_INLINE void StoreSomeE(const VE& v, BabyBear* p, size_t stride, size_t n) {
  StoreSome(v.c0, p, n);
  StoreSome(v.c1, p + stride, n);
  StoreSome(v.c2, p + 2 * stride, n);
  StoreSome(v.c3, p + 3 * stride, n);
}

HWY_INLINE VE AddE(const VE& a, const VE& b) {
  return {AddF(a.c0, b.c0), AddF(a.c1, b.c1), AddF(a.c2, b.c2),
          AddF(a.c3, b.c3)};
}
HWY_INLINE VE SubE(const VE& a, const VE& b) {
  return {SubF(a.c0, b.c0), SubF(a.c1, b.c1), SubF(a.c2, b.c2),
          SubF(a.c3, b.c3)};
}

// 11 x: three additions and a doubling chain, cheaper than a product.
HWY_INLINE VF Mul11F(VF x) {
  const VF x2 = DoubleF(x);
  const VF x3 = AddF(x2, x);
  return AddF(DoubleF(DoubleF(x2)), x3);
}

// 16 products.
HWY_INLINE VE MulE(const VE& a, const VE& b) {
  const VF d0 = MulF(a.c0, b.c0);
  const VF d1 = AddF(MulF(a.c0, b.c1), MulF(a.c1, b.c0));
  const VF d2 =
      AddF(AddF(MulF(a.c0, b.c2), MulF(a.c1, b.c1)), MulF(a.c2, b.c0));
  const VF d3 = AddF(AddF(MulF(a.c0, b.c3), MulF(a.c1, b.c2)),
                     AddF(MulF(a.c2, b.c1), MulF(a.c3, b.c0)));
  const VF d4 =
      AddF(AddF(MulF(a.c1, b.c3), MulF(a.c2, b.c2)), MulF(a.c3, b.c1));
  const VF d5 = AddF(MulF(a.c2, b.c3), MulF(a.c3, b.c2));
  const VF d6 = MulF(a.c3, b.c3);
  return {AddF(d0, Mul11F(d4)), AddF(d1, Mul11F(d5)), AddF(d2, Mul11F(d6)), d3};
}

// The sum of all lanes.
HWY_INLINE BabyBear SumLanes(VF v) {
  HWY_ALIGN uint32_t lanes[HWY_MAX_BYTES / 4];
  hn::Store(v, DF(), lanes);
  BabyBear sum;
  for (size_t i = 0; i < hn::Lanes(DF()); ++i) {
    sum += BabyBear::FromResidue(lanes[i]);
  }
  return sum;
}
HWY_INLINE Ext4 SumLanesE(const VE& v) {
  return Ext4{{SumLanes(v.c0), SumLanes(v.c1), SumLanes(v.c2), SumLanes(v.c3)}};
}

// A sum of up to 2048 products of canonical lanes with one factor that is
// the same in every lane.
#if ASSAY_HAVE_WIDE

// Products are added unreduced: four instructions each instead of eighteen.
class DotF {
 public:
  HWY_INLINE DotF() {
    low_even_ = high_even_ = low_odd_ = high_odd_ = _mm512_setzero_si512();
  }
  // `even` and `odd` are the halves of the lanes (EvenL, OddL): callers that
  // use a vector in several sums split it once.
  struct Operand {
    VL even, odd;
  };
  static HWY_INLINE Operand Split(VF v) { return {EvenL(v), OddL(v)}; }

  HWY_INLINE void Add(const Operand& a, BabyBear b) {
    const VL factor = SetL(b.residue);
    low_even_ = MulAddLow(low_even_, a.even, factor);
    high_even_ = MulAddHigh(high_even_, a.even, factor);
    low_odd_ = MulAddLow(low_odd_, a.odd, factor);
    high_odd_ = MulAddHigh(high_odd_, a.odd, factor);
  }
  // The sum as a Montgomery product, canonical.
  HWY_INLINE VF Sum() const {
    return MergeL(Reduced(low_even_, high_even_), Reduced(low_odd_, high_odd_));
  }

 private:
  static HWY_INLINE VL Reduced(VL low, VL high) {
    constexpr uint64_t kTwo20 = uint64_t{1} << 20;
    // (low + 2^52 high) 2^-52, then times 2^20: the scale of MulF is 2^-32.
    const VL sum =
        AddL(AddL(_mm512_srli_epi64(low, 52), high), SetL(BabyBear::kPrime));
    const VL x = SubL(sum, HighOfMultiple(low));
    return MulAddFactorL(_mm512_setzero_si512(), x, kTwo20,
                         (uint64_t{1} << 52) / BabyBear::kPrime * kTwo20 +
                             (((uint64_t{1} << 52) % BabyBear::kPrime) << 20) /
                                 BabyBear::kPrime);
  }

  VL low_even_, high_even_, low_odd_, high_odd_;
};

#else

class DotF {
 public:
  HWY_INLINE DotF() : sum_(ZeroF()) {}
  struct Operand {
    VF v;
  };
  static HWY_INLINE Operand Split(VF v) { return {v}; }
  HWY_INLINE void Add(const Operand& a, BabyBear b) {
    sum_ = AddF(sum_, MulF(a.v, SetF(b)));
  }
  HWY_INLINE VF Sum() const { return sum_; }

 private:
  VF sum_;
};

#endif  // ASSAY_HAVE_WIDE

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
