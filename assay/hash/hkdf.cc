// Extracts and expands keys by RFC 5869.
// SPDX-License-Identifier: Apache-2.0
#include "assay/hash/hkdf.h"

#include <algorithm>

#include "assay/base/secret.h"

namespace assay {

HmacSha256::HmacSha256(std::span<const uint8_t> key) {
  std::array<uint8_t, 64> block = {};
  if (key.size() > block.size()) {
    Sha256Hash hash = Sha256Of(key);
    std::copy(hash.begin(), hash.end(), block.begin());
    Wipe(hash);
  } else {
    std::copy(key.begin(), key.end(), block.begin());
  }
  for (uint8_t& byte : block) byte ^= 0x36;
  inner_.Update(block);
  for (uint8_t& byte : block) byte ^= 0x36 ^ 0x5c;
  outer_.Update(block);
  Wipe(block);
}

HmacSha256::~HmacSha256() {
  inner_.Wipe();
  outer_.Wipe();
}

Sha256Hash HmacSha256::Finish() {
  Sha256Hash inner = inner_.Finish();
  outer_.Update(inner);
  Wipe(inner);
  return outer_.Finish();
}

void HkdfSha256(std::span<const uint8_t> key, std::span<const uint8_t> salt,
                std::span<const uint8_t> info, std::span<uint8_t> out) {
  HmacSha256 extract(salt);
  extract.Update(key);
  Sha256Hash pseudorandom = extract.Finish();
  Sha256Hash last = {};
  for (uint8_t count = 1; !out.empty(); ++count) {
    HmacSha256 expand(pseudorandom);
    if (count > 1) expand.Update(last);
    expand.Update(info);
    expand.Update({&count, 1});
    last = expand.Finish();
    const size_t size = std::min(out.size(), last.size());
    std::copy_n(last.begin(), size, out.begin());
    out = out.subspan(size);
  }
  Wipe(pseudorandom);
  Wipe(last);
}

}  // namespace assay
