// What AES computes: the key schedule, blocks, and counter mode.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// FIPS 197 and NIST SP 800-38A. Constant-time throughout: the S-box is a
// circuit on bits, not a table.
namespace assay::aes {

using Block = std::array<uint8_t, 16>;

// Round keys in the order of their use. Secret: wipe it (base/secret.h).
struct Key {
  static constexpr size_t kMostRounds = 14;
  alignas(16) uint8_t round[kMostRounds + 1][16];
  int rounds;  // 10, 12 or 14
};

// Precondition: a key of 16, 24 or 32 bytes.
Key Expand(std::span<const uint8_t> key);
// In place: no copy is left where nobody wipes it.
void Expand(std::span<const uint8_t> key, Key& result);

// Encrypts `count` blocks in place, four at a time.
void Encrypt(const Key& key, uint8_t* blocks, size_t count);
Block Encrypt(const Key& key, const Block& block);

// The last four bytes, a big-endian number, plus `count` mod 2^32: GCM's
// counter, whose other bytes never change.
constexpr Block Advance(Block counter, uint32_t count) {
  uint32_t number = static_cast<uint32_t>(counter[12]) << 24 |
                    static_cast<uint32_t>(counter[13]) << 16 |
                    static_cast<uint32_t>(counter[14]) << 8 | counter[15];
  number += count;
  for (size_t i = 0; i < 4; ++i) {
    counter[12 + i] = static_cast<uint8_t>(number >> (24 - 8 * i));
  }
  return counter;
}

// out = in ^ E(counter) || E(counter + 1) || ...; the sizes are the same, and
// so may the bytes be. Returns the counter after the blocks used, the last of
// which may be used in part.
Block Ctr(const Key& key, const Block& counter, std::span<const uint8_t> in,
          std::span<uint8_t> out);

}  // namespace assay::aes
