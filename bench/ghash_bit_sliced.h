// GHASH by logic operations alone: the baseline of carry-less products.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace assay::bench {

// state = GHASH of `bytes` bytes of `data` under the key, going on from the
// state, as ops/ghash computes it; all lie on multiples of 16 bytes of the
// device's memory. Each thread has bits of 32 blocks side by side in a
// register: a product is 16384 AND-XORs for 32 blocks, by the schoolbook.
// Powers of the key and the join of the lanes at the end use clmad.
void LaunchBitSlicedGhash(const uint8_t* h, const uint8_t* data, uint64_t bytes,
                          uint8_t* state, int multiprocessors,
                          cudaStream_t stream);

}  // namespace assay::bench
