// Keys from keys: HMAC-SHA256 and HKDF.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "assay/hash/sha256.h"

namespace assay {

// HMAC (RFC 2104) of bytes in any pieces. Wipes its keys at its end.
class HmacSha256 {
 public:
  explicit HmacSha256(std::span<const uint8_t> key);
  ~HmacSha256();
  HmacSha256(const HmacSha256&) = delete;
  HmacSha256& operator=(const HmacSha256&) = delete;

  void Update(std::span<const uint8_t> bytes) { inner_.Update(bytes); }
  // Once.
  Sha256Hash Finish();

 private:
  Sha256 inner_;
  Sha256 outer_;
};

// HKDF (RFC 5869): fills `out`, at most 255 * 32 bytes, from the input key,
// the salt and what the key is for.
void HkdfSha256(std::span<const uint8_t> key, std::span<const uint8_t> salt,
                std::span<const uint8_t> info, std::span<uint8_t> out);

}  // namespace assay
