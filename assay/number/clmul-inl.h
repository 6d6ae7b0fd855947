// Carry-less products of words on vector lanes, included for each target.
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_NUMBER_CLMUL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_NUMBER_CLMUL_INL_H_
#undef ASSAY_NUMBER_CLMUL_INL_H_
#else
#define ASSAY_NUMBER_CLMUL_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// Carry-less products of the low, and of the high words of each 128 bits.
// Highway 1.0's software form (targets without an instruction) sums 16 bits in
// a hole of four where both words are dense, and the carry spoils bit 64: the
// halves of one factor apart keep it to 8. Nothing else calls Highway's.
#undef ASSAY_SOFT_CLMUL
#if HWY_TARGET == HWY_SSSE3 || defined(HWY_DISABLE_PCLMUL_AES) || \
    (HWY_TARGET == HWY_NEON && !defined(__ARM_FEATURE_AES) &&     \
     !(HWY_HAVE_RUNTIME_DISPATCH && HWY_ARCH_ARM_A64))
#define ASSAY_SOFT_CLMUL 1
#else
#define ASSAY_SOFT_CLMUL 0
#endif

#if HWY_TARGET != HWY_SCALAR
template <class V>
HWY_INLINE V ClmulLow(V a, V b) {
  namespace hn = hwy::HWY_NAMESPACE;
#if ASSAY_SOFT_CLMUL
  const V half = hn::Set(hn::DFromV<V>(), uint64_t{0xffffffff});
  return hn::Xor(hn::CLMulLower(a, hn::And(b, half)),
                 hn::CLMulLower(a, hn::AndNot(half, b)));
#else
  return hn::CLMulLower(a, b);
#endif
}
template <class V>
HWY_INLINE V ClmulHigh(V a, V b) {
  namespace hn = hwy::HWY_NAMESPACE;
#if ASSAY_SOFT_CLMUL
  const V half = hn::Set(hn::DFromV<V>(), uint64_t{0xffffffff});
  return hn::Xor(hn::CLMulUpper(a, hn::And(b, half)),
                 hn::CLMulUpper(a, hn::AndNot(half, b)));
#else
  return hn::CLMulUpper(a, b);
#endif
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
