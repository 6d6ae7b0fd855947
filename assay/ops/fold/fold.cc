// Folds and weights, one entry after the other.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/fold/fold.h"

#include <bit>
#include <utility>

namespace assay::fold {

size_t ReverseBits(size_t i, int bits) {
  size_t reversed = 0;
  for (int b = 0; b < bits; ++b) reversed |= (i >> b & 1) << (bits - 1 - b);
  return reversed;
}

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
  std::vector<Ext4> weights = {Ext4::One()};
  for (const Ext4& x : z) {
    std::vector<Ext4> doubled(2 * weights.size());
    for (size_t b = 0; b < weights.size(); ++b) {
      doubled[2 * b + 1] = weights[b] * x;
      doubled[2 * b] = weights[b] - doubled[2 * b + 1];
    }
    weights = std::move(doubled);
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
