// The binary field of x^128 + x^7 + x^2 + x + 1, for host and CUDA.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

#if !defined(ASSAY_HD)
#if defined(__CUDACC__)
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif
#endif

namespace assay {

// A polynomial of degree below 128: bit i of `low` belongs to x^i, bit i of
// `high` to x^(64+i).
struct Word128 {
  uint64_t low = 0;
  uint64_t high = 0;

  ASSAY_HD friend constexpr Word128 operator^(Word128 a, Word128 b) {
    return {a.low ^ b.low, a.high ^ b.high};
  }
  friend constexpr bool operator==(Word128, Word128) = default;
};

// An unreduced product: bit i of word k belongs to x^(64k+i).
struct Word256 {
  uint64_t w0 = 0, w1 = 0, w2 = 0, w3 = 0;

  ASSAY_HD friend constexpr Word256 operator^(Word256 a, Word256 b) {
    return {a.w0 ^ b.w0, a.w1 ^ b.w1, a.w2 ^ b.w2, a.w3 ^ b.w3};
  }
  friend constexpr bool operator==(Word256, Word256) = default;
};

namespace clmul {

// The lower 64 coefficients of a times b: 16 products of words with one bit in
// four. At most 15 terms meet below the top bit, so no carry leaves its hole.
ASSAY_HD constexpr uint64_t Low(uint64_t a, uint64_t b) {
  constexpr uint64_t kHole = 0x1111111111111111;
  uint64_t result = 0;
  for (int k = 0; k < 4; ++k) {
    uint64_t sum = 0;
    for (int i = 0; i < 4; ++i) {
      sum ^= (a & (kHole << i)) * (b & (kHole << ((k - i) & 3)));
    }
    result |= sum & (kHole << k);
  }
  return result;
}

ASSAY_HD constexpr uint64_t Reverse(uint64_t x) {
  x = ((x >> 1) & 0x5555555555555555) | ((x & 0x5555555555555555) << 1);
  x = ((x >> 2) & 0x3333333333333333) | ((x & 0x3333333333333333) << 2);
  x = ((x >> 4) & 0x0f0f0f0f0f0f0f0f) | ((x & 0x0f0f0f0f0f0f0f0f) << 4);
  x = ((x >> 8) & 0x00ff00ff00ff00ff) | ((x & 0x00ff00ff00ff00ff) << 8);
  x = ((x >> 16) & 0x0000ffff0000ffff) | ((x & 0x0000ffff0000ffff) << 16);
  return (x >> 32) | (x << 32);
}

// The product of two words: the upper half is the lower one of the reversed
// words, reversed.
ASSAY_HD constexpr Word128 Mul(uint64_t a, uint64_t b) {
  return {Low(a, b), Reverse(Low(Reverse(a), Reverse(b))) >> 1};
}

// docs/engines/binary.md, section 1.1: three products of words, and four.
ASSAY_HD constexpr Word256 Join(Word128 z0, Word128 z1, Word128 z2) {
  const Word128 m = z1 ^ z0 ^ z2;
  return {z0.low, z0.high ^ m.low, z2.low ^ m.high, z2.high};
}
ASSAY_HD constexpr Word256 Karatsuba(Word128 a, Word128 b) {
  return Join(Mul(a.low, b.low), Mul(a.low ^ a.high, b.low ^ b.high),
              Mul(a.high, b.high));
}
ASSAY_HD constexpr Word256 Schoolbook(Word128 a, Word128 b) {
  const Word128 low = Mul(a.low, b.low);
  const Word128 high = Mul(a.high, b.high);
  const Word128 m = Mul(a.low, b.high) ^ Mul(a.high, b.low);
  return {low.low, low.high ^ m.low, high.low ^ m.high, high.high};
}

// Any 256 bits mod the field's polynomial, by shifts (section 1.2).
ASSAY_HD constexpr Word128 Reduce(Word256 x) {
  const uint64_t w2 = x.w2 ^ x.w3 >> 63 ^ x.w3 >> 62 ^ x.w3 >> 57;
  const uint64_t w3 = x.w3;
  return {x.w0 ^ w2 ^ w2 << 1 ^ w2 << 2 ^ w2 << 7,
          x.w1 ^ w3 ^ (w3 << 1 | w2 >> 63) ^ (w3 << 2 | w2 >> 62) ^
              (w3 << 7 | w2 >> 57)};
}
// The same by two products with the polynomial's lower part.
ASSAY_HD constexpr Word128 ReduceByProducts(Word256 x) {
  constexpr uint64_t kLowPart = 0x87;
  const Word128 t = Mul(x.w3, kLowPart);
  const Word128 u = Mul(x.w2 ^ t.high, kLowPart);
  return {x.w0 ^ u.low, x.w1 ^ t.low ^ u.high};
}

// The product by the processor's instruction where it has one (x86 PCLMUL),
// else Karatsuba's. Host only.
Word256 MulHost(Word128 a, Word128 b);
// Whether MulHost uses an instruction.
bool HasInstruction();

}  // namespace clmul

// One element, held and stored as two words, low first: 16 bytes little-endian
// (docs/engines/binary.md, section 1). Every pair of words is an element. All
// of it is constant-time but Pow, whose exponent is public.
struct Gf2_128 {
  uint64_t low = 0;
  uint64_t high = 0;

  ASSAY_HD static constexpr Gf2_128 From(Word128 x) { return {x.low, x.high}; }
  // The polynomial whose coefficients are the integer's bits.
  ASSAY_HD static constexpr Gf2_128 From(uint64_t x) { return {x, 0}; }
  ASSAY_HD static constexpr Gf2_128 Zero() { return {0, 0}; }
  ASSAY_HD static constexpr Gf2_128 One() { return {1, 0}; }
  ASSAY_HD constexpr Word128 word() const { return {low, high}; }

