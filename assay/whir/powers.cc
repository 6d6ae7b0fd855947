// Tables of powers, and chains of products.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/powers.h"

#include <algorithm>

namespace assay::whir {

std::vector<BabyBear> PowersOf(int bits, std::span<const uint32_t> exponents) {
  const int low_bits = bits / 2;
  const BabyBear g = BabyBear::TwoAdicGenerator(bits);
  const auto table = [](BabyBear base, int log_size) {
    std::vector<BabyBear> powers(size_t{1} << log_size, BabyBear::One());
    for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * base;
    return powers;
  };
  // Few exponents are cheaper one by one.
  if (exponents.size() << 4 < size_t{1} << (bits - low_bits)) {
    std::vector<BabyBear> powers;
    for (const uint32_t e : exponents) powers.push_back(g.Pow(e));
    return powers;
  }
  const std::vector<BabyBear> low = table(g, low_bits);
  const std::vector<BabyBear> high =
      table(g.Pow(uint64_t{1} << low_bits), bits - low_bits);
  std::vector<BabyBear> powers;
  for (const uint32_t e : exponents) {
    powers.push_back(low[e & (low.size() - 1)] * high[e >> low_bits]);
  }
  return powers;
}

std::vector<Ext4> Geometric(const Ext4& first, const Ext4& ratio,
                            size_t count) {
  constexpr size_t kChains = 4;
  std::vector<Ext4> values(count);
  Ext4 next = first;
  for (size_t j = 0; j < std::min(count, kChains); ++j, next *= ratio) {
    values[j] = next;
  }
  const Ext4 square = ratio * ratio;
  const Ext4 stride = square * square;
  for (size_t j = kChains; j < count; ++j) {
    values[j] = values[j - kChains] * stride;
  }
  return values;
}

}  // namespace assay::whir
