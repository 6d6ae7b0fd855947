// BabyBear in 52-bit lanes, for processors with AVX-512 IFMA.
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_NUMBER_BABYBEAR_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_NUMBER_BABYBEAR_WIDE_INL_H_
#undef ASSAY_NUMBER_BABYBEAR_WIDE_INL_H_
#else
#define ASSAY_NUMBER_BABYBEAR_WIDE_INL_H_
#endif

#include "assay/number/babybear-inl.h"

// Highway has no name for a 52-bit multiply, so this room speaks to the
// processor directly. Every processor of the target AVX3_DL (Ice Lake, Zen 4
// and later) has IFMA.
#undef ASSAY_HAVE_WIDE
#if HWY_TARGET <= HWY_AVX3_DL && HWY_ARCH_X86
#define ASSAY_HAVE_WIDE 1

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// Eight 64-bit lanes that hold integers modulo 2^52: bits 52 and up are
// noise that no multiplication reads. What a lane means is a non-negative
// integer below 2^52, congruent to the element; additions need no correction
// as long as the bound stays below 2^52.
using VL = __m512i;

HWY_INLINE VL SetL(uint64_t x) {
  return _mm512_set1_epi64(static_cast<int64_t>(x));
}
HWY_INLINE VL AddL(VL a, VL b) { return _mm512_add_epi64(a, b); }
HWY_INLINE VL SubL(VL a, VL b) { return _mm512_sub_epi64(a, b); }

// sum + the low (high) 52 bits of the 104-bit product. In assembly since the
// compilers want a target attribute for the intrinsic that Highway's target
// does not carry.
HWY_INLINE VL MulAddLow(VL sum, VL a, VL b) {
  asm("vpmadd52luq %2, %1, %0" : "+v"(sum) : "v"(a), "vm"(b));
  return sum;
}
HWY_INLINE VL MulAddHigh(VL sum, VL a, VL b) {
  asm("vpmadd52huq %2, %1, %0" : "+v"(sum) : "v"(a), "vm"(b));
  return sum;
}

// The same without a sum. The zeroing idiom costs no execution port, unlike
// a copied zero where the processor fails to eliminate the move.
HWY_INLINE VL MulLow(VL a, VL b) {
  VL product;
  asm("vpxorq %0, %0, %0\n\tvpmadd52luq %2, %1, %0"
      : "=&v"(product)
      : "v"(a), "vm"(b));
  return product;
}
HWY_INLINE VL MulHigh(VL a, VL b) {
  VL product;
  asm("vpxorq %0, %0, %0\n\tvpmadd52huq %2, %1, %0"
      : "=&v"(product)
      : "v"(a), "vm"(b));
  return product;
}
inline constexpr uint64_t kTwo52 = uint64_t{1} << 52;

// p^-1 mod 2^52.
inline constexpr uint64_t kInverse52 = [] {
  uint64_t x = BabyBear::kInverse;
  for (int i = 0; i < 2; ++i) x *= 2 - BabyBear::kPrime * x;
  return x % kTwo52;
}();

// The high part of q p for the q with q p = low mod 2^52.
HWY_INLINE VL HighOfMultiple(VL low) {
  return MulHigh(MulLow(low, SetL(kInverse52)), SetL(BabyBear::kPrime));
}

// a b 2^-52 + offset for offset = p + c: below offset + a b / 2^52 + 1. The
// high parts of a b and of q p are subtracted, so no carry is lost. Five
// instructions.
HWY_INLINE VL MontgomeryL(VL a, VL b, VL offset) {
  const VL low = MulLow(a, b);
  const VL high = MulAddHigh(offset, a, b);
  return SubL(high, HighOfMultiple(low));
}

// x^7 at the scale 2^52 (a lane holds element * 2^52), plus offset.
// For x < 2^50; the result is below offset + p + 2^40.
HWY_INLINE VL Pow7L(VL x, VL offset) {
  const VL p = SetL(BabyBear::kPrime);
  const VL x2 = MontgomeryL(x, x, p);
  const VL x3 = MontgomeryL(x2, x, p);
  const VL x4 = MontgomeryL(x2, x2, p);
  return MontgomeryL(x3, x4, offset);
}

// sum + c x mod p, the product below 2p, for a constant c < p with
// quotient = floor(c 2^52 / p) (Shoup; Harvey, Faster arithmetic for
// number-theoretic transforms, section 2). For any x < 2^52. Three
// instructions.
HWY_INLINE VL MulAddFactorL(VL sum, VL x, uint64_t c, uint64_t quotient) {
  const VL q = MulHigh(x, SetL(quotient));
  return MulAddLow(MulAddLow(sum, x, SetL(c)), q,
                   SetL(kTwo52 - BabyBear::kPrime));
}

// x mod p, below 2p. For any x < 2^52.
HWY_INLINE VL ReduceL(VL x) {
  const VL q = MulHigh(x, SetL(kTwo52 / BabyBear::kPrime));
  return MulAddLow(x, q, SetL(kTwo52 - BabyBear::kPrime));
}

// The even and odd lanes of canonical residues, zero-extended.
HWY_INLINE VL EvenL(VF v) { return _mm512_and_si512(v.raw, SetL(0xffffffff)); }
HWY_INLINE VL OddL(VF v) { return _mm512_srli_epi64(v.raw, 32); }

// Lanes below 2p, whose upper halves may be noise, to canonical residues.
HWY_INLINE VF MergeL(VL even, VL odd) {
  return FromDouble(VF{
      _mm512_mask_shuffle_epi32(even, __mmask16{0xaaaa}, odd, _MM_PERM_CCAA)});
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#else
#define ASSAY_HAVE_WIDE 0
#endif  // IFMA

#endif  // per-target include guard
