// The S-box of AES as a circuit over bit planes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if !defined(ASSAY_HD)
#if defined(__CUDACC__)
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif
#endif

namespace assay::aes {

// Every bit position of the eight words is one byte, x[0] holding the most
// significant bits: each byte becomes its image. 115 gates on two inputs, no
// table and no branch (J. Boyar, R. Peralta: "A small depth-16 circuit for the
// AES S-box").
template <class W>
ASSAY_HD constexpr void SubPlanes(W (&x)[8]) {
  const W y14 = x[3] ^ x[5];
  const W y13 = x[0] ^ x[6];
  const W y9 = x[0] ^ x[3];
  const W y8 = x[0] ^ x[5];
  const W t0 = x[1] ^ x[2];
  const W y1 = t0 ^ x[7];
  const W y4 = y1 ^ x[3];
  const W y12 = y13 ^ y14;
  const W y2 = y1 ^ x[0];
  const W y5 = y1 ^ x[6];
  const W y3 = y5 ^ y8;
  const W t1 = x[4] ^ y12;
  const W y15 = t1 ^ x[5];
  const W y20 = t1 ^ x[1];
  const W y6 = y15 ^ x[7];
  const W y10 = y15 ^ t0;
  const W y11 = y20 ^ y9;
  const W y7 = x[7] ^ y11;
  const W y17 = y10 ^ y11;
  const W y19 = y10 ^ y8;
  const W y16 = t0 ^ y11;
  const W y21 = y13 ^ y16;
  const W y18 = x[0] ^ y16;
  const W t2 = y12 & y15;
  const W t3 = y3 & y6;
  const W t4 = t3 ^ t2;
  const W t5 = y4 & x[7];
  const W t6 = t5 ^ t2;
  const W t7 = y13 & y16;
  const W t8 = y5 & y1;
  const W t9 = t8 ^ t7;
  const W t10 = y2 & y7;
  const W t11 = t10 ^ t7;
  const W t12 = y9 & y11;
  const W t13 = y14 & y17;
  const W t14 = t13 ^ t12;
  const W t15 = y8 & y10;
  const W t16 = t15 ^ t12;
  const W t17 = t4 ^ t14;
  const W t18 = t6 ^ t16;
  const W t19 = t9 ^ t14;
  const W t20 = t11 ^ t16;
  const W t21 = t17 ^ y20;
  const W t22 = t18 ^ y19;
  const W t23 = t19 ^ y21;
  const W t24 = t20 ^ y18;
  const W t25 = t21 ^ t22;
  const W t26 = t21 & t23;
  const W t27 = t24 ^ t26;
  const W t28 = t25 & t27;
  const W t29 = t28 ^ t22;
  const W t30 = t23 ^ t24;
  const W t31 = t22 ^ t26;
  const W t32 = t31 & t30;
  const W t33 = t32 ^ t24;
  const W t34 = t23 ^ t33;
  const W t35 = t27 ^ t33;
  const W t36 = t24 & t35;
  const W t37 = t36 ^ t34;
  const W t38 = t27 ^ t36;
  const W t39 = t29 & t38;
  const W t40 = t25 ^ t39;
  const W t41 = t40 ^ t37;
  const W t42 = t29 ^ t33;
  const W t43 = t29 ^ t40;
  const W t44 = t33 ^ t37;
  const W t45 = t42 ^ t41;
  const W z0 = t44 & y15;
  const W z1 = t37 & y6;
  const W z2 = t33 & x[7];
  const W z3 = t43 & y16;
  const W z4 = t40 & y1;
  const W z5 = t29 & y7;
  const W z6 = t42 & y11;
  const W z7 = t45 & y17;
  const W z8 = t41 & y10;
  const W z9 = t44 & y12;
  const W z10 = t37 & y3;
  const W z11 = t33 & y4;
  const W z12 = t43 & y13;
  const W z13 = t40 & y5;
  const W z14 = t29 & y2;
  const W z15 = t42 & y9;
  const W z16 = t45 & y14;
  const W z17 = t41 & y8;
  const W t46 = z15 ^ z16;
  const W t47 = z10 ^ z11;
  const W t48 = z5 ^ z13;
  const W t49 = z9 ^ z10;
  const W t50 = z2 ^ z12;
  const W t51 = z2 ^ z5;
  const W t52 = z7 ^ z8;
  const W t53 = z0 ^ z3;
  const W t54 = z6 ^ z7;
  const W t55 = z16 ^ z17;
  const W t56 = z12 ^ t48;
  const W t57 = t50 ^ t53;
  const W t58 = z4 ^ t46;
  const W t59 = z3 ^ t54;
  const W t60 = t46 ^ t57;
  const W t61 = z14 ^ t57;
  const W t62 = t52 ^ t58;
  const W t63 = t49 ^ t58;
  const W t64 = z4 ^ t59;
  const W t65 = t61 ^ t62;
  const W t66 = z1 ^ t63;
  const W s0 = t59 ^ t63;
  const W s6 = ~(t56 ^ t62);
  const W s7 = ~(t48 ^ t60);
  const W t67 = t64 ^ t65;
  const W s3 = t53 ^ t66;
  const W s4 = t51 ^ t66;
  const W s5 = t47 ^ t65;
  const W s1 = ~(t64 ^ s3);
  const W s2 = ~(t55 ^ t67);
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
