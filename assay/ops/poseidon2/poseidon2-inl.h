// Poseidon2 over many states at once, a vector lane each.
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_OPS_POSEIDON2_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_OPS_POSEIDON2_INL_H_
#undef ASSAY_OPS_POSEIDON2_INL_H_
#else
#define ASSAY_OPS_POSEIDON2_INL_H_
#endif

#include "assay/number/babybear-inl.h"
#include "assay/number/babybear_wide-inl.h"
#include "assay/ops/poseidon2/poseidon2_lanes.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// x 2^-k for 1 <= k <= 27 as high - low: x = high 2^k + low' and
// -2^-k = 15 * 2^(27-k), so x 2^-k = high - low' * 15 * 2^(27-k).
// `high` is below 2^(32-k) and `low` below p.
template <int k>
HWY_INLINE void SplitByPowerOfTwo(VF x, VF* high, VF* low) {
  *high = hn::ShiftRight<k>(x);
  // The k low bits at the top of the word; * 15 as * 16 - 1 would overflow
  // there, so the two shifted copies are subtracted instead.
  const VF top = hn::ShiftLeft<32 - k>(x);
  *low = hn::Sub(hn::ShiftRight<1>(top), hn::ShiftRight<5>(top));
}

// sum + x 2^-k, canonical, for canonical sum and x.
template <int k>
HWY_INLINE VF AddDivided(VF sum, VF x) {
  VF high, low;
  SplitByPowerOfTwo<k>(x, &high, &low);
  // Corrected before `high` is added: for k = 2 the sum of all three could be
  // so large that it reads as negative.
  return FromDouble(hn::Add(FromSigned(hn::Sub(sum, low)), high));
}

// sum - x 2^-k, canonical, for canonical sum and x.
template <int k>
HWY_INLINE VF SubDivided(VF sum, VF x) {
  VF high, low;
  SplitByPowerOfTwo<k>(x, &high, &low);
  return FromSigned(hn::Sub(FromDouble(hn::Add(sum, low)), high));
}

// x / 2, canonical.
HWY_INLINE VF HalveF(VF x) {
  const DF d;
  const VF odd = hn::And(x, hn::Set(d, 1));
  const VF half = hn::ShiftRight<1>(x);
  return hn::IfThenElse(hn::Eq(odd, hn::Zero(d)), half,
                        hn::Add(half, hn::Set(d, (BabyBear::kPrime + 1) / 2)));
}

// M4 on each group of four cells, then each cell gains the sum of the cells
// of its column over the groups (Poseidon2 paper, section 5.1).
HWY_INLINE void ExternalLayer(VF s[16]) {
#pragma GCC unroll 4
  for (int g = 0; g < 16; g += 4) {
    VF* x = s + g;
    const VF t01 = AddF(x[0], x[1]);
    const VF t23 = AddF(x[2], x[3]);
    const VF t0123 = AddF(t01, t23);
    const VF t01123 = AddF(t0123, x[1]);
    const VF t01233 = AddF(t0123, x[3]);
    x[3] = AddF(t01233, DoubleF(x[0]));
    x[1] = AddF(t01123, DoubleF(x[2]));
    x[0] = AddF(t01123, t01);
    x[2] = AddF(t01233, t23);
  }
#pragma GCC unroll 4
  for (int j = 0; j < 4; ++j) {
    const VF sum = AddF(AddF(s[j], s[4 + j]), AddF(s[8 + j], s[12 + j]));
#pragma GCC unroll 4
    for (int g = 0; g < 16; g += 4) s[g + j] = AddF(s[g + j], sum);
  }
}

// `shifted` are round constants less p, so that s + shifted is signed.
HWY_INLINE void FullRound(VF s[16], const uint32_t* shifted) {
  const DF d;
#pragma GCC unroll 16
  for (int i = 0; i < 16; ++i) {
    s[i] = FromSigned(SignedPow7F(hn::Add(s[i], hn::Set(d, shifted[i]))));
  }
  ExternalLayer(s);
}

HWY_INLINE void PartialRound(VF s[16], uint32_t shifted) {
  const DF d;
  const VF s0 = FromSigned(SignedPow7F(hn::Add(s[0], hn::Set(d, shifted))));
  const VF rest = AddF(AddF(AddF(AddF(s[1], s[2]), AddF(s[3], s[4])),
                            AddF(AddF(s[5], s[6]), AddF(s[7], s[8]))),
                       AddF(AddF(AddF(s[9], s[10]), AddF(s[11], s[12])),
                            AddF(AddF(s[13], s[14]), s[15])));
  const VF sum = AddF(rest, s0);
  s[0] = SubF(rest, s0);
  s[1] = AddF(sum, s[1]);
  s[2] = AddF(sum, DoubleF(s[2]));
  s[3] = AddF(sum, HalveF(s[3]));
  s[4] = AddF(sum, AddF(DoubleF(s[4]), s[4]));
  s[5] = AddF(sum, DoubleF(DoubleF(s[5])));
  s[6] = SubF(sum, HalveF(s[6]));
  s[7] = SubF(sum, AddF(DoubleF(s[7]), s[7]));
  s[8] = SubF(sum, DoubleF(DoubleF(s[8])));
  s[9] = AddDivided<8>(sum, s[9]);
  s[10] = AddDivided<2>(sum, s[10]);
  s[11] = AddDivided<3>(sum, s[11]);
  s[12] = AddDivided<27>(sum, s[12]);
  s[13] = SubDivided<8>(sum, s[13]);
  s[14] = SubDivided<4>(sum, s[14]);
  s[15] = SubDivided<27>(sum, s[15]);
}

// The states of all lanes: cell i of each in one vector.
class NarrowStates {
 public:
  HWY_INLINE void Clear() {
    for (VF& cell : s_) cell = ZeroF();
  }
  // `x` and the result are canonical.
  HWY_INLINE void Set(int i, VF x) { s_[i] = x; }
  HWY_INLINE VF Get(int i) const { return s_[i]; }

  HWY_INLINE void Permute() {
    const poseidon2::LaneConstants& constants = poseidon2::kLaneConstants;
    ExternalLayer(s_);
    for (int r = 0; r < 4; ++r) FullRound(s_, constants.external[r]);
    for (int r = 0; r < 13; ++r) PartialRound(s_, constants.internal[r]);
    for (int r = 4; r < 8; ++r) FullRound(s_, constants.external[r]);
  }

 private:
  VF s_[16];
};

#if !ASSAY_HAVE_WIDE
using PoseidonStates = NarrowStates;
#endif

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
