// Every single-bit change of a proof file is rejected.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
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
      const bool seed = bit / 8 >= kSeedOffset && bit / 8 < kReservedOffset;
      const bool binds = !seed || mode == Mode::kGiven;
      EXPECT_EQ(VerifyFile(Flipped(bytes, bit)).accepted, !binds)
          << name << " bit " << bit;
    }
  }
}

// How many flips: 5000, or what ASSAY_FLIPS says.
size_t FlipCount() {
  const char* text = std::getenv("ASSAY_FLIPS");
  const long asked = text != nullptr ? std::atol(text) : 0;
  return asked > 0 ? static_cast<size_t>(asked) : 5000;
}

// Bytes are numbered through all bodies and walked by about 0.618 of their
// number, which spreads any count of flips evenly and visits each byte once
// a pass. Each pass flips another bit of a byte, eight passes flip all.
TEST(Tamper, BodyBitsCount) {
  std::vector<std::vector<std::byte>> files;
  size_t total = 0;
  for (const char* name : kSmallProofs) {
    files.push_back(ReadProofBytes(name));
    total += files.back().size() - kHeaderBytes;
  }
  size_t stride = total * 618 / 1000;
  while (std::gcd(stride, total) != 1) ++stride;

  const size_t flips = FlipCount();
  for (size_t i = 0; i < flips; ++i) {
    size_t byte = (i % total) * stride % total;
    size_t file = 0;
    while (byte >= files[file].size() - kHeaderBytes) {
      byte -= files[file].size() - kHeaderBytes;
      ++file;
    }
    const size_t bit = 8 * (kHeaderBytes + byte) + (i % total + i / total) % 8;
    ASSERT_FALSE(VerifyFile(Flipped(files[file], bit)).accepted)
        << kSmallProofs[file] << " bit " << bit;
  }
}

}  // namespace
}  // namespace assay::whir
