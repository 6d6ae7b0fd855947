// The SplitMix64 stream, for instances and inputs that anyone can repeat.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#if !defined(ASSAY_HD)
#if defined(__CUDACC__)
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif
#endif

namespace assay {

// Output i of the stream of `seed`, counted from 0 (Steele, Lea, Flood: "Fast
// splittable pseudorandom number generators").
ASSAY_HD constexpr uint64_t SplitMix64(uint64_t seed, uint64_t i) {
  uint64_t z = seed + (i + 1) * 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

}  // namespace assay
