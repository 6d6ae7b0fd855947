// What GHASH computes: a polynomial in the hash key over blocks of 16 bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "assay/number/gf2_128.h"
#include "assay/number/gf2_128_reflected.h"

// docs/engines/binary.md, section 3. NIST SP 800-38D, algorithm 2.
namespace assay::ghash {

using Block = std::array<uint8_t, 16>;

// (y + B) h for each block B in turn; zeros fill up the last one. One product
// a block, constant-time in h, y and the data.
Block Hash(const Block& h, const Block& y, std::span<const uint8_t> data);

// The block that ends GCM's hash: both sizes in bits. Precondition: sizes
// below 2^61 bytes.
Block Lengths(uint64_t aad_bytes, uint64_t data_bytes);

// Powers of the hash key for kernels, as keys of reflected words: entry k
// belongs to h^(32 - k). Zeros follow, so that whole vectors can be read from
// any entry. `swapped` has the halves exchanged.
struct Powers {
  static constexpr size_t kCount = 32;
  alignas(64) Word128 power[kCount + 4];
  alignas(64) Word128 swapped[kCount + 4];
};
// 31 products.
Powers PowersOf(const Block& h);
// In place: no copy is left where nobody wipes it.
void PowersOf(const Block& h, Powers& powers);

// h^e for e >= 0, as an element: at most 64 products.
Gf2_128 Power(const Block& h, uint64_t e);

// The hash of chunks from those of each alone, the first of which started from
// the state and the others from zero: all but the last, of `last_blocks`, have
// `chunk_blocks` blocks. At most 128 products and one a chunk.
Block JoinChunks(const Block& h, std::span<const Block> chunks,
                 uint64_t chunk_blocks, uint64_t last_blocks);

}  // namespace assay::ghash
