// Hands arbitrary bytes to the mask reader, also with their checksums mended.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "assay/planar/mask_png.h"

namespace {

constexpr uint64_t kMostPixels = 1 << 16;

// The CRC-32 of PNG chunks, bit by bit.
uint32_t Crc(std::span<const uint8_t> bytes) {
  uint32_t crc = ~uint32_t{0};
  for (const uint8_t byte : bytes) {
    crc ^= byte;
    for (int k = 0; k < 8; ++k) {
      crc = (crc >> 1) ^ (crc & 1 ? 0xEDB88320u : 0);
    }
  }
  return ~crc;
}

// Mutations rarely hit a checksum: each chunk gets its own.
void MendChecksums(std::vector<uint8_t>& bytes) {
  constexpr std::array<uint8_t, 8> kSignature = {0x89, 'P',  'N',  'G',
                                                 '\r', '\n', 0x1A, '\n'};
  if (bytes.size() < kSignature.size()) return;
  std::ranges::copy(kSignature, bytes.begin());
  size_t at = kSignature.size();
  while (bytes.size() - at >= 12) {
    size_t length = 0;
    for (size_t k = 0; k < 4; ++k) length = length << 8 | bytes[at + k];
    if (length > bytes.size() - at - 12) return;
    const uint32_t crc = Crc(std::span(bytes).subspan(at + 4, length + 4));
    at += length + 8;
    for (int k = 3; k >= 0; --k) {
      bytes[at++] = static_cast<uint8_t>(crc >> (8 * k));
    }
  }
}

void Decode(std::span<const uint8_t> bytes) {
  const auto mask = assay::planar::DecodeMaskPng(std::as_bytes(bytes), "fuzz",
                                                 false, kMostPixels);
  if (!mask.ok()) return;
  const size_t pixels =
      static_cast<size_t>(mask->nx) * static_cast<size_t>(mask->ny);
  if (pixels > kMostPixels || mask->metal.size() != pixels) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> bytes(data, data + size);
  Decode(bytes);
  MendChecksums(bytes);
  Decode(bytes);
  return 0;
}
