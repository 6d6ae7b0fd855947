// Other ways to multiply shards on a GPU, to compare with carry-less products.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::bench {

// Four outputs of `bytes` bytes from `inputs` (at most 32) shards, all on
// multiples of 16 bytes of the device's memory, which `bytes` is one of;
// `rows`: 4 x inputs coefficients in the host's memory. On the default stream.
struct FourOutputs {
  const uint8_t* rows;
  uint32_t inputs;
  const uint8_t* in;
  uint64_t in_stride;
  uint8_t* out;
  uint64_t out_stride;
  uint64_t bytes;
};

// A table of 256 words an input in shared memory: a byte's four products in
// one look-up.
void LaunchTables(const FourOutputs& shards, int multiprocessors);
// Shift and add: eight multiples of each word, masked by the coefficients'
// bits.
void LaunchShifts(const FourOutputs& shards, int multiprocessors);

}  // namespace assay::bench