  static constexpr Gf2_128 FromBytes(std::span<const uint8_t, 16> bytes) {
    Gf2_128 x;
    for (size_t i = 8; i-- > 0;) {
      x.low = x.low << 8 | bytes[i];
      x.high = x.high << 8 | bytes[8 + i];
    }
    return x;
  }
  constexpr void ToBytes(std::span<uint8_t, 16> bytes) const {
    for (size_t i = 0; i < 8; ++i) {
      bytes[i] = static_cast<uint8_t>(low >> (8 * i));
      bytes[8 + i] = static_cast<uint8_t>(high >> (8 * i));
    }
  }

  ASSAY_HD friend constexpr Gf2_128 operator+(Gf2_128 a, Gf2_128 b) {
    return {a.low ^ b.low, a.high ^ b.high};
  }
  ASSAY_HD friend constexpr Gf2_128 operator-(Gf2_128 a, Gf2_128 b) {
    return a + b;
  }
  ASSAY_HD constexpr Gf2_128 operator-() const { return *this; }
  ASSAY_HD friend constexpr Gf2_128 operator*(Gf2_128 a, Gf2_128 b) {
    return From(clmul::Reduce(MulWide(a, b)));
  }
  ASSAY_HD constexpr Gf2_128& operator+=(Gf2_128 b) {
    return *this = *this + b;
  }
  ASSAY_HD constexpr Gf2_128& operator-=(Gf2_128 b) {
    return *this = *this - b;
  }
  ASSAY_HD constexpr Gf2_128& operator*=(Gf2_128 b) {
    return *this = *this * b;
  }
  ASSAY_HD friend constexpr bool operator==(Gf2_128 a, Gf2_128 b) {
    return ((a.low ^ b.low) | (a.high ^ b.high)) == 0;
  }

  // The product before its reduction. Reduction is linear: add products, then
  // reduce their sum once.
  ASSAY_HD static constexpr Word256 MulWide(Gf2_128 a, Gf2_128 b) {
#if !defined(__CUDA_ARCH__)
    if (!std::is_constant_evaluated())
      return clmul::MulHost(a.word(), b.word());
#endif
    return clmul::Karatsuba(a.word(), b.word());
  }

  // Times x, and divided by x.
  ASSAY_HD constexpr Gf2_128 TimesX() const {
    return {low << 1 ^ ((0 - (high >> 63)) & 0x87), high << 1 | low >> 63};
  }
  ASSAY_HD constexpr Gf2_128 OverX() const {
    const uint64_t mask = 0 - (low & 1);
    return {(low >> 1 | high << 63) ^ (mask & 0x43),
            high >> 1 ^ (mask & 0x8000000000000000)};
  }

  // Squares move bit i to bit 2i: no products.
  ASSAY_HD constexpr Gf2_128 Square() const {
    return From(clmul::Reduce(
        {Spread(low), Spread(low >> 32), Spread(high), Spread(high >> 32)}));
  }
  // this^(2^count).
  ASSAY_HD constexpr Gf2_128 Squares(int count) const {
    Gf2_128 x = *this;
    for (int i = 0; i < count; ++i) x = x.Square();
    return x;
  }

  // this^e; 0^0 = 1. At most 64 products.
  ASSAY_HD constexpr Gf2_128 Pow(uint64_t e) const {
    Gf2_128 result = One();
    Gf2_128 base = *this;
    for (; e != 0; e >>= 1) {
      if (e & 1) result *= base;
      base = base.Square();
    }
    return result;
  }

  // The inverse, this^(2^128 - 2); 0 for 0. 11 products, 127 squares: with
  // b_k = this^(2^k - 1), b_(j+k) = b_j^(2^k) b_k (Itoh and Tsujii).
  ASSAY_HD constexpr Gf2_128 Inverse() const {
    const Gf2_128 b1 = *this;
    const Gf2_128 b3 = (b1.Square() * b1).Square() * b1;
    const Gf2_128 b6 = b3.Squares(3) * b3;
    const Gf2_128 b7 = b6.Square() * b1;
    const Gf2_128 b14 = b7.Squares(7) * b7;
    const Gf2_128 b15 = b14.Square() * b1;
    const Gf2_128 b30 = b15.Squares(15) * b15;
    const Gf2_128 b31 = b30.Square() * b1;
    const Gf2_128 b62 = b31.Squares(31) * b31;
    const Gf2_128 b63 = b62.Square() * b1;
    const Gf2_128 b126 = b63.Squares(63) * b63;
    return (b126.Square() * b1).Square();
  }

 private:
  // The lower 32 bits, a zero after each.
  ASSAY_HD static constexpr uint64_t Spread(uint64_t x) {
    x &= 0xffffffff;
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
  }
};

// A sum of products, reduced once however many terms it has.
class SumOfProducts {
 public:
  ASSAY_HD constexpr void Add(Gf2_128 a, Gf2_128 b) {
    sum_ = sum_ ^ Gf2_128::MulWide(a, b);
  }
  ASSAY_HD constexpr Gf2_128 Sum() const {
    return Gf2_128::From(clmul::Reduce(sum_));
  }

 private:
  Word256 sum_;
};

static_assert(sizeof(Gf2_128) == 16);
static_assert(Gf2_128::From(2) * Gf2_128::From(3) == Gf2_128::From(6));
static_assert(Gf2_128::From(2).Inverse() == Gf2_128::One().OverX());

}  // namespace assay
