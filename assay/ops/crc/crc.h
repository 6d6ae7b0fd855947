// What cyclic redundancy checks are: remainders of reflected polynomials.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

// Words are reflected: in a register of `width` bits, bit i is the coefficient
// of x^(width - 1 - i), and the first bit of a message is bit 0 of its first
// byte. A CRC finds accidents. It is no signature: whoever may choose the
// bytes can keep the CRC.
namespace assay::crc {

// A polynomial of degree `width` = 1..64 over GF(2) with a constant term.
// `low`: its reflected coefficients without x^width, in the low `width` bits.
struct Generator {
  int width;
  uint64_t low;

  constexpr uint64_t Ones() const { return ~uint64_t{0} >> (64 - width); }
};

enum class Kind : uint8_t { kCrc32, kCrc32c, kCrc64 };

inline constexpr std::array kKinds = {Kind::kCrc32, Kind::kCrc32c,
                                      Kind::kCrc64};

// CRC-32/ISO-HDLC (zlib, PNG), CRC-32C (iSCSI, ext4), CRC-64/XZ.
Generator GeneratorOf(Kind kind);
// "crc32", "crc32c", "crc64".
std::string_view NameOf(Kind kind);

// The register after `bytes`: r(x) x^(8 |bytes|) + bytes(x) x^width modulo the
// generator. By definition, bit by bit.
uint64_t Advance(const Generator& generator, uint64_t r,
                 std::span<const std::byte> bytes);

// The CRC of A || bytes from that of A; the CRC of nothing is 0 (registers
// start from all ones and are complemented at the end).
uint64_t Extend(Kind kind, uint64_t crc, std::span<const std::byte> bytes);

// a b modulo the generator; `width` steps.
uint64_t Multiply(const Generator& generator, uint64_t a, uint64_t b);

// x^e modulo the generator, by squaring.
uint64_t PowerOfX(const Generator& generator, uint64_t e);

// The CRC of A || B from those of A and B and the length of B: initial values
// and complements cancel.
uint64_t Combine(Kind kind, uint64_t crc_a, uint64_t crc_b, uint64_t bytes_b);

// The CRC of A from that of A and `zeros` zero bytes. 8 steps a byte.
uint64_t WithoutZeros(Kind kind, uint64_t crc, uint64_t zeros);

// Constants for folding 128-bit blocks, in 64-bit reflected words, for the
// generator times x^(64 - width): one path serves every width.
struct Folding {
  static constexpr size_t kSizes = 6;  // 1, 2, 4, .., 32 blocks apart

  uint64_t p;   // the generator times x^(64 - width), without x^64
  uint64_t mu;  // floor(x^128 / that), without x^64
  // K(D + 63) and K(D - 1) with D = 128 * 2^i and K(e) = x^e modulo that: a
  // block moves on by D bits as low K(D + 63) + high K(D - 1).
  struct Step {
    uint64_t low;
    uint64_t high;
  };
  std::array<Step, kSizes> steps;
};

// About 4000 steps; those of the three kinds are kept.
Folding FoldingOf(const Generator& generator);

}  // namespace assay::crc
