// Poseidon2 over many states at once with 52-bit products (AVX-512 IFMA).
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_OPS_POSEIDON2_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_OPS_POSEIDON2_WIDE_INL_H_
#undef ASSAY_OPS_POSEIDON2_WIDE_INL_H_
#else
#define ASSAY_OPS_POSEIDON2_WIDE_INL_H_
#endif

#include "assay/ops/poseidon2/poseidon2-inl.h"

#if ASSAY_HAVE_WIDE

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// Sixteen states in two halves of eight 64-bit lanes. Between permutations a
// lane holds element * 2^52, below 2^38: at that scale x^7 by Montgomery
// steps of 2^52 keeps the scale, and only cells that enter or leave pay for a
// change of it. About a fifth fewer instructions than NarrowStates: linear
// layers are plain additions, and the full rounds' constants ride on the
// accumulator of the last multiplication.
class WideStates {
 public:
  HWY_INLINE void Clear() {
    for (int i = 0; i < 16; ++i) {
      s_[0][i] = _mm512_setzero_si512();
      s_[1][i] = _mm512_setzero_si512();
    }
  }
  HWY_INLINE void Set(int i, VF x) {
    const auto& enter = poseidon2::kWideConstants.enter;
    s_[0][i] = Scale(_mm512_setzero_si512(), EvenL(x), enter);
    s_[1][i] = Scale(_mm512_setzero_si512(), OddL(x), enter);
  }
  HWY_INLINE VF Get(int i) const {
    const auto& leave = poseidon2::kWideConstants.leave;
    return MergeL(Scale(_mm512_setzero_si512(), s_[0][i], leave),
                  Scale(_mm512_setzero_si512(), s_[1][i], leave));
  }

  HWY_INLINE void Permute() {
    const poseidon2::WideConstants& constants = poseidon2::kWideConstants;
    for (VL* s : {s_[0], s_[1]}) {
      External(s);
      AddConstants(s, constants.first);
    }
    // The halves take turns: while one waits for its S-boxes (a chain of 50
    // cycles), the other keeps the multipliers busy.
    for (int r = 0; r < 4; ++r) {
      Full(s_[0], constants.after[r]);
      Full(s_[1], constants.after[r]);
    }
    for (int r = 0; r < 13; ++r) {
      Partial(s_[0], r, constants);
      Partial(s_[1], r, constants);
    }
    for (VL* s : {s_[0], s_[1]}) AddConstants(s, constants.middle);
    for (int r = 4; r < 8; ++r) {
      Full(s_[0], constants.after[r]);
      Full(s_[1], constants.after[r]);
    }
  }

 private:
  static HWY_INLINE void AddConstants(VL s[16], const uint64_t* constants) {
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) s[i] = AddL(s[i], SetL(constants[i]));
  }

  // Multiplies bounds by 35.
  static HWY_INLINE void External(VL s[16]) {
    const VL two = SetL(2);
#pragma GCC unroll 4
    for (int g = 0; g < 16; g += 4) {
      VL* x = s + g;
      const VL t01 = AddL(x[0], x[1]);
      const VL t23 = AddL(x[2], x[3]);
      const VL t0123 = AddL(t01, t23);
      const VL t01123 = AddL(t0123, x[1]);
      const VL t01233 = AddL(t0123, x[3]);
      x[3] = MulAddLow(t01233, x[0], two);
      x[1] = MulAddLow(t01123, x[2], two);
      x[0] = AddL(t01123, t01);
      x[2] = AddL(t01233, t23);
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      const VL sum = AddL(AddL(s[j], s[4 + j]), AddL(s[8 + j], s[12 + j]));
#pragma GCC unroll 4
      for (int g = 0; g < 16; g += 4) s[g + j] = AddL(s[g + j], sum);
    }
  }

  // `after` holds p + c with External(c) the next constants.
  static HWY_INLINE void Full(VL s[16], const uint64_t* after) {
#pragma GCC unroll 16
    for (int i = 0; i < 16; ++i) s[i] = Pow7L(s[i], SetL(after[i]));
    External(s);
  }

  // s_i <- sum + d_i s_i. Small d_i multiply without reduction in three
  // rounds of four: bounds stay below 2^42, their sum below 2^46.
  static HWY_INLINE void Partial(VL s[16], int round,
                                 const poseidon2::WideConstants& constants) {
    const VL s0 = Pow7L(s[0], SetL(BabyBear::kPrime));
    const VL rest = AddL(AddL(AddL(AddL(s[1], s[2]), AddL(s[3], s[4])),
                              AddL(AddL(s[5], s[6]), AddL(s[7], s[8]))),
                         AddL(AddL(AddL(s[9], s[10]), AddL(s[11], s[12])),
                              AddL(AddL(s[13], s[14]), s[15])));
    const VL sum = ReduceL(AddL(rest, s0));
    // sum - 2 s_0 and the next round's constant; the offset covers s_0.
    s[0] = AddL(SubL(rest, s0), SetL(constants.partial[round]));
    s[1] = AddL(sum, s[1]);
    const poseidon2::WideConstants::Factor* d = constants.diagonal;
    const int phase = round % 4;
    if (phase == 0) {
      s[2] = Scale(sum, s[2], d[2]);
      s[4] = Scale(sum, s[4], d[4]);
      s[5] = Scale(sum, s[5], d[5]);
      s[7] = Scale(sum, s[7], d[7]);
      s[8] = Scale(sum, s[8], d[8]);
    } else {
      const VL covered = AddL(sum, SetL(constants.cover[phase]));
      s[2] = MulAddLow(sum, s[2], SetL(2));
      s[4] = MulAddLow(sum, s[4], SetL(3));
      s[5] = MulAddLow(sum, s[5], SetL(4));
      s[7] = MulAddLow(covered, s[7], SetL(constants.negative[3]));
      s[8] = MulAddLow(covered, s[8], SetL(constants.negative[4]));
    }
    s[3] = Scale(sum, s[3], d[3]);
    s[6] = Scale(sum, s[6], d[6]);
    s[9] = Scale(sum, s[9], d[9]);
    s[10] = Scale(sum, s[10], d[10]);
    s[11] = Scale(sum, s[11], d[11]);
    s[12] = Scale(sum, s[12], d[12]);
    s[13] = Scale(sum, s[13], d[13]);
    s[14] = Scale(sum, s[14], d[14]);
    s[15] = Scale(sum, s[15], d[15]);
  }

  static HWY_INLINE VL Scale(VL sum, VL x,
                             const poseidon2::WideConstants::Factor& c) {
    return MulAddFactorL(sum, x, c.value, c.quotient);
  }

  VL s_[2][16];
};

using PoseidonStates = WideStates;

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_HAVE_WIDE

#endif  // per-target include guard
