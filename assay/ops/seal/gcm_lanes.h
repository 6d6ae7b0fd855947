// AES-GCM's pass over data in host memory, on the widest vectors there are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "assay/ops/seal/seal.h"

// The same as the meaning in seal.h, for callers whose data lies on the host:
// one thread, no device. Constant-time on every vector target.
namespace assay::seal {

void EncryptLanes(const Key& key, Stream& stream, const uint8_t* in,
                  uint8_t* out, size_t bytes);
void DecryptLanes(const Key& key, Stream& stream, const uint8_t* in,
                  uint8_t* out, size_t bytes);
// One block by AES alone.
Block BlockLanes(const Key& key, const Block& block);
// Goes on from `hash`; zeros fill up the last block.
void HashLanes(const Key& key, Block& hash, const uint8_t* data, size_t bytes);

// The vector target that these run on, e.g. "AVX3_DL".
std::string_view LanesTarget();

}  // namespace assay::seal
