// Rounds over 2^fold sums a claim, on the host.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/first_rounds.h"

#include "assay/ops/sumcheck/sumcheck.h"

namespace assay::whir {
namespace {

// In table order the first variable is always that of the top bit.
constexpr auto kOrder = sumcheck::Order::kPrefix;

}  // namespace

Ext4 PartialClaim::Value() const { return sumcheck::Dot(sums, weights); }

RoundMessage MeasureClaims(const std::vector<PartialClaim>& claims) {
  RoundMessage message;
  for (const PartialClaim& claim : claims) {
    const auto [at_zero, leading] =
        sumcheck::Round(claim.sums, claim.weights, kOrder);
    message.at_zero += claim.coefficient * at_zero;
    message.leading += claim.coefficient * leading;
  }
  return message;
}

void BindClaims(std::vector<PartialClaim>& claims, const Ext4& r) {
  for (PartialClaim& claim : claims) {
    sumcheck::Bind(claim.sums, r, kOrder);
    sumcheck::Bind(claim.weights, r, kOrder);
  }
}

}  // namespace assay::whir
