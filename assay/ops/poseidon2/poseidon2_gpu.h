// Poseidon2 on the GPU: a state a thread, in its registers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/number/babybear_cuda.h"
#include "assay/ops/poseidon2/poseidon2_constants.h"

namespace assay::gpu {

// Residues less p: added to a residue they give a number in [-p, p), which an
// S-box takes as it is.
struct Poseidon2Constants {
  int32_t initial[4][16];
  int32_t internal[13];
  int32_t final[4][16];
};

constexpr int32_t LessPrime(uint32_t canonical) {
  return static_cast<int32_t>(BabyBear::From(canonical).residue) -
         static_cast<int32_t>(kPrime);
}

constexpr Poseidon2Constants MakePoseidon2Constants() {
  Poseidon2Constants constants = {};
  for (int r = 0; r < 4; ++r) {
    for (int i = 0; i < 16; ++i) {
      constants.initial[r][i] = LessPrime(poseidon2::kExternalInitial[r][i]);
      constants.final[r][i] = LessPrime(poseidon2::kExternalFinal[r][i]);
    }
  }
  for (int r = 0; r < 13; ++r) {
    constants.internal[r] = LessPrime(poseidon2::kInternal[r]);
  }
  return constants;
}

inline constexpr Poseidon2Constants kHostConstants = MakePoseidon2Constants();
static __constant__ const Poseidon2Constants kDeviceConstants =
    MakePoseidon2Constants();

ASSAY_GPU const Poseidon2Constants& Constants() {
#ifdef __CUDA_ARCH__
  return kDeviceConstants;
#else
  return kHostConstants;
#endif
}

// x^7 for x in [-1.06 p, 1.06 p]; x^2 is below 1.03 p, the others below p.
ASSAY_GPU int32_t SBox(int32_t x) {
  const int32_t x2 = MulSigned(x, x);
  const int32_t x3 = MulSigned(x2, x);
  const int32_t x4 = MulSigned(x2, x2);
  return MulSigned(x3, x4);
}

// As poseidon2.cc has it; 72 additions.
ASSAY_GPU void ExternalLayer(uint32_t (&s)[16]) {
#pragma unroll
  for (int g = 0; g < 16; g += 4) {
    const uint32_t t01 = AddMod(s[g], s[g + 1]);
    const uint32_t t23 = AddMod(s[g + 2], s[g + 3]);
    const uint32_t sum = AddMod(t01, t23);
    const uint32_t sum1 = AddMod(sum, s[g + 1]);
    const uint32_t sum3 = AddMod(sum, s[g + 3]);
    s[g + 3] = AddMod(sum3, AddMod(s[g], s[g]));
    s[g + 1] = AddMod(sum1, AddMod(s[g + 2], s[g + 2]));
    s[g] = AddMod(sum1, t01);
    s[g + 2] = AddMod(sum3, t23);
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const uint32_t column =
        AddMod(AddMod(s[j], s[j + 4]), AddMod(s[j + 8], s[j + 12]));
#pragma unroll
    for (int g = 0; g < 16; g += 4) s[g + j] = AddMod(s[g + j], column);
  }
}

ASSAY_GPU void FullRound(uint32_t (&s)[16], const int32_t (&constants)[16]) {
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    s[i] = FromSigned(SBox(static_cast<int32_t>(s[i]) + constants[i]));
  }
  ExternalLayer(s);
}

// x 2^-k of a residue, which with x = high 2^k + low is high - low F, for
// F = 15 * 2^(27-k) (docs/engines/whir.md, section 2).
template <int k>
ASSAY_GPU uint32_t Divide(uint32_t x) {
  constexpr uint32_t kFactor = 15u << (27 - k);
  const uint32_t low = x & ((1u << k) - 1);
  if (k == 1) return (x >> 1) + low * (kFactor + 1);
  return FromSigned(static_cast<int32_t>((x >> k) - low * kFactor));
}

// sum + x 2^-k, or its difference, without a correction: for k >= 4 it stays
// within 32 bits with a sign, round after round. x in (-2^31, 2^31) and `sum`
// in [0, p), for differences in [-p, 0).
template <int k>
ASSAY_GPU int32_t AddDivided(int32_t sum, int32_t x) {
  static_assert(k >= 4);
  constexpr uint32_t kFactor = 15u << (27 - k);
  const uint32_t low = static_cast<uint32_t>(x) & ((1u << k) - 1);
  return static_cast<int32_t>(static_cast<uint32_t>(sum + (x >> k)) -
                              low * kFactor);
}
template <int k>
ASSAY_GPU int32_t SubDivided(int32_t sum, int32_t x) {
  static_assert(k >= 4);
  constexpr uint32_t kFactor = 15u << (27 - k);
  const uint32_t low = static_cast<uint32_t>(x) & ((1u << k) - 1);
  return static_cast<int32_t>(static_cast<uint32_t>(sum - (x >> k)) +
                              low * kFactor);
}

