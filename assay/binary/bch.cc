// Multiplies minimal polynomials, and evaluates remainders.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/bch.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "assay/number/gf2_128.h"
#include "assay/ops/crc/crc_kernels.h"

namespace assay::binary {
namespace {

constexpr int kLeastM = 3;
constexpr int kMostM = 16;

// The primitive polynomials of the tables, bit i for x^i.
constexpr std::array<uint32_t, kMostM + 1> kPrimitive = {
    0,     0,     0,     0xb,    0x13,   0x25,   0x43,   0x89,   0x11d,
    0x211, 0x409, 0x805, 0x1053, 0x201b, 0x4443, 0x8003, 0x1100b};

uint32_t TimesA(int m, uint32_t x) {
  x <<= 1;
  return (x >> m) & 1 ? x ^ kPrimitive[static_cast<size_t>(m)] : x;
}

uint32_t Multiply(int m, uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (int i = m - 1; i >= 0; --i) {
    product = TimesA(m, product);
    if ((b >> i) & 1) product ^= a;
  }
  return product;
}

uint32_t Power(int m, uint32_t a, uint64_t e) {
  uint32_t power = 1;
  for (; e != 0; e >>= 1) {
    if (e & 1) power = Multiply(m, power, a);
    a = Multiply(m, a, a);
  }
  return power;
}

// The exponents j, 2j, 4j, .. modulo 2^m - 1: conjugates share a minimal
// polynomial.
std::vector<int> Conjugates(int m, int j) {
  const int order = (1 << m) - 1;
  std::vector<int> exponents;
  int e = j % order;
  do {
    exponents.push_back(e);
    e = 2 * e % order;
  } while (e != j % order);
  return exponents;
}

// The product of (x + a^e) over the conjugates: coefficients 0 and 1.
uint64_t MinimalPolynomial(int m, const std::vector<int>& conjugates) {
  std::vector<uint32_t> product = {1};
  for (const int e : conjugates) {
    const uint32_t root = Power(m, 2, static_cast<uint64_t>(e));
    product.push_back(0);
    for (size_t i = product.size() - 1; i > 0; --i) {
      product[i] = product[i - 1] ^ Multiply(m, product[i], root);
    }
    product[0] = Multiply(m, product[0], root);
  }
  uint64_t bits = 0;
  for (size_t i = 0; i < product.size(); ++i) {
    bits |= static_cast<uint64_t>(product[i]) << i;
  }
  return bits;
}

}  // namespace

Result<BchCode> BchCode::Make(int m, int t) {
  if (m < kLeastM || m > kMostM || t < 1 || 2 * t > (1 << m) - 2) {
    return Error{
        Code::kInvalidInput,
        fmt::format("there is no BCH code with m = {} and t = {}", m, t),
        "m is 3 to 16, and 2 t at most 2^m - 2"};
  }
  // Bit i of `low` belongs to x^i, the top term stands apart: g has up to 65
  // coefficients.
  uint64_t low = 1;
  int degree = 0;
  std::vector<bool> taken(static_cast<size_t>(1) << m);
  for (int j = 1; j < 2 * t; j += 2) {
    if (taken[static_cast<size_t>(j)]) continue;
    const std::vector<int> conjugates = Conjugates(m, j);
    for (const int e : conjugates) taken[static_cast<size_t>(e)] = true;
    const int d = static_cast<int>(conjugates.size());
    if (degree + d > 64) {
      return Error{Code::kUnsupported,
                   fmt::format("the BCH code with m = {} and t = {} has more "
                               "than 64 parity bits",
                               m, t),
                   "choose a smaller t"};
    }
    // (x^degree + low) times the polynomial of degree d <= 16. A product
    // below x^64, and what the top term adds.
    const uint64_t factor = MinimalPolynomial(m, conjugates);
    if (degree == 0) {
      low = factor & ~(uint64_t{1} << d);
    } else {
      const Word128 product = clmul::Mul(low, factor);
      const uint64_t below = factor & ~(uint64_t{1} << d);
      // product has degree below degree + d <= 64: its upper word is zero.
      low = product.low ^ (below << degree);
    }
    degree += d;
  }
  BchCode code(m, t);
  if (degree >= code.length()) {
    return Error{Code::kInvalidInput,
                 fmt::format("the BCH code with m = {} and t = {} has no "
                             "message bits",
                             m, t),
                 "choose a smaller t"};
  }
  code.polynomial_ = low;
  code.generator_ = {degree, clmul::Reverse(low) >> (64 - degree)};
  return code;
}

uint64_t BchCode::Parity(std::span<const std::byte> message) const {
  return crc::Advance(generator_, 0, message);
}

uint16_t BchCode::PowerOfA(uint64_t e) const {
  return static_cast<uint16_t>(
      Power(m_, 2, e % static_cast<uint64_t>(length())));
}

std::vector<uint16_t> BchCode::Syndromes(uint64_t difference) const {
  std::vector<uint16_t> syndromes;
  for (int j = 1; j <= 2 * t_; ++j) {
    const uint32_t point = PowerOfA(static_cast<uint64_t>(j));
    uint32_t sum = 0;  // Horner; bit 0 is the highest coefficient
    for (int i = 0; i < parity_bits(); ++i) {
      sum = Multiply(m_, sum, point) ^
            static_cast<uint32_t>((difference >> i) & 1);
    }
    syndromes.push_back(static_cast<uint16_t>(sum));
  }
  return syndromes;
}

void RecordBchParity(Recorder& recorder, const BchCode& code,
                     const View<std::byte>& messages, uint32_t count,
                     uint64_t stride, uint64_t bytes,
                     const View<uint64_t>& parity) {
  RecordCrc(recorder, code.generator(), messages, count, stride, bytes, parity);
}

}  // namespace assay::binary
