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

// As AddMod, but by the adders alone. Compilers share additions out evenly
// between adders and multipliers, which full rounds keep busy: a sum of three
// has no form there. The third is 0 in launches without a second dimension,
// which compilers do not know, and lies in a uniform register: one more of the
// others would cost a cycle of their ports.
ASSAY_GPU uint32_t Sum(uint32_t a, uint32_t b) {
#ifdef __CUDA_ARCH__
  uint32_t sum;
  asm("{\n\t.reg .u32 part;\n\t"
      "add.u32 part, %1, %2;\n\t"
      "add.u32 %0, part, %3;\n\t}"
      : "=r"(sum)
      : "r"(a), "r"(b), "r"(gridDim.y - 1));
  return ReduceOnce(sum);
#else
  return AddMod(a, b);
#endif
}

// x^7 for x in [-1.06 p, 1.06 p]; x^2 is below 1.03 p, the others below p.
ASSAY_GPU int32_t SBox(int32_t x) {
  const int32_t x2 = MulSigned(x, x);
  const int32_t x3 = MulSigned(x2, x);
  const int32_t x4 = MulSigned(x2, x2);
  return MulSigned(x3, x4);
}

// M4 of a group of four cells (Poseidon2 paper, section 5.1), as poseidon2.cc
// has it.
ASSAY_GPU void MixGroup(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
  const uint32_t t01 = Sum(a, b), t23 = Sum(c, d);
  const uint32_t sum = Sum(t01, t23);
  const uint32_t sum1 = Sum(sum, b), sum3 = Sum(sum, d);
  d = Sum(sum3, Sum(a, a));
  b = Sum(sum1, Sum(c, c));
  a = Sum(sum1, t01);
  c = Sum(sum3, t23);
}

// A state whose cells still lack the sum of their column: it is added when a
// group is needed. Groups take turns, so that additions of one stand beside
// products of the next and both kinds of units have work.
struct MixedState {
  uint32_t cells[16];
  uint32_t columns[4];
};

// Adds group g to the sums to come.
template <int g>
ASSAY_GPU void CountGroup(const uint32_t (&cells)[16], uint32_t (&columns)[4]) {
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const uint32_t cell = cells[4 * g + j];
    columns[j] = g == 0 ? cell : Sum(columns[j], cell);
  }
}

template <int g>
ASSAY_GPU void FullRoundOfGroup(MixedState& s, const int32_t (&constants)[16],
                                uint32_t (&columns)[4]) {
  uint32_t* cells = s.cells + 4 * g;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const uint32_t x = Sum(cells[j], s.columns[j]);
    cells[j] = FromSigned(SBox(
        static_cast<int32_t>(x + static_cast<uint32_t>(constants[4 * g + j]))));
  }
  MixGroup(cells[0], cells[1], cells[2], cells[3]);
  CountGroup<g>(s.cells, columns);
}

ASSAY_GPU void FullRound(MixedState& s, const int32_t (&constants)[16]) {
  uint32_t columns[4];
  FullRoundOfGroup<0>(s, constants, columns);
  FullRoundOfGroup<1>(s, constants, columns);
  FullRoundOfGroup<2>(s, constants, columns);
  FullRoundOfGroup<3>(s, constants, columns);
#pragma unroll
  for (int j = 0; j < 4; ++j) s.columns[j] = columns[j];
}

// The external layer but for adding the columns.
ASSAY_GPU void Mix(MixedState& s) {
#pragma unroll
  for (int g = 0; g < 16; g += 4) {
    MixGroup(s.cells[g], s.cells[g + 1], s.cells[g + 2], s.cells[g + 3]);
  }
  CountGroup<0>(s.cells, s.columns);
  CountGroup<1>(s.cells, s.columns);
  CountGroup<2>(s.cells, s.columns);
  CountGroup<3>(s.cells, s.columns);
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
  const uint32_t s0 = FromSigned(
      SBox(static_cast<int32_t>(x[0] + static_cast<uint32_t>(constant))));
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

ASSAY_GPU InternalState ToInternal(const MixedState& s) {
  InternalState inner;
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    const uint32_t cell = AddMod(s.cells[i], s.columns[i % 4]);
    if (i < 12) inner.plain[i] = cell;
    if (i == 9) inner.lazy[0] = static_cast<int32_t>(cell);
    if (i >= 12) inner.lazy[i - 11] = static_cast<int32_t>(cell);
  }
  return inner;
}
ASSAY_GPU MixedState FromInternal(const InternalState& inner) {
  MixedState s = {};
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    s.cells[i] = i == 9    ? Normal(inner.lazy[0])
                 : i >= 12 ? Normal(inner.lazy[i - 11])
                           : inner.plain[i];
  }
  return s;
}

// The permutation of poseidon2.h on residues below p, in launches without a
// second dimension. About 4,900 instructions, a third of them multiplications,
// which take two thirds of the time.
ASSAY_GPU void Permute(uint32_t (&s)[16]) {
  const Poseidon2Constants& constants = Constants();
  MixedState mixed;
#pragma unroll
  for (int i = 0; i < 16; ++i) mixed.cells[i] = s[i];
  Mix(mixed);
#pragma unroll 1
  for (int r = 0; r < 4; ++r) FullRound(mixed, constants.initial[r]);
  InternalState inner = ToInternal(mixed);
#pragma unroll 1
  for (int r = 0; r < 13; ++r) PartialRound(inner, constants.internal[r]);
  mixed = FromInternal(inner);
#pragma unroll 1
  for (int r = 0; r < 4; ++r) FullRound(mixed, constants.final[r]);
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    s[i] = AddMod(mixed.cells[i], mixed.columns[i % 4]);
  }
}

}  // namespace assay::gpu
