// The S-box of AES as a circuit of functions on three bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/ops/aes/lut.h"

namespace assay::aes {

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
  const W g8 = g3 ^ g7;
  const W g9 = Lut < kA ^ kB ^ kC > (x[0], x[3], x[5]);
  const W g10 = Lut < kA ^ kB ^ kC > (g9, x[1], g4);
  const W g11 = x[7] ^ g10;
  const W g12 = Lut < kA ^ kB ^ kC > (x[0], g2, g11);
  const W g13 = Lut < (kA ^ kB) & (kA ^ kC) > (g9, x[0], x[2]);
  const W g14 = Lut < (kA ^ kB) & (kA ^ kC) > (x[0], x[6], g12);
  const W g15 = Lut < kC ^ (kA & kB) > (g1, g6, g14);
  const W g16 = Lut < kC ^ (kA & kB) > (g0, g10, g15);
  const W g17 = Lut < kC ^ (kA | kB) > (g11, g12, g16);
  const W g18 = Lut < kC ^ (kB & ~kA) > (x[6], g2, g16);
  const W g19 = Lut < kC ^ (kB & ~kA) > (g4, g8, g16);
  const W g20 = Lut < kA ^ kB ^ kC > (x[6], g14, g19);
  const W g21 = Lut < kA ^ kB ^ kC > (g13, g15, g19);
  const W g22 = Lut < kC ^ (kB & ~kA) > (x[7], g7, g20);
  const W g23 = Lut < kA ^ kB ^ kC > (x[7], g12, g21);
  const W g24 = Lut < kC ^ (kA & ~kB) > (g3, g5, g23);
  const W g25 = g20 ^ g23;
  const W g26 = Lut < kA ^ kB ^ kC > (x[7], g18, g25);
  const W g27 = Lut < kA ^ kB ^ kC > (g5, g22, g24);
  const W g28 = Lut < kC ^ (kA & ~kB) > (g24, g26, g27);
  const W g29 = Lut < kA ^ (kC & (kA ^ kB)) > (g17, g26, g28);
  const W g30 = Lut < kC ^ (kA & kB) > (g24, g26, g29);
  const W g31 = Lut < kB ^ (kA & ~kC) > (g17, g26, g30);
  const W g32 = Lut<kA&(kB ^ kC)>(g5, g29, g31);
  const W g33 = g8 & g31;
  const W g34 = Lut<kA&(kB ^ kC)>(g3, g29, g31);
  const W g35 = Lut < kA ^ (kC | (kA ^ kB)) > (g17, g24, g27);
  const W g36 = Lut < kC ^ (kA & kB) > (g35, g24, g28);
  const W g37 = Lut < kA ^ (kB & ~kC) > (g35, g27, g28);
  const W g38 = Lut<kC&(kA ^ kB)>(x[0], g2, g37);
  const W g39 = g29 ^ g37;
  const W g40 = g36 ^ g37;
  const W g41 = g31 ^ g40;
  const W g42 = Lut<kC&(kA ^ kB)>(x[0], g12, g40);
  const W g43 = Lut<kA&(kB ^ kC)>(g6, g39, g41);
  const W g44 = Lut<kC&(kA ^ kB)>(x[0], x[6], g40);
  const W g45 = Lut<kC&(kA ^ kB)>(x[3], x[5], g41);
  const W g46 = Lut<kA&(kB ^ kC)>(g1, g39, g41);
  const W g47 = Lut < kC ^ (kA & kB) > (g0, g39, g45);
  const W g48 = Lut < kC ^ (kA & kB) > (g4, g31, g42);
  const W g49 = Lut < kA ^ kB ^ kC > (g33, g34, g47);
  const W g50 = Lut < kA ^ (~kC & (kA ^ kB)) > (g6, g10, g41);
  const W g51 = Lut < kA ^ kB ^ kC > (g32, g48, g49);
  const W g52 = Lut < kC ^ (kA & ~kB) > (x[7], g29, g48);
  const W s3 = Lut < kB ^ (kA & kC) > (g2, g51, g36);
  const W g53 = Lut < kC ^ (kA & ~kB) > (g10, g39, g50);
  const W g54 = Lut < kC ^ (kA & kB) > (g11, g37, s3);
  const W s4 = Lut < kA ^ kB ^ kC > (x[7], g52, g54);
  const W s1 = Lut < kA ^ kB ^ ~kC > (g42, g51, g53);
  const W s0 = Lut < kA ^ kB ^ ~kC > (g49, s3, s1);
  const W g55 = Lut < kB ^ (kA & kC) > (x[6], g51, g36);
  const W g56 = g55 ^ s4;
  const W s7 = Lut < kA ^ kB ^ ~kC > (g44, g47, g56);
  const W g57 = Lut < kA ^ kB ^ kC > (g43, g52, s7);
  const W g58 = Lut < kC ^ (kA & kB) > (g2, g36, g57);
  const W s6 = Lut < kA ^ kB ^ kC > (g11, g50, g58);
  const W g59 = Lut < kA ^ kB ^ ~kC > (g38, g56, s6);
  const W g60 = g34 ^ g59;
  const W g61 = Lut < kA ^ kB ^ kC > (g46, g49, g59);
  const W s5 = Lut < kC ^ (kA & kB) > (g7, g29, g60);
  const W s2 = Lut < kA ^ kB ^ ~kC > (g45, s0, g61);
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
