// Folds and weights, one entry after the other.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/fold/fold.h"

#include <bit>
#include <utility>

#include "assay/base/bits.h"

namespace assay::fold {

void ReverseTable(std::span<BabyBear> table) {
  const int bits = std::bit_width(table.size()) - 1;
  for (size_t i = 0; i < table.size(); ++i) {
    const size_t j = ReverseBits(i, bits);
    if (i < j) std::swap(table[i], table[j]);
  }
}

std::vector<Ext4> FoldBase(std::span<const BabyBear> table,
                           std::span<const Ext4> weights) {
  std::vector<Ext4> out(table.size() / weights.size());
  for (size_t c = 0; c < weights.size(); ++c) {
    for (size_t i = 0; i < out.size(); ++i) {
      out[i] += weights[c] * table[c * out.size() + i];
    }
  }
  return out;
}

std::vector<Ext4> EqWeights(std::span<const Ext4> z) {
  std::vector<Ext4> weights(size_t{1} << z.size());
  weights[0] = Ext4::One();
  size_t size = 1;
  for (const Ext4& x : z) {
    // Backwards: entry b moves to 2 b and 2 b + 1.
    for (size_t b = size; b-- > 0;) {
      const Ext4 value = weights[b];
      weights[2 * b + 1] = value * x;
      weights[2 * b] = value - weights[2 * b + 1];
    }
    size *= 2;
  }
  return weights;
}

std::vector<Ext4> ProductWeights(std::span<const Ext4> low,
                                 std::span<const Ext4> high) {
  std::vector<Ext4> weights;
  weights.reserve(low.size() * high.size());
  for (const Ext4& h : high) {
    for (const Ext4& l : low) weights.push_back(h * l);
  }
  return weights;
}

std::vector<Ext4> SelectWeights(std::span<const BabyBear> y,
                                std::span<const Ext4> coefficients,
                                int log_size, bool reversed) {
  std::vector<Ext4> weights(size_t{1} << log_size);
  for (size_t j = 0; j < y.size(); ++j) {
    Ext4 term = coefficients[j];
    for (size_t e = 0; e < weights.size(); ++e) {
      weights[reversed ? ReverseBits(e, log_size) : e] += term;
      term = term * y[j];
    }
  }
  return weights;
}

}  // namespace assay::fold
