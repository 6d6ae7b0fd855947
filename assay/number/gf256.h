// The field of 256 elements of x^8 + x^4 + x^3 + x^2 + 1.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The field of Reed-Solomon codes (storage, QR), not that of AES. For
// coefficients, which are public: nothing here is constant-time.
namespace assay::gf256 {

inline constexpr unsigned kPolynomial = 0x11d;
// Generates the multiplicative group.
inline constexpr uint8_t kGenerator = 2;

// Eight steps of shift and add.
constexpr uint8_t Multiply(uint8_t a, uint8_t b) {
  unsigned product = 0;
  for (int i = 7; i >= 0; --i) {
    product <<= 1;
    if (product & 0x100) product ^= kPolynomial;
    if ((b >> i) & 1) product ^= a;
  }
  return static_cast<uint8_t>(product);
}

// a^e with 0^0 = 1.
constexpr uint8_t Power(uint8_t a, unsigned e) {
  uint8_t power = 1;
  for (; e != 0; e >>= 1) {
    if (e & 1) power = Multiply(power, a);
    a = Multiply(a, a);
  }
  return power;
}

// 1 / a = a^254; 0 for 0.
constexpr uint8_t Inverse(uint8_t a) { return Power(a, 254); }

}  // namespace assay::gf256
