// BabyBear on the GPU: residues in few instructions, with lazy forms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/number/babybear.h"

// Host functions, too, so that nvcc can test them without a GPU.
#define ASSAY_GPU __host__ __device__ __forceinline__

namespace assay::gpu {

inline constexpr uint32_t kPrime = BabyBear::kPrime;

// x mod p for x < 2 p. One instruction (VIADDMNMX) from sm_90 on.
ASSAY_GPU uint32_t ReduceOnce(uint32_t x) {
  return __viaddmin_u32(x, 0u - kPrime, x);
}
// x mod p for a signed x in [-p, p). One instruction.
ASSAY_GPU uint32_t FromSigned(int32_t x) {
  const auto bits = static_cast<uint32_t>(x);
  return __viaddmin_u32(bits, kPrime, bits);
}

// Residues below p; two instructions each.
ASSAY_GPU uint32_t AddMod(uint32_t a, uint32_t b) { return ReduceOnce(a + b); }
ASSAY_GPU uint32_t SubMod(uint32_t a, uint32_t b) {
  return FromSigned(static_cast<int32_t>(a - b));
}

// x 2^-32 mod p, below 2 p, for x <= 2^64 - 2^32 p (that is 1.13 * 2^32 p).
// Below p + x / 2^32. Two instructions.
ASSAY_GPU uint32_t ReduceLazy(uint64_t x) {
  const auto low = static_cast<uint32_t>(x);
  const auto high = static_cast<uint32_t>(x >> 32);
  const uint32_t m = low * (0u - BabyBear::kInverse);
#ifdef __CUDA_ARCH__
  // Written so, the carry and the sum are part of one multiply-add.
  uint32_t result;
  asm("{\n\t.reg .u32 zero;\n\t"
      "mad.lo.cc.u32 zero, %1, %2, %3;\n\t"
      "madc.hi.u32 %0, %1, %2, %4;\n\t}"
      : "=r"(result)
      : "r"(m), "r"(kPrime), "r"(low), "r"(high));
  return result;
#else
  return high + (low != 0) +
         static_cast<uint32_t>((static_cast<uint64_t>(m) * kPrime) >> 32);
#endif
}
// x 2^-32 mod p in [-p/2 - |x| / 2^32, p/2 + |x| / 2^32] for
// |x| < 2^63 - 2^31 p (that is 0.56 * 2^32 p). Two instructions.
ASSAY_GPU int32_t ReduceSigned(int64_t x) {
  const auto low = static_cast<int32_t>(x);
  const auto high = static_cast<int32_t>(x >> 32);
  const auto m = static_cast<int32_t>(static_cast<uint32_t>(low) *
                                      (0u - BabyBear::kInverse));
#ifdef __CUDA_ARCH__
  int32_t result;
  asm("{\n\t.reg .s32 zero;\n\t"
      "mad.lo.cc.s32 zero, %1, %2, %3;\n\t"
      "madc.hi.s32 %0, %1, %2, %4;\n\t}"
      : "=r"(result)
      : "r"(m), "r"(kPrime), "r"(low), "r"(high));
  return result;
#else
  return high + (low != 0) +
         static_cast<int32_t>((static_cast<int64_t>(m) * int64_t{kPrime}) >>
                              32);
#endif
}

// a b 2^-32 mod p, below p, for a b < 2^32 p: four instructions.
ASSAY_GPU uint32_t MulMod(uint32_t a, uint32_t b) {
  return ReduceOnce(ReduceLazy(static_cast<uint64_t>(a) * b));
}
// The same in (-p, p) for signed a and b in [-1.03 p, 1.03 p]; three
// instructions. Results are factors again without a correction.
ASSAY_GPU int32_t MulSigned(int32_t a, int32_t b) {
  return ReduceSigned(static_cast<int64_t>(a) * b);
}

// x 2^-32 mod p, below p, for a sum of four products of residues below p
// (4 p^2 < 2^64): four instructions.
ASSAY_GPU uint32_t ReduceSum4(uint64_t x) {
  // The upper half, below 1.88 p, is taken mod p first.
  const uint32_t high = ReduceOnce(static_cast<uint32_t>(x >> 32));
  return ReduceOnce(
      ReduceLazy(static_cast<uint64_t>(high) << 32 | static_cast<uint32_t>(x)));
}

ASSAY_GPU BabyBear Add(BabyBear a, BabyBear b) {
  return {AddMod(a.residue, b.residue)};
}
ASSAY_GPU BabyBear Sub(BabyBear a, BabyBear b) {
  return {SubMod(a.residue, b.residue)};
}
ASSAY_GPU BabyBear Mul(BabyBear a, BabyBear b) {
  return {MulMod(a.residue, b.residue)};
}

}  // namespace assay::gpu
