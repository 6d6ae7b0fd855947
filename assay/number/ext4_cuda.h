// The quartic extension on the GPU: products summed up before they are reduced.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/number/babybear_cuda.h"
#include "assay/number/ext4.h"

namespace assay::gpu {

inline constexpr uint32_t kElevenResidue = BabyBear::From(Ext4::kW).residue;

ASSAY_GPU Ext4 Add(const Ext4& a, const Ext4& b) {
  return {{Add(a.c[0], b.c[0]), Add(a.c[1], b.c[1]), Add(a.c[2], b.c[2]),
           Add(a.c[3], b.c[3])}};
}
ASSAY_GPU Ext4 Sub(const Ext4& a, const Ext4& b) {
  return {{Sub(a.c[0], b.c[0]), Sub(a.c[1], b.c[1]), Sub(a.c[2], b.c[2]),
           Sub(a.c[3], b.c[3])}};
}
ASSAY_GPU Ext4 Mul(const Ext4& a, BabyBear b) {
  return {{Mul(a.c[0], b), Mul(a.c[1], b), Mul(a.c[2], b), Mul(a.c[3], b)}};
}

// A sum of products of residues, open for two more: below 2^32 p. With p^2 <
// 2^32 p / 2.13 and 2^64 > 4.55 p^2, two more stay below 2^64, and their upper
// half below 2 p.
ASSAY_GPU uint64_t Tidy(uint64_t sum) {
  const uint32_t high = ReduceOnce(static_cast<uint32_t>(sum >> 32));
  return static_cast<uint64_t>(high) << 32 | static_cast<uint32_t>(sum);
}
ASSAY_GPU uint64_t MulAdd(BabyBear a, BabyBear b, uint64_t sum) {
  return static_cast<uint64_t>(a.residue) * b.residue + sum;
}
// The value of a tidy sum, below p.
ASSAY_GPU BabyBear ValueOf(uint64_t sum) {
  return {ReduceOnce(ReduceLazy(sum))};
}

// An element to multiply by several times: with c[1..3] times 11.
struct Ext4Factor {
  Ext4 x;
  BabyBear eleven[3];

  ASSAY_GPU static Ext4Factor Of(const Ext4& x) {
    const BabyBear w{kElevenResidue};
    return {x, {Mul(x.c[1], w), Mul(x.c[2], w), Mul(x.c[3], w)}};
  }
};

// 16 products, 4 reductions.
ASSAY_GPU Ext4 Mul(const Ext4& a, const Ext4Factor& f) {
  const auto dot = [&a](BabyBear b0, BabyBear b1, BabyBear b2, BabyBear b3) {
    uint64_t sum = MulAdd(a.c[1], b1, MulAdd(a.c[0], b0, 0));
    sum = MulAdd(a.c[3], b3, MulAdd(a.c[2], b2, sum));
    return BabyBear{ReduceSum4(sum)};
  };
  return {{dot(f.x.c[0], f.eleven[2], f.eleven[1], f.eleven[0]),
           dot(f.x.c[1], f.x.c[0], f.eleven[2], f.eleven[1]),
           dot(f.x.c[2], f.x.c[1], f.x.c[0], f.eleven[2]),
           dot(f.x.c[3], f.x.c[2], f.x.c[1], f.x.c[0])}};
}
ASSAY_GPU Ext4 Mul(const Ext4& a, const Ext4& b) {
  return Mul(a, Ext4Factor::Of(b));
}

// sum of a * b: the seven coefficients of the products of polynomials, reduced
// by X^4 = 11 at the end alone. 16 multiply-adds and 10 corrections a product.
struct Ext4Sum {
  uint64_t d[7] = {};

  ASSAY_GPU void Add(const Ext4& a, const Ext4& b) {
    d[0] = Tidy(MulAdd(a.c[0], b.c[0], d[0]));
    d[1] = Tidy(MulAdd(a.c[0], b.c[1], MulAdd(a.c[1], b.c[0], d[1])));
    d[2] = Tidy(MulAdd(a.c[0], b.c[2], MulAdd(a.c[2], b.c[0], d[2])));
    d[2] = Tidy(MulAdd(a.c[1], b.c[1], d[2]));
    d[3] = Tidy(MulAdd(a.c[0], b.c[3], MulAdd(a.c[3], b.c[0], d[3])));
    d[3] = Tidy(MulAdd(a.c[1], b.c[2], MulAdd(a.c[2], b.c[1], d[3])));
    d[4] = Tidy(MulAdd(a.c[1], b.c[3], MulAdd(a.c[3], b.c[1], d[4])));
    d[4] = Tidy(MulAdd(a.c[2], b.c[2], d[4]));
    d[5] = Tidy(MulAdd(a.c[2], b.c[3], MulAdd(a.c[3], b.c[2], d[5])));
    d[6] = Tidy(MulAdd(a.c[3], b.c[3], d[6]));
  }
  ASSAY_GPU Ext4 Value() const {
    Ext4 value;
    for (int i = 0; i < 4; ++i) value.c[i] = ValueOf(d[i]);
    for (int i = 0; i < 3; ++i) {
      value.c[i] = gpu::Add(value.c[i],
                            Mul(ValueOf(d[4 + i]), BabyBear{kElevenResidue}));
    }
    return value;
  }
};

// sum of a * x for base-field x: 4 multiply-adds a product, 4 corrections
// every two.
struct Ext4BaseSum {
  uint64_t d[4] = {};

  ASSAY_GPU void Add(const Ext4& a, BabyBear x) {
#pragma unroll
    for (int i = 0; i < 4; ++i) d[i] = Tidy(MulAdd(a.c[i], x, d[i]));
  }
  ASSAY_GPU void Add(const Ext4& a, BabyBear x, const Ext4& b, BabyBear y) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      d[i] = Tidy(MulAdd(b.c[i], y, MulAdd(a.c[i], x, d[i])));
    }
  }
  ASSAY_GPU Ext4 Value() const {
    return {{ValueOf(d[0]), ValueOf(d[1]), ValueOf(d[2]), ValueOf(d[3])}};
  }
};

// An element where one load takes all of it, in shared memory.
struct alignas(16) Ext4Words {
  Ext4 x;
};

// Entry i of four planes, `stride` words apart.
__device__ __forceinline__ Ext4 LoadPlanes(const BabyBear* planes,
                                           uint64_t stride, uint64_t i) {
  Ext4 x;
#pragma unroll
  for (uint64_t l = 0; l < 4; ++l) x.c[l] = planes[l * stride + i];
  return x;
}
__device__ __forceinline__ void StorePlanes(const Ext4& x, BabyBear* planes,
                                            uint64_t stride, uint64_t i) {
#pragma unroll
  for (uint64_t l = 0; l < 4; ++l) planes[l * stride + i] = x.c[l];
}

}  // namespace assay::gpu
