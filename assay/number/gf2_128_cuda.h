// GF(2^128) on the GPU by the carry-less multiply-add instruction.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/number/clmad_cuda.h"
#include "assay/number/gf2_128.h"

namespace assay::gpu {

// A sum of products, by Karatsuba's parts: a term costs six instructions and
// the sums of its operands' words (docs/engines/binary.md, 1.1).
struct Sum256 {
  Word128 z0, z1, z2;

  __device__ __forceinline__ void Add(Word128 a, Word128 b) {
    z0.low = ClmadLow(a.low, b.low, z0.low);
    z0.high = ClmadHigh(a.low, b.low, z0.high);
    z2.low = ClmadLow(a.high, b.high, z2.low);
    z2.high = ClmadHigh(a.high, b.high, z2.high);
    const uint64_t x = a.low ^ a.high, y = b.low ^ b.high;
    z1.low = ClmadLow(x, y, z1.low);
    z1.high = ClmadHigh(x, y, z1.high);
  }
  __device__ __forceinline__ Word256 Join() const {
    return clmul::Join(z0, z1, z2);
  }
};

// Mod the field's polynomial by two products with 0x87 (1.2).
__device__ __forceinline__ Word128 Reduce(Word256 w) {
  constexpr uint64_t kLowPart = 0x87;
  w.w1 = ClmadLow(w.w3, kLowPart, w.w1);
  w.w2 = ClmadHigh(w.w3, kLowPart, w.w2);
  w.w0 = ClmadLow(w.w2, kLowPart, w.w0);
  w.w1 = ClmadHigh(w.w2, kLowPart, w.w1);
  return {w.w0, w.w1};
}

__device__ __forceinline__ Word128 Mul(Word128 a, Word128 b) {
  Sum256 sum = {};
  sum.Add(a, b);
  return Reduce(sum.Join());
}

// x a.
__device__ __forceinline__ Word128 TimesX(Word128 a) {
  const uint64_t carry =
      static_cast<uint64_t>(static_cast<int64_t>(a.high) >> 63);
  return {(a.low << 1) ^ (carry & 0x87), (a.high << 1) | (a.low >> 63)};
}

// GHASH's order (1.3): bit 127 is x^0. The container's lower words hold the
// high degrees; a key that was divided by x saves the shift by one bit.
__device__ __forceinline__ Word128 ReduceReflected(Word256 w) {
  constexpr uint64_t kTop = 0xC200000000000000;
  w.w1 = ClmadLow(w.w0, kTop, w.w1);
  w.w2 = ClmadHigh(w.w0, kTop, w.w2) ^ w.w0;
  w.w2 = ClmadLow(w.w1, kTop, w.w2);
  w.w3 = ClmadHigh(w.w1, kTop, w.w3) ^ w.w1;
  return {w.w2, w.w3};
}

// a H for the prepared key h = KeyOf(H).
__device__ __forceinline__ Word128 MulReflected(Word128 a, Word128 h) {
  Sum256 sum = {};
  sum.Add(a, h);
  return ReduceReflected(sum.Join());
}

// a^2 of a reflected a. Squares have every other bit zero: the shift by one
// bit crosses no word.
__device__ __forceinline__ Word128 SquareReflected(Word128 a) {
  return ReduceReflected(
      {ClmadLow(a.low, a.low, 0) << 1, ClmadHigh(a.low, a.low, 0) << 1,
       ClmadLow(a.high, a.high, 0) << 1, ClmadHigh(a.high, a.high, 0) << 1});
}

// H / x of a reflected H.
__device__ __forceinline__ Word128 KeyOf(Word128 h) {
  const uint64_t carry =
      static_cast<uint64_t>(static_cast<int64_t>(h.high) >> 63);
  return {(h.low << 1) ^ (carry & 1),
          ((h.high << 1) | (h.low >> 63)) ^ (carry & 0xC200000000000000)};
}

}  // namespace assay::gpu
