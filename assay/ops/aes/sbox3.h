// The S-box of AES as a circuit of functions on three bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/ops/aes/lut.h"

namespace assay::aes {

// SubPlanes (sbox.h) for processors whose instructions take three words: 68 of
// them instead of 115. Found by search: a circuit's values were added and
// dropped at random, as long as each followed from three others, beginning
// with the circuit of sbox.h.
ASSAY_HD constexpr void SubPlanes3(uint32_t (&x)[8]) {
  using W = uint32_t;
  const W g0 = x[0] ^ x[3];
  const W g1 = x[0] ^ x[5];
  const W g2 = Lut < kA ^ kB ^ kC > (x[1], x[2], x[7]);
  const W g3 = Lut < kA ^ kB ^ kC > (x[6], g1, g2);
  const W g4 = Lut < kA ^ kB ^ kC > (x[2], x[3], g1);
  const W g5 = Lut < kA ^ kB ^ kC > (x[3], x[6], g1);
  const W g6 = Lut < kA ^ kB ^ kC > (x[4], x[5], g5);
  const W g7 = x[7] ^ g6;
  const W g8 = g2 ^ g7;
  const W g9 = g4 ^ g8;
  const W g10 = x[7] ^ g9;
  const W g11 = Lut < kA ^ kB ^ kC > (x[0], g2, g10);
  const W g12 = Lut < (kA ^ kB) & (kA ^ kC) > (x[0], x[6], g11);
  const W g13 = Lut < kC ^ (kA & kB) > (g1, g8, g12);
  const W g14 = Lut < kC ^ (kA & kB) > (g0, g9, g13);
  const W g15 = Lut < kC ^ (kA | kB) > (g10, g11, g14);
  const W g16 = Lut < kC ^ (kA & ~kB) > (g5, g6, g14);
  const W g17 = Lut<kA&(kB ^ ~kC)>(g4, x[0], x[2]);
  const W g18 = Lut < kC ^ (kA | kB) > (x[6], g2, g14);
  const W g19 = Lut < kA ^ kB ^ kC > (g11, g13, g17);
  const W g20 = Lut < kA ^ kB ^ kC > (g12, g18, g19);
  const W g21 = Lut < kC ^ (kA & ~kB) > (g3, g7, g19);
  const W g22 = Lut < kA ^ kB ^ kC > (x[7], g16, g21);
  const W g23 = Lut < kB & (~kA | ~kC) > (g15, g20, g22);
  const W g24 = Lut < kA ^ (kB & (kA ^ ~kC)) > (x[3], x[7], g2);
  const W g25 = Lut < kA ^ kB ^ kC > (x[6], g8, g24);
  const W g26 = Lut < kA ^ kB ^ kC > (g25, g12, g21);
  const W g27 = Lut < kC ^ (kB & ~kA) > (g20, g22, g26);
  const W g28 = Lut < kA ^ (kC & (kA ^ kB)) > (g15, g20, g27);
  const W g29 = Lut < kA ^ (kC | (kA ^ kB)) > (g15, g22, g26);
  const W g30 = Lut < kB ^ (kA & kC) > (g22, g27, g29);
  const W g31 = Lut < kC ^ (kA & ~kB) > (g26, g27, g29);
  const W g32 = Lut<kC&(kA ^ kB)>(x[0], g2, g31);
  const W g33 = g28 ^ g31;
  const W g34 = Lut < kA ^ (kB & ~kC) > (g23, g15, g28);
  const W g35 = Lut<kA&(kB ^ kC)>(g7, g28, g34);
  const W g36 = Lut<kC&(kA ^ kB)>(x[6], g2, g30);
  const W g37 = Lut < kA ^ kB ^ kC > (g30, g31, g34);
  const W g38 = Lut<kA&(kB ^ kC)>(g8, g33, g37);
  const W g39 = Lut<kC&(kA ^ kB)>(x[3], x[5], g37);
  const W g40 = Lut<kA&(kB ^ kC)>(g1, g33, g37);
  const W g41 = Lut < kC ^ (kA & kB) > (g0, g33, g39);
  const W g42 = Lut < kA ^ (~kC & (kA ^ kB)) > (g8, g9, g37);
  const W g43 = Lut < kC ^ (kA & kB) > (g5, g34, g41);
  const W g44 = Lut < kA ^ kB ^ kC > (x[0], g30, g31);
  const W g45 = Lut<kA&(kB ^ kC)>(g3, g28, g34);
  const W g46 = Lut < (kA ^ kB) & (kA ^ ~kC) > (g44, x[0], g11);
  const W g47 = Lut < (kA ^ kB) & (kA ^ ~kC) > (g44, x[0], x[6]);
  const W g48 = Lut < kC ^ (kA & kB) > (g10, g31, g38);
  const W g49 = Lut < kB ^ (kA & kC) > (g6, g46, g34);
  const W g50 = Lut < kC ^ (kA & ~kB) > (x[7], g28, g49);
  const W g51 = g45 ^ g43;
  const W g52 = Lut < kA ^ kB ^ kC > (g35, g49, g51);
  const W s3 = Lut < kC ^ (kA & kB) > (g2, g30, g52);
  const W g53 = Lut < kA ^ kB ^ kC > (g38, g50, s3);
  const W g54 = Lut < kA ^ kB ^ kC > (g42, g52, g53);
  const W g55 = Lut < kC ^ (kA & ~kB) > (g9, g33, g53);
  const W s1 = Lut < kA ^ kB ^ ~kC > (g46, g54, g55);
  const W s0 = Lut < kA ^ kB ^ ~kC > (g51, s3, s1);
  const W s4 = Lut < kA ^ kB ^ kC > (g48, x[7], g53);
  const W g56 = Lut < kA ^ kB ^ kC > (g36, s3, s4);
  const W s7 = Lut < kA ^ kB ^ ~kC > (g47, g41, g56);
  const W s6 = Lut < kA ^ kB ^ kC > (g10, s7, g54);
  const W g57 = Lut < kA ^ kB ^ ~kC > (g32, g56, s6);
  const W g58 = Lut < kC ^ (kA & kB) > (g3, g34, g57);
  const W g59 = Lut < kA ^ kB ^ kC > (g51, s0, g57);
  const W s5 = Lut < kA ^ (kB & kC) > (g58, g5, g28);
  const W s2 = Lut < kA ^ kB ^ ~kC > (g59, g39, g40);
  x[0] = s0;
  x[1] = s1;
  x[2] = s2;
  x[3] = s3;
  x[4] = s4;
  x[5] = s5;
  x[6] = s6;
  x[7] = s7;
}

}  // namespace assay::aes
