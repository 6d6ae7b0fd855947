// What AES-GCM computes over its data: key stream and hash in one pass.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "assay/ops/aes/aes.h"
#include "assay/ops/ghash/ghash.h"

// docs/engines/binary.md, section 3; NIST SP 800-38D. What surrounds the data
// (IV, AAD, lengths, tag) is in assay/binary/gcm.h.
namespace assay::seal {

using Block = aes::Block;

// Where a message stands between two calls.
struct Stream {
  Block counter;  // of the next block
  Block hash;     // GHASH so far
};

// Everything that a key gives. Secret: wipe it (base/secret.h).
struct Key {
  aes::Key aes;
  Block h;  // the hash key, E(0)
  ghash::Powers powers;
};
// Precondition: a key of 16, 24 or 32 bytes. Some microseconds.
Key ExpandKey(std::span<const uint8_t> key);
// In place: no copy is left where nobody wipes it.
void ExpandKey(std::span<const uint8_t> key, Key& result);

// out = in ^ key stream; the hash absorbs the ciphertext, which is `out` when
// encrypting and `in` when decrypting. Equal sizes; the bytes may be the same.
// A size that is no multiple of 16 ends the message: zeros fill up the last
// block of the hash.
void Encrypt(const Key& key, Stream& stream, std::span<const uint8_t> in,
             std::span<uint8_t> out);
void Decrypt(const Key& key, Stream& stream, std::span<const uint8_t> in,
             std::span<uint8_t> out);

}  // namespace assay::seal
