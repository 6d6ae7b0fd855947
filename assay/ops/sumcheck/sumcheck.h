// What a round of the quadratic sum-check computes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/number/ext4.h"

namespace assay::sumcheck {

// Which variable is bound first: that of the top bit of the index, whose
// halves are the low and the high entries, or that of the lowest bit, whose
// halves are the even and the odd ones (docs/engines/whir.md, section 9).
enum class Order : uint8_t { kPrefix, kSuffix };

// h(X) = sum_i f(X, i) w(X, i) without the part that the claim implies.
struct Message {
  Ext4 h0;    // h(0)
  Ext4 hinf;  // the coefficient of X^2

  friend bool operator==(const Message&, const Message&) = default;
};

// Precondition: both tables hold the same power of two of entries, at least
// two. One product an entry.
Message Round(std::span<const Ext4> f, std::span<const Ext4> w, Order order);

// Binds the first variable to r, which halves the table.
void Bind(std::vector<Ext4>& table, const Ext4& r, Order order);

// h(r), given that h(0) + h(1) = claim.
Ext4 NextClaim(const Ext4& claim, const Message& message, const Ext4& r);

// sum_i f[i] w[i]: the claim before the first round.
Ext4 Dot(std::span<const Ext4> f, std::span<const Ext4> w);

}  // namespace assay::sumcheck
