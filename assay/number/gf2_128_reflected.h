// The bit order of GHASH, and how it meets the field's natural order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/number/gf2_128.h"

// GCM's bit 0 is the most significant one of byte 0. Two ways to compute with
// its blocks (docs/engines/binary.md, section 1.3):
//   natural:   the bits of each byte reversed give an element of Gf2_128;
//   reflected: the block read big-endian is the element's 128-bit reversal.
namespace assay::reflected {

// The element that a block of GHASH stands for, and back.
constexpr Gf2_128 Natural(std::span<const uint8_t, 16> block) {
  Gf2_128 x;
  for (size_t i = 0; i < 8; ++i) {
    x.low = x.low << 8 | block[i];
    x.high = x.high << 8 | block[8 + i];
  }
  return {clmul::Reverse(x.low), clmul::Reverse(x.high)};
}
constexpr void ToBlock(Gf2_128 x, std::span<uint8_t, 16> block) {
  const uint64_t low = clmul::Reverse(x.low);
  const uint64_t high = clmul::Reverse(x.high);
  for (size_t i = 0; i < 8; ++i) {
    block[i] = static_cast<uint8_t>(low >> (56 - 8 * i));
    block[8 + i] = static_cast<uint8_t>(high >> (56 - 8 * i));
  }
}

// The 128-bit reversal: natural to reflected, and back.
ASSAY_HD constexpr Word128 Reverse(Word128 x) {
  return {clmul::Reverse(x.high), clmul::Reverse(x.low)};
}

// The form of a reflected factor whose products need no shift: that of the
// element divided by x.
ASSAY_HD constexpr Word128 Key(Word128 k) {
  const uint64_t mask = 0 - (k.high >> 63);
  return {k.low << 1 ^ (mask & 1),
          (k.high << 1 | k.low >> 63) ^ (mask & 0xc200000000000000)};
}
// Key in the reflected form, of an element.
ASSAY_HD constexpr Word128 KeyOf(Gf2_128 x) { return Key(Reverse(x.word())); }

// The product of a reflected word and a Key, reflected: any 256 bits, w3:w2
// being the low degrees, by shifts.
ASSAY_HD constexpr Word128 Reduce(Word256 x) {
  const uint64_t high = x.w1 ^ x.w0 << 63 ^ x.w0 << 62 ^ x.w0 << 57;
  const uint64_t low = x.w0;
  return {x.w2 ^ low ^ (low >> 1 | high << 63) ^ (low >> 2 | high << 62) ^
              (low >> 7 | high << 57),
          x.w3 ^ high ^ high >> 1 ^ high >> 2 ^ high >> 7};
}
// The same by two products.
ASSAY_HD constexpr Word128 ReduceByProducts(Word256 x) {
  constexpr uint64_t kLowPart = 0xc200000000000000;
  const Word128 t = clmul::Mul(x.w0, kLowPart);
  const uint64_t w1 = x.w1 ^ t.low;
  const Word128 u = clmul::Mul(w1, kLowPart);
  return {x.w2 ^ t.high ^ x.w0 ^ u.low, x.w3 ^ u.high ^ w1};
}

}  // namespace assay::reflected
