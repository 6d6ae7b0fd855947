// The scalar transform by halving, and the encoding of columns.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/ntt/ntt.h"

#include <algorithm>
#include <bit>

#include "assay/base/bits.h"
#include "assay/ops/fold/fold.h"

namespace assay::ntt {

void Transform(std::span<BabyBear> x) {
  const size_t size = x.size();
  fold::ReverseTable(x);
  for (int log_half = 0; size_t{1} << log_half < size; ++log_half) {
    const size_t half = size_t{1} << log_half;
    const BabyBear g = BabyBear::TwoAdicGenerator(log_half + 1);
    for (size_t block = 0; block < size; block += 2 * half) {
      BabyBear power = BabyBear::One();
      for (size_t i = block; i < block + half; ++i, power *= g) {
        const BabyBear t = power * x[i + half];
        x[i + half] = x[i] - t;
        x[i] += t;
      }
    }
  }
}

// The values at the inverse powers of g are those at the powers, read
// backwards from the second on.
void Inverse(std::span<BabyBear> x) {
  Transform(x);
  std::reverse(x.begin() + 1, x.end());
  const BabyBear scale =
      BabyBear::From64(static_cast<uint64_t>(x.size())).Inverse();
  for (BabyBear& value : x) value *= scale;
}

std::vector<BabyBear> Twiddles(int log_size) {
  std::vector<BabyBear> table(size_t{1} << log_size, BabyBear::One());
  for (int log_half = 0; log_half < log_size; ++log_half) {
    const size_t half = size_t{1} << log_half;
    const BabyBear g = BabyBear::TwoAdicGenerator(log_half + 1);
    for (size_t j = 1; j < half; ++j) table[half + j] = table[half + j - 1] * g;
  }
  return table;
}

std::vector<BabyBear> Encode(std::span<const BabyBear> message,
                             const Layout& layout) {
  const size_t block_size = size_t{1} << layout.log_message;
  const size_t rows = size_t{1} << layout.log_rows;
  const uint32_t blocks = layout.columns / layout.planes;
  const int log_blocks = std::bit_width(blocks) - 1;
  std::vector<BabyBear> codeword(layout.columns * rows);
  for (uint32_t q = 0; q < layout.columns; ++q) {
    size_t block = q / layout.planes;
    if (layout.reversed) block = ReverseBits(block, log_blocks);
    const auto from = message.subspan(
        (q % layout.planes) * layout.plane_stride + block * block_size,
        block_size);
    const auto column = std::span(codeword).subspan(q * rows, rows);
    std::copy(from.begin(), from.end(), column.begin());
    if (layout.reversed) fold::ReverseTable(column.first(block_size));
    Transform(column);
  }
  return codeword;
}

}  // namespace assay::ntt
