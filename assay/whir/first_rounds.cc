// Rounds over 2^fold sums a claim, on the host.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/first_rounds.h"

namespace assay::whir {
namespace {

void Bind(std::vector<Ext4>& table, const Ext4& r) {
  const size_t half = table.size() / 2;
  for (size_t i = 0; i < half; ++i) {
    table[i] += r * (table[i + half] - table[i]);
  }
  table.resize(half);
}

}  // namespace

Ext4 PartialClaim::Value() const {
  Ext4 value;
  for (size_t c = 0; c < sums.size(); ++c) value += sums[c] * weights[c];
  return value;
}

RoundMessage MeasureClaims(const std::vector<PartialClaim>& claims) {
  RoundMessage message;
  for (const PartialClaim& claim : claims) {
    const size_t half = claim.sums.size() / 2;
    Ext4 at_zero;
    Ext4 leading;
    for (size_t i = 0; i < half; ++i) {
      at_zero += claim.sums[i] * claim.weights[i];
      leading += (claim.sums[i + half] - claim.sums[i]) *
                 (claim.weights[i + half] - claim.weights[i]);
    }
    message.at_zero += claim.coefficient * at_zero;
    message.leading += claim.coefficient * leading;
  }
  return message;
}

void BindClaims(std::vector<PartialClaim>& claims, const Ext4& r) {
  for (PartialClaim& claim : claims) {
    Bind(claim.sums, r);
    Bind(claim.weights, r);
  }
}

}  // namespace assay::whir
