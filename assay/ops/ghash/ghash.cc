// Hashes block after block on natural values.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/ghash/ghash.h"

#include <algorithm>

namespace assay::ghash {

Block Hash(const Block& h, const Block& y, std::span<const uint8_t> data) {
  const Gf2_128 key = reflected::Natural(h);
  Gf2_128 state = reflected::Natural(y);
  while (!data.empty()) {
    Block block = {};
    const size_t size = std::min(data.size(), block.size());
    std::copy_n(data.begin(), size, block.begin());
    state = (state + reflected::Natural(block)) * key;
    data = data.subspan(size);
  }
  Block result;
  reflected::ToBlock(state, result);
  return result;
}

Block Lengths(uint64_t aad_bytes, uint64_t data_bytes) {
  Block block;
  for (size_t i = 0; i < 8; ++i) {
    block[i] = static_cast<uint8_t>(8 * aad_bytes >> (56 - 8 * i));
    block[8 + i] = static_cast<uint8_t>(8 * data_bytes >> (56 - 8 * i));
  }
  return block;
}

Powers PowersOf(const Block& h) {
  Powers powers;
  PowersOf(h, powers);
  return powers;
}

void PowersOf(const Block& h, Powers& powers) {
  const Gf2_128 key = reflected::Natural(h);
  Gf2_128 power = key;
  for (size_t k = Powers::kCount; k-- > 0; power *= key) {
    const Word128 x = reflected::KeyOf(power);
    powers.power[k] = x;
    powers.swapped[k] = {x.high, x.low};
  }
}

Gf2_128 Power(const Block& h, uint64_t e) {
  return reflected::Natural(h).Pow(e);
}

Block JoinChunks(const Block& h, std::span<const Block> chunks,
                 uint64_t chunk_blocks, uint64_t last_blocks) {
  const Gf2_128 step = Power(h, chunk_blocks);
  Gf2_128 sum;
  for (size_t c = 0; c < chunks.size(); ++c) {
    const bool last = c + 1 == chunks.size();
    sum = sum * (last ? Power(h, last_blocks) : step) +
          reflected::Natural(chunks[c]);
  }
  Block result;
  reflected::ToBlock(sum, result);
  return result;
}

}  // namespace assay::ghash