// A number of 32 bits with a sign, mod p.
ASSAY_GPU uint32_t Normal(int32_t x) {
  // 2^31 more, less what that is mod p.
  constexpr uint32_t kLess = (1u << 31) - kPrime;
  return SubMod(ReduceOnce(ReduceOnce(static_cast<uint32_t>(x) + (1u << 31))),
                kLess);
}

// A state between internal rounds: `plain` are residues, `lazy` stand for the
// cells 9, 12, 13, 14 and 15.
struct InternalState {
  uint32_t plain[12];
  int32_t lazy[5];
};

// The sum of all cells but the first mod p.
ASSAY_GPU uint32_t SumOfRest(const InternalState& s) {
  // Each lazy cell is taken 2^31 too high: 6 p - 5 * 2^31 makes that good.
  constexpr uint32_t kStart = 10 * (1u << 27) + 6;
  static_assert(uint64_t{6} * kPrime - uint64_t{5} * (1u << 31) == kStart);
  uint64_t total = kStart;
#pragma unroll
  for (int i = 1; i < 12; ++i) {
    if (i != 9) total += s.plain[i];
  }
#pragma unroll
  for (int i = 0; i < 5; ++i) {
    total += static_cast<uint32_t>(s.lazy[i]) ^ (1u << 31);
  }
  // With q = floor(total / (15 * 2^27)) total - q p lies in [-q, p).
  const uint32_t q =
      (static_cast<uint32_t>(total >> 27) * 4370) >> 16;  // / 15 below 2^10
  return FromSigned(
      static_cast<int32_t>(static_cast<uint32_t>(total) - q * kPrime));
}

ASSAY_GPU uint32_t Twice(uint32_t x) { return AddMod(x, x); }

// The diagonal is [-2, 1, 2, 1/2, 3, 4, -1/2, -3, -4, 2^-8, 1/4, 1/8, 2^-27,
// -2^-8, -1/16, -2^-27] (docs/engines/whir.md, section 2).
ASSAY_GPU void PartialRound(InternalState& s, int32_t constant) {
  uint32_t(&x)[12] = s.plain;
  const uint32_t s0 = FromSigned(SBox(static_cast<int32_t>(x[0]) + constant));
  const uint32_t rest = SumOfRest(s);
  const uint32_t sum = AddMod(rest, s0);
  const auto above = static_cast<int32_t>(sum);
  const auto below = static_cast<int32_t>(sum - kPrime);
  x[0] = SubMod(rest, s0);
  x[1] = AddMod(sum, x[1]);
  x[2] = AddMod(sum, Twice(x[2]));
  x[3] = AddMod(sum, Divide<1>(x[3]));
  x[4] = AddMod(sum, AddMod(Twice(x[4]), x[4]));
  x[5] = AddMod(sum, Twice(Twice(x[5])));
  x[6] = SubMod(sum, Divide<1>(x[6]));
  x[7] = SubMod(sum, AddMod(Twice(x[7]), x[7]));
  x[8] = SubMod(sum, Twice(Twice(x[8])));
  x[10] = AddMod(sum, Divide<2>(x[10]));
  x[11] = AddMod(sum, Divide<3>(x[11]));
  s.lazy[0] = AddDivided<8>(above, s.lazy[0]);
  s.lazy[1] = AddDivided<27>(above, s.lazy[1]);
  s.lazy[2] = SubDivided<8>(below, s.lazy[2]);
  s.lazy[3] = SubDivided<4>(below, s.lazy[3]);
  s.lazy[4] = SubDivided<27>(below, s.lazy[4]);
}

// The permutation of poseidon2.h on residues below p. About 4,600
// instructions, a third of them multiplications.
ASSAY_GPU void Permute(uint32_t (&s)[16]) {
  const Poseidon2Constants& constants = Constants();
  ExternalLayer(s);
#pragma unroll 1
  for (int r = 0; r < 4; ++r) FullRound(s, constants.initial[r]);
  InternalState inner;
#pragma unroll
  for (int i = 0; i < 12; ++i) inner.plain[i] = s[i];
  inner.lazy[0] = static_cast<int32_t>(s[9]);
#pragma unroll
  for (int i = 12; i < 16; ++i) inner.lazy[i - 11] = static_cast<int32_t>(s[i]);
#pragma unroll 1
  for (int r = 0; r < 13; ++r) PartialRound(inner, constants.internal[r]);
#pragma unroll
  for (int i = 0; i < 12; ++i) s[i] = inner.plain[i];
  s[9] = Normal(inner.lazy[0]);
#pragma unroll
  for (int i = 12; i < 16; ++i) s[i] = Normal(inner.lazy[i - 11]);
#pragma unroll 1
  for (int r = 0; r < 4; ++r) FullRound(s, constants.final[r]);
}

}  // namespace assay::gpu
