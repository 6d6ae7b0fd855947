// Orders of bits, the same for meanings, kernels and engines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

// i with its low `bits` bits reversed. Precondition: i < 2^bits. The same few
// shifts whatever `bits` is.
constexpr size_t ReverseBits(size_t i, int bits) {
  if (bits == 0) return 0;
  uint64_t x = i;
  x = ((x >> 1) & 0x5555555555555555) | ((x & 0x5555555555555555) << 1);
  x = ((x >> 2) & 0x3333333333333333) | ((x & 0x3333333333333333) << 2);
  x = ((x >> 4) & 0x0f0f0f0f0f0f0f0f) | ((x & 0x0f0f0f0f0f0f0f0f) << 4);
  x = ((x >> 8) & 0x00ff00ff00ff00ff) | ((x & 0x00ff00ff00ff00ff) << 8);
  x = ((x >> 16) & 0x0000ffff0000ffff) | ((x & 0x0000ffff0000ffff) << 16);
  x = (x >> 32) | (x << 32);
  return static_cast<size_t>(x >> (64 - bits));
}

}  // namespace assay
