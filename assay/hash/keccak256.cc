// Keccak-f[1600] in its plain form and the sponge around it.
// SPDX-License-Identifier: Apache-2.0
#include "assay/hash/keccak256.h"

#include <bit>
#include <cstddef>

namespace assay {
namespace {

constexpr size_t kRateBytes = 136;

constexpr uint64_t kRoundConstants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a,
    0x8000000080008000, 0x000000000000808b, 0x0000000080000001,
    0x8000000080008081, 0x8000000000008009, 0x000000000000008a,
    0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080,
    0x000000000000800a, 0x800000008000000a, 0x8000000080008081,
    0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};
// The walk of rho and pi over the lanes x + 5 y, from lane 1.
constexpr int kRotations[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                                27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
constexpr int kLanes[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                            15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};

using Lanes = std::array<uint64_t, 25>;

// FIPS 202, section 3.3.
void KeccakF(Lanes& a) {
  for (const uint64_t round_constant : kRoundConstants) {
    uint64_t parity[5];
    for (int x = 0; x < 5; ++x) {
      parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    }
    for (int x = 0; x < 5; ++x) {
      const uint64_t d =
          parity[(x + 4) % 5] ^ std::rotl(parity[(x + 1) % 5], 1);
      for (int y = 0; y < 25; y += 5) a[x + y] ^= d;
    }
    uint64_t moving = a[1];
    for (int i = 0; i < 24; ++i) {
      const uint64_t kept = a[kLanes[i]];
      a[kLanes[i]] = std::rotl(moving, kRotations[i]);
      moving = kept;
    }
    for (int y = 0; y < 25; y += 5) {
      uint64_t row[5];
      for (int x = 0; x < 5; ++x) row[x] = a[x + y];
      for (int x = 0; x < 5; ++x) {
        a[x + y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
      }
    }
    a[0] ^= round_constant;
  }
}

void XorByte(Lanes& a, size_t i, uint8_t byte) {
  a[i / 8] ^= static_cast<uint64_t>(byte) << (8 * (i % 8));
}

}  // namespace

Keccak256Hash Keccak256(std::span<const uint8_t> bytes) {
  Lanes a = {};
  size_t filled = 0;
  for (const uint8_t byte : bytes) {
    XorByte(a, filled, byte);
    if (++filled == kRateBytes) {
      KeccakF(a);
      filled = 0;
    }
  }
  XorByte(a, filled, 0x01);
  XorByte(a, kRateBytes - 1, 0x80);
  KeccakF(a);
  Keccak256Hash hash;
  for (size_t i = 0; i < hash.size(); ++i) {
    hash[i] = static_cast<uint8_t>(a[i / 8] >> (8 * (i % 8)));
  }
  return hash;
}

Keccak256Hash Keccak256(std::string_view text) {
  return Keccak256(
      std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

}  // namespace assay
