// Poseidon2 on the GPU over four lanes of a warp, where states are few.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/ops/poseidon2/poseidon2_gpu.h"

namespace assay::gpu {

// Lane q of a group of four holds the cells 4 q to 4 q + 3.
inline constexpr int kQuad = 4;

// What a block keeps in shared memory: lanes read different words at once.
struct QuadConstants {
  int4 initial[4][kQuad];
  int4 final[4][kQuad];
  uint4 diagonal[kQuad];  // residues
};

struct QuadDiagonal {
  uint32_t residue[16];
};
constexpr QuadDiagonal MakeQuadDiagonal() {
  const BabyBear half = BabyBear::From(2).Inverse();
  const auto power = [&](uint64_t k) { return half.Pow(k); };
  const auto number = [](uint32_t x) { return BabyBear::From(x); };
  const BabyBear cells[16] = {-number(2), number(1), number(2), half,
                              number(3),  number(4), -half,     -number(3),
                              -number(4), power(8),  power(2),  power(3),
                              power(27),  -power(8), -power(4), -power(27)};
  QuadDiagonal diagonal = {};
  for (int i = 0; i < 16; ++i) diagonal.residue[i] = cells[i].residue;
  return diagonal;
}
static __constant__ const QuadDiagonal kQuadDiagonal = MakeQuadDiagonal();

// All threads of a block; it has to be synchronized after.
__device__ __forceinline__ void LoadQuadConstants(QuadConstants& shared) {
  for (unsigned i = threadIdx.x; i < 64; i += blockDim.x) {
    reinterpret_cast<int32_t*>(shared.initial)[i] =
        kDeviceConstants.initial[i / 16][i % 16];
    reinterpret_cast<int32_t*>(shared.final)[i] =
        kDeviceConstants.final[i / 16][i % 16];
    if (i < 16) {
      reinterpret_cast<uint32_t*>(shared.diagonal)[i] =
          kQuadDiagonal.residue[i];
    }
  }
}

// The sum of the group's four values, in each lane. All lanes of the warp.
__device__ __forceinline__ uint32_t SumOfQuad(uint32_t x) {
  x = AddMod(x, __shfl_xor_sync(0xffffffff, x, 1));
  return AddMod(x, __shfl_xor_sync(0xffffffff, x, 2));
}

__device__ __forceinline__ void QuadExternalLayer(uint32_t (&s)[4]) {
  const uint32_t t01 = AddMod(s[0], s[1]), t23 = AddMod(s[2], s[3]);
  const uint32_t sum = AddMod(t01, t23);
  const uint32_t sum1 = AddMod(sum, s[1]), sum3 = AddMod(sum, s[3]);
  s[3] = AddMod(sum3, Twice(s[0]));
  s[1] = AddMod(sum1, Twice(s[2]));
  s[0] = AddMod(sum1, t01);
  s[2] = AddMod(sum3, t23);
#pragma unroll
  for (uint32_t& cell : s) cell = AddMod(cell, SumOfQuad(cell));
}

// Four rounds; a round's constants are read a round ahead.
__device__ __forceinline__ void QuadFullRounds(
    uint32_t (&s)[4], const int4 (&constants)[4][kQuad], unsigned q) {
  int4 next = constants[0][q];
#pragma unroll 1
  for (int r = 0; r < 4; ++r) {
    const int32_t add[4] = {next.x, next.y, next.z, next.w};
    next = constants[min(r + 1, 3)][q];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      s[i] = FromSigned(SBox(static_cast<int32_t>(s[i]) + add[i]));
    }
    QuadExternalLayer(s);
  }
}

// The permutation of poseidon2.h over groups of four lanes, of which all in
// the warp take part. A third as long as Permute from begin to end, for twice
// as many instructions in all.
__device__ __forceinline__ void QuadPermute(uint32_t (&s)[4],
                                            const QuadConstants& shared) {
  const unsigned q = threadIdx.x % kQuad;
  QuadExternalLayer(s);
  QuadFullRounds(s, shared.initial, q);
  const uint4 diagonal = shared.diagonal[q];
  // Unrolled, so that constants are read with the instructions.
#pragma unroll
  for (int r = 0; r < 13; ++r) {
    const uint32_t box = FromSigned(
        SBox(static_cast<int32_t>(s[0]) + kDeviceConstants.internal[r]));
    if (q == 0) s[0] = box;
    const uint32_t sum =
        SumOfQuad(AddMod(AddMod(AddMod(s[1], s[2]), s[3]), s[0]));
    s[0] = AddMod(sum, MulMod(s[0], diagonal.x));
    s[1] = AddMod(sum, MulMod(s[1], diagonal.y));
    s[2] = AddMod(sum, MulMod(s[2], diagonal.z));
    s[3] = AddMod(sum, MulMod(s[3], diagonal.w));
  }
  QuadFullRounds(s, shared.final, q);
}

}  // namespace assay::gpu
