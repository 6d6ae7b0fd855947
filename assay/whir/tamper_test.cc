// Every single-bit change of a proof file is rejected.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "assay/whir/test_vectors.h"

namespace assay::whir {
namespace {

constexpr size_t kSeedOffset = 48;
constexpr size_t kReservedOffset = 56;

std::vector<std::byte> Flipped(std::vector<std::byte> bytes, size_t bit) {
  bytes[bit / 8] ^= std::byte{1} << static_cast<int>(bit % 8);
  return bytes;
}

// The seed binds where it gives the points, all other bits bind always.
TEST(Tamper, EveryBindingHeaderBitCounts) {
  for (const char* name : kSmallProofs) {
    const std::vector<std::byte> bytes = ReadProofBytes(name);
    const Mode mode = DecodeHeader(bytes)->parameters.mode;
    for (size_t bit = 0; bit < 8 * kHeaderBytes; ++bit) {
      const bool seed =
          bit / 8 >= kSeedOffset && bit / 8 < kReservedOffset;
      const bool binds = !seed || mode == Mode::kGiven;
      EXPECT_EQ(VerifyFile(Flipped(bytes, bit)).accepted, !binds)
          << name << " bit " << bit;
    }
  }
}

// A prime stride walks each body evenly; from ASSAY_FLIPS of about 8 times
// its bytes on, each byte is hit.
TEST(Tamper, BodyBitsCount) {
  const char* text = std::getenv("ASSAY_FLIPS");
  const long asked = text != nullptr ? std::atol(text) : 0;
  const size_t flips = asked > 0 ? static_cast<size_t>(asked) : 5000;
  std::vector<std::vector<std::byte>> files;
  size_t total_bits = 0;
  for (const char* name : kSmallProofs) {
    files.push_back(ReadProofBytes(name));
    total_bits += 8 * (files.back().size() - kHeaderBytes);
  }
  // Bits are numbered through all bodies. The golden ratio's multiples,
  // reduced, are spread evenly however many are taken.
  constexpr size_t kStride = 309019;  // prime, 0.618 of half a million
  ASSERT_NE(total_bits % kStride, 0u);
  for (size_t i = 0; i < flips; ++i) {
    size_t bit = (i % total_bits) * kStride % total_bits;
    size_t file = 0;
    while (bit >= 8 * (files[file].size() - kHeaderBytes)) {
      bit -= 8 * (files[file].size() - kHeaderBytes);
      ++file;
    }
    bit += 8 * kHeaderBytes;
    ASSERT_FALSE(VerifyFile(Flipped(files[file], bit)).accepted)
        << kSmallProofs[file] << " bit " << bit;
  }
}

}  // namespace
}  // namespace assay::whir
