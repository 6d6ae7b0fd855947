// The quartic extension of BabyBear by X^4 - 11, for host and CUDA.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/number/babybear.h"

namespace assay {

// c[0] + c[1] X + c[2] X^2 + c[3] X^3, in this order in hashes, transcripts
// and files (docs/engines/whir.md, section 1).
struct Ext4 {
  static constexpr uint32_t kW = 11;  // X^4 = 11

  BabyBear c[4] = {};

  ASSAY_HD static constexpr Ext4 Zero() { return Ext4{}; }
  ASSAY_HD static constexpr Ext4 One() { return From(BabyBear::One()); }
  ASSAY_HD static constexpr Ext4 From(BabyBear x) {
    return Ext4{{x, BabyBear::Zero(), BabyBear::Zero(), BabyBear::Zero()}};
  }

  ASSAY_HD friend constexpr Ext4 operator+(const Ext4& a, const Ext4& b) {
    return Ext4{
        {a.c[0] + b.c[0], a.c[1] + b.c[1], a.c[2] + b.c[2], a.c[3] + b.c[3]}};
  }
  ASSAY_HD friend constexpr Ext4 operator-(const Ext4& a, const Ext4& b) {
    return Ext4{
        {a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2], a.c[3] - b.c[3]}};
  }
  ASSAY_HD constexpr Ext4 operator-() const { return Zero() - *this; }
  // 16 products and 3 by 11.
  ASSAY_HD friend constexpr Ext4 operator*(const Ext4& a, const Ext4& b) {
    const BabyBear w = BabyBear::From(kW);
    return Ext4{{
        a.c[0] * b.c[0] +
            w * (a.c[1] * b.c[3] + a.c[2] * b.c[2] + a.c[3] * b.c[1]),
        a.c[0] * b.c[1] + a.c[1] * b.c[0] +
            w * (a.c[2] * b.c[3] + a.c[3] * b.c[2]),
        a.c[0] * b.c[2] + a.c[1] * b.c[1] + a.c[2] * b.c[0] +
            w * (a.c[3] * b.c[3]),
        a.c[0] * b.c[3] + a.c[1] * b.c[2] + a.c[2] * b.c[1] + a.c[3] * b.c[0],
    }};
  }
  ASSAY_HD friend constexpr Ext4 operator*(const Ext4& a, BabyBear b) {
    return Ext4{{a.c[0] * b, a.c[1] * b, a.c[2] * b, a.c[3] * b}};
  }
  ASSAY_HD constexpr Ext4& operator+=(const Ext4& b) {
    return *this = *this + b;
  }
  ASSAY_HD constexpr Ext4& operator-=(const Ext4& b) {
    return *this = *this - b;
  }
  ASSAY_HD constexpr Ext4& operator*=(const Ext4& b) {
    return *this = *this * b;
  }
  ASSAY_HD friend constexpr bool operator==(const Ext4& a, const Ext4& b) {
    return a.c[0] == b.c[0] && a.c[1] == b.c[1] && a.c[2] == b.c[2] &&
           a.c[3] == b.c[3];
  }

  ASSAY_HD constexpr Ext4 Pow(uint64_t e) const {
    Ext4 result = One();
    Ext4 base = *this;
    for (; e != 0; e >>= 1) {
      if (e & 1) result *= base;
      base *= base;
    }
    return result;
  }

  // this^p: coefficient i is multiplied by 11^(i (p-1)/4).
  ASSAY_HD constexpr Ext4 Frobenius() const {
    const BabyBear z = BabyBear::From(kW).Pow((BabyBear::kPrime - 1) / 4);
    return Ext4{{c[0], c[1] * z, c[2] * (z * z), c[3] * (z * z * z)}};
  }

  // The inverse by the norm a * a^p * a^(p^2) * a^(p^3); 0 for 0.
  ASSAY_HD constexpr Ext4 Inverse() const {
    const Ext4 f1 = Frobenius();
    const Ext4 f2 = f1.Frobenius();
    const Ext4 f3 = f2.Frobenius();
    const Ext4 others = f1 * f2 * f3;
    const Ext4 norm = *this * others;
    return others * norm.c[0].Inverse();
  }
};

static_assert(sizeof(Ext4) == 16);

}  // namespace assay
