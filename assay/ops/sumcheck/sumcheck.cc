// Sum-check rounds, one pair of entries after the other.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/sumcheck/sumcheck.h"

#include <cstddef>

namespace assay::sumcheck {
namespace {

// Entries of a table that differ in the first variable alone.
struct Pair {
  size_t at_zero;
  size_t at_one;
};

Pair PairOf(size_t i, size_t half, Order order) {
  return order == Order::kPrefix ? Pair{i, i + half} : Pair{2 * i, 2 * i + 1};
}

}  // namespace

Message Round(std::span<const Ext4> f, std::span<const Ext4> w, Order order) {
  const size_t half = f.size() / 2;
  Message message;
  for (size_t i = 0; i < half; ++i) {
    const auto [zero, one] = PairOf(i, half, order);
    message.h0 += f[zero] * w[zero];
    message.hinf += (f[one] - f[zero]) * (w[one] - w[zero]);
  }
  return message;
}

void Bind(std::vector<Ext4>& table, const Ext4& r, Order order) {
  const size_t half = table.size() / 2;
  for (size_t i = 0; i < half; ++i) {
    const auto [zero, one] = PairOf(i, half, order);
    table[i] = table[zero] + r * (table[one] - table[zero]);
  }
  table.resize(half);
}

Ext4 NextClaim(const Ext4& claim, const Message& message, const Ext4& r) {
  const Ext4 c1 = claim - message.h0 - message.h0 - message.hinf;
  return message.h0 + r * (c1 + r * message.hinf);
}

Ext4 Dot(std::span<const Ext4> f, std::span<const Ext4> w) {
  Ext4 sum;
  for (size_t i = 0; i < f.size(); ++i) sum += f[i] * w[i];
  return sum;
}

}  // namespace assay::sumcheck
