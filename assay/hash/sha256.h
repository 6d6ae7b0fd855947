// SHA-256, the hash of transcripts and of key derivation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

using Sha256Hash = std::array<uint8_t, 32>;

// FIPS 180-4, of bytes in any pieces. A copy goes on from the same point.
// One compression for each 64 bytes, by the processor's instructions where it
// has them (x86 SHA); constant-time in the bytes. Cannot fail.
class Sha256 {
 public:
  Sha256();

  void Update(std::span<const uint8_t> bytes);
  // The hash of all bytes since the start; the object then starts anew.
  Sha256Hash Finish();

  // Overwrites what the object holds, and starts anew.
  void Wipe();

 private:
  std::array<uint32_t, 8> state_;
  std::array<uint8_t, 64> block_;
  uint64_t size_ = 0;  // bytes so far
};

Sha256Hash Sha256Of(std::span<const uint8_t> bytes);

// The compression function, for kernels and tests: `state` after `count`
// blocks of 64 bytes. The portable form, and the one in use.
namespace sha256 {
using Compression = void (*)(uint32_t* state, const uint8_t* blocks,
                             size_t count);
void CompressPortable(uint32_t* state, const uint8_t* blocks, size_t count);
Compression Fastest();
}  // namespace sha256

}  // namespace assay
