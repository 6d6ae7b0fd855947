// Derives a file's key and numbers its segments.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/seal_format.h"

#include <algorithm>
#include <utility>

#include "assay/base/random.h"
#include "assay/base/secret.h"
#include "assay/hash/hkdf.h"

namespace assay::binary {
namespace {

GcmKey FileKey(std::span<const uint8_t, kSealKeyBytes> key,
               const SealHeader& header, Bytes aad) {
  std::array<uint8_t, kSealKeyBytes> derived;
  HkdfSha256(key, header.salt, aad, derived);
  Result<GcmKey> result = GcmKey::Create(derived);
  Wipe(derived);
  return std::move(*result);
}

}  // namespace

Result<SealHeader> SealHeader::Random() {
  SealHeader header;
  ASSAY_TRY(RandomBytes(header.salt));
  ASSAY_TRY(RandomBytes(header.prefix));
  return header;
}

std::array<uint8_t, kSealHeaderBytes> SealHeader::ToBytes() const {
  std::array<uint8_t, kSealHeaderBytes> bytes;
  bytes[0] = kSealHeaderBytes;
  std::copy(salt.begin(), salt.end(), bytes.begin() + 1);
  std::copy(prefix.begin(), prefix.end(), bytes.begin() + 33);
  return bytes;
}

bool SealHeader::FromBytes(std::span<const uint8_t, kSealHeaderBytes> bytes,
                           SealHeader* header) {
  std::copy_n(bytes.begin() + 1, 32, header->salt.begin());
  std::copy_n(bytes.begin() + 33, 7, header->prefix.begin());
  return bytes[0] == kSealHeaderBytes;
}

SegmentCipher::SegmentCipher(std::span<const uint8_t, kSealKeyBytes> key,
                             const SealHeader& header, Bytes aad)
    : prefix_(header.prefix), key_(FileKey(key, header, aad)) {}

std::array<uint8_t, 12> SegmentCipher::Iv(uint64_t segment, bool last) const {
  std::array<uint8_t, 12> iv;
  std::copy(prefix_.begin(), prefix_.end(), iv.begin());
  for (size_t i = 0; i < 4; ++i) {
    iv[7 + i] = static_cast<uint8_t>(segment >> (24 - 8 * i));
  }
  iv[11] = last ? 1 : 0;
  return iv;
}

// The lengths are within GCM's limits and agree, so that neither can fail.
void SegmentCipher::Seal(uint64_t segment, bool last, Bytes plain,
                         MutableBytes out) const {
  (void)GcmSeal(key_, Iv(segment, last), {}, plain, out.first(plain.size()),
                out.subspan(plain.size(), kGcmTagBytes));
}

bool SegmentCipher::Open(uint64_t segment, bool last, Bytes sealed,
                         MutableBytes out) const {
  const size_t size = sealed.size() - kGcmTagBytes;
  const Result<bool> opened =
      GcmOpen(key_, Iv(segment, last), {}, sealed.first(size),
              sealed.last(kGcmTagBytes), out.first(size));
  return opened.ok() && *opened;
}

}  // namespace assay::binary
