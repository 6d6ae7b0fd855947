// The sealed file's format: its header, its segments and where they lie.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "assay/base/result.h"
#include "assay/binary/gcm.h"

// Tink's streaming AEAD AES-GCM-HKDF (docs/engines/binary.md, section 4): 40
// bytes of header, then segments, each sealed by AES-256-GCM under a key that
// belongs to this file alone.
namespace assay::binary {

inline constexpr size_t kSealKeyBytes = 32;
inline constexpr uint64_t kSealHeaderBytes = 40;
inline constexpr uint64_t kMaxSegments = uint64_t{1} << 32;

// The size of a segment in the file. It belongs to the key and is not stored.
enum class SegmentSize : uint32_t { k4KB = 4096, k1MB = 1048576 };

// Where segments lie. Offsets are in bytes from the start.
struct SealLayout {
  uint64_t segment_bytes;

  explicit constexpr SealLayout(SegmentSize size)
      : segment_bytes(static_cast<uint64_t>(size)) {}

  constexpr uint64_t PlainBytes(uint64_t segment) const {
    return segment_bytes - kGcmTagBytes - (segment == 0 ? kSealHeaderBytes : 0);
  }
  constexpr uint64_t PlainOffset(uint64_t segment) const {
    return segment == 0 ? 0 : segment * PlainBytes(1) - kSealHeaderBytes;
  }
  constexpr uint64_t SealedOffset(uint64_t segment) const {
    return segment == 0 ? kSealHeaderBytes : segment * segment_bytes;
  }
  // The segment that holds a byte of the plaintext.
  constexpr uint64_t SegmentOf(uint64_t plain_offset) const {
    return plain_offset < PlainBytes(0)
               ? 0
               : 1 + (plain_offset - PlainBytes(0)) / PlainBytes(1);
  }
  // How many segments a plaintext fills; the empty one has one.
  constexpr uint64_t Segments(uint64_t plain_bytes) const {
    return plain_bytes == 0 ? 1 : SegmentOf(plain_bytes - 1) + 1;
  }
  // How many a file has: the last may be short, but holds a tag. 0 for sizes
  // that no sealed file has.
  constexpr uint64_t SegmentsOfFile(uint64_t file_bytes) const {
    if (file_bytes < kSealHeaderBytes + kGcmTagBytes) return 0;
    const uint64_t segments = (file_bytes - 1) / segment_bytes + 1;
    const bool tag = file_bytes - SealedOffset(segments - 1) >= kGcmTagBytes;
    return tag ? segments : 0;
  }
};

// The first bytes of a file.
struct SealHeader {
  std::array<uint8_t, 32> salt;
  std::array<uint8_t, 7> prefix;  // of each segment's IV

  // Fresh from the operating system: each file must have its own.
  static Result<SealHeader> Random();
  std::array<uint8_t, kSealHeaderBytes> ToBytes() const;
  // False if the first byte does not give the header's size.
  static bool FromBytes(std::span<const uint8_t, kSealHeaderBytes> bytes,
                        SealHeader* header);
};

// The key of one file. Used by any number of threads at once.
class SegmentCipher {
 public:
  // `aad`: what the file is bound to, e.g. its name; not stored in it.
  SegmentCipher(std::span<const uint8_t, kSealKeyBytes> key,
                const SealHeader& header, Bytes aad);

  // `out` holds 16 bytes more than `plain`.
  void Seal(uint64_t segment, bool last, Bytes plain, MutableBytes out) const;
  // `out` holds 16 bytes less than `sealed`. False, and zeros, for a segment
  // that is not what was sealed in this place.
  bool Open(uint64_t segment, bool last, Bytes sealed, MutableBytes out) const;

 private:
  std::array<uint8_t, 12> Iv(uint64_t segment, bool last) const;

  std::array<uint8_t, 7> prefix_;
  GcmKey key_;
};

}  // namespace assay::binary
