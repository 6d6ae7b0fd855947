// Key stream, then hash, block after block.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/seal/seal.h"

namespace assay::seal {

Key ExpandKey(std::span<const uint8_t> key) {
  Key result;
  ExpandKey(key, result);
  return result;
}

void ExpandKey(std::span<const uint8_t> key, Key& result) {
  aes::Expand(key, result.aes);
  result.h = aes::Encrypt(result.aes, Block{});
  ghash::PowersOf(result.h, result.powers);
}

void Encrypt(const Key& key, Stream& stream, std::span<const uint8_t> in,
             std::span<uint8_t> out) {
  stream.counter = aes::Ctr(key.aes, stream.counter, in, out);
  stream.hash = ghash::Hash(key.h, stream.hash, out);
}

void Decrypt(const Key& key, Stream& stream, std::span<const uint8_t> in,
             std::span<uint8_t> out) {
  stream.hash = ghash::Hash(key.h, stream.hash, in);
  stream.counter = aes::Ctr(key.aes, stream.counter, in, out);
}

}  // namespace assay::seal
