// The S-box of AES as a circuit of functions on three bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/ops/aes/lut.h"

namespace assay::aes {

// SubPlanes (sbox.h) for processors whose instructions take three words: 69 of
// them instead of 115. Found by search: a circuit's values were added and
// dropped at random, as long as each followed from three others, beginning
// with the circuit of sbox.h.
ASSAY_HD constexpr void SubPlanes3(uint32_t (&x)[8]) {
  using W = uint32_t;
  const W g0 = x[0] ^ x[3];
  const W g1 = x[0] ^ x[5];
  const W g2 = Lut < kA ^ kB ^ kC > (x[1], x[2], x[7]);
  const W g3 = Lut < kA ^ kB ^ kC > (x[6], g1, g2);
  const W g4 = Lut < kA ^ kB ^ kC > (x[4], x[6], g0);
  const W g5 = x[7] ^ g4;
  const W g6 = g2 ^ g5;
  const W g7 = x[3] ^ g2;
  const W g8 = Lut < kA ^ kB ^ kC > (x[0], x[3], x[5]);
  const W g9 = g3 ^ g7;
  const W g10 = Lut < kA ^ kB ^ kC > (g8, x[1], g4);
  const W g11 = x[7] ^ g10;
  const W g12 = Lut < kA ^ kB ^ kC > (x[0], g2, g11);
  const W g13 = Lut < (kA ^ kB) & (kA ^ kC) > (g8, x[0], x[2]);
  const W g14 = Lut < (kA ^ kB) & (kA ^ kC) > (x[0], x[6], g12);
  const W g15 = Lut < kC ^ (kA & kB) > (g1, g6, g14);
  const W g16 = Lut < kC ^ (kA & kB) > (g0, g10, g15);
  const W g17 = Lut < kC ^ (kA | kB) > (g11, g12, g16);
  const W g18 = Lut < kC ^ (kB & ~kA) > (g4, g9, g16);
  const W g19 = Lut < kA ^ kB ^ kC > (x[6], g14, g18);
  const W g20 = Lut < kC ^ (kA | kB) > (x[6], g2, g16);
  const W g21 = Lut < kC ^ (kB & ~kA) > (x[7], g7, g19);
  const W g22 = g5 ^ g21;
  const W g23 = Lut < kA ^ kB ^ kC > (g12, g13, g15);
  const W g24 = Lut < kA ^ kB ^ kC > (g23, x[7], g18);
  const W g25 = Lut < kC ^ (kA & ~kB) > (g3, g5, g24);
  const W g26 = Lut < kA ^ kB ^ kC > (g20, g14, g23);
  const W g27 = Lut < kA ^ (kB & kC) > (g22, g25, g26);
  const W g28 = Lut < kA ^ (kC & (kA ^ kB)) > (g17, g26, g27);
  const W g29 = Lut < kC ^ (kA & kB) > (g25, g26, g28);
  const W g30 = Lut < kB ^ (kA & ~kC) > (g17, g26, g29);
  const W g31 = Lut<kA&(kB ^ kC)>(g5, g28, g30);
  const W g32 = g9 & g30;
  const W g33 = Lut<kA&(kB ^ kC)>(g3, g28, g30);
  const W g34 = Lut<kA&(kB ^ kC)>(g17, g25, g22);
  const W g35 = Lut < kC ^ (kA & kB) > (g7, g28, g33);
  const W g36 = Lut < kC ^ (kB & ~kA) > (g34, g25, g27);
  const W g37 = Lut < kA ^ (kB | kC) > (g34, g27, g22);
  const W g38 = Lut<kC&(kA ^ kB)>(x[0], g2, g37);
  const W g39 = g28 ^ g37;
  const W g40 = g36 ^ g37;
  const W g41 = g30 ^ g40;
  const W g42 = Lut<kC&(kA ^ kB)>(x[0], g12, g40);
  const W g43 = Lut<kA&(kB ^ kC)>(g6, g39, g41);
  const W g44 = Lut<kC&(kA ^ kB)>(x[0], x[6], g40);
  const W g45 = Lut<kC&(kA ^ kB)>(x[3], x[5], g41);
  const W g46 = Lut<kA&(kB ^ kC)>(g1, g39, g41);
  const W g47 = Lut < kC ^ (kA & kB) > (g0, g39, g45);
  const W g48 = Lut < kC ^ (kA & kB) > (g4, g30, g42);
  const W g49 = Lut < kA ^ kB ^ kC > (g32, g33, g47);
  const W g50 = Lut < kA ^ (~kC & (kA ^ kB)) > (g6, g10, g41);
  const W g51 = Lut < kA ^ kB ^ kC > (g31, g48, g49);
  const W g52 = Lut < kC ^ (kA & ~kB) > (x[7], g28, g48);
  const W s3 = Lut < kB ^ (kA & kC) > (g2, g51, g36);
  const W g53 = Lut < kC ^ (kA & ~kB) > (g10, g39, g50);
  const W s1 = Lut < kA ^ kB ^ ~kC > (g42, g51, g53);
  const W s0 = Lut < kA ^ kB ^ ~kC > (g49, s3, s1);
  const W g54 = Lut < kB ^ (kA & kC) > (g2, g43, g36);
  const W g55 = Lut < kB ^ (kA & kC) > (g11, g52, g37);
  const W s4 = Lut < kA ^ kB ^ kC > (g55, x[7], s3);
  const W g56 = Lut < kA ^ kB ^ kC > (g51, g36, s4);
  const W g57 = Lut < kA ^ (kC & ~kB) > (g56, x[6], g36);
  const W s7 = Lut < kA ^ kB ^ ~kC > (g44, g47, g57);
  const W g58 = Lut < kA ^ kB ^ kC > (g54, g52, s7);
  const W s6 = Lut < kA ^ kB ^ kC > (g11, g50, g58);
  const W g59 = Lut < kA ^ kB ^ ~kC > (g38, g57, s6);
  const W g60 = Lut < kA ^ kB ^ kC > (g46, g49, g59);
  const W s5 = g35 ^ g59;
  const W s2 = Lut < kA ^ kB ^ ~kC > (g45, s0, g60);
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
