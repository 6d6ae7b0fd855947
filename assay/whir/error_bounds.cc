// The formulas of docs/engines/whir.md, section 7.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/error_bounds.h"

#include <algorithm>
#include <cmath>

namespace assay::whir {
namespace {

constexpr int kMostOodSamples = 63;
// The gap to the list-decoding radius is a tenth of the rate's root.
const double kLogTen = std::log2(10.0);

}  // namespace

ErrorBounds::ErrorBounds(Soundness soundness, int security, int pow,
                         int field_bits)
    : soundness_(soundness),
      security_(security),
      level_(std::max(0, security - pow)),
      field_bits_(field_bits) {}

double ErrorBounds::LogEta(int rate) const {
  const double r = rate;
  return soundness_ == Soundness::kJohnsonBound ? -(r / 2 + kLogTen + 1)
                                                : -(r + kLogTen + 1);
}

double ErrorBounds::ListSize(int variables, int rate) const {
  const double r = rate;
  switch (soundness_) {
    case Soundness::kUniqueDecoding: return 0;
    case Soundness::kJohnsonBound: return r / 2 - (1 + LogEta(rate));
    case Soundness::kCapacityBound: return (variables + r) - LogEta(rate);
  }
  return 0;
}

double ErrorBounds::LogOneMinusDelta(int rate) const {
  const double r = rate;
  switch (soundness_) {
    case Soundness::kUniqueDecoding: return std::log2(1 + std::exp2(-r)) - 1;
    case Soundness::kJohnsonBound: return std::log2(21.0 / 20.0) - r / 2;
    case Soundness::kCapacityBound: return std::log2(21.0 / 20.0) - r;
  }
  return 0;
}

int ErrorBounds::Queries(int rate) const {
  return static_cast<int>(std::ceil(-level_ / LogOneMinusDelta(rate)));
}

double ErrorBounds::QueryBits(int rate, int queries) const {
  return -queries * LogOneMinusDelta(rate);
}

int ErrorBounds::OodSamples(int variables, int rate) const {
  if (soundness_ == Soundness::kUniqueDecoding) return 0;
  const double list = ListSize(variables, rate);
  for (int s = 1; s <= kMostOodSamples; ++s) {
    const double bits =
        s * field_bits_ + 1 - (2 * list + static_cast<double>(variables) * s);
    if (bits >= security_) return s;
  }
  return -1;
}

double ErrorBounds::ProximityGaps(int variables, int rate) const {
  const double m = variables;
  const double r = rate;
  switch (soundness_) {
    case Soundness::kUniqueDecoding: return field_bits_ - (m + r);
    case Soundness::kCapacityBound:
      return field_bits_ - (m + 2 * r - LogEta(rate));
    case Soundness::kJohnsonBound: break;
  }
  if (variables == 0) {
    return field_bits_ - (r + (r + std::log2(1 - std::exp2(-r))) - 1);
  }
  // 10.5 = m' + 1/2 of the proximity gap theorem, with m' = 10 from the gap.
  return field_bits_ - (3 + m + r + 3 * std::log2(10.5) - std::log2(3.0) -
                        (std::log2(1 - std::exp2(-m)) - r));
}

int ErrorBounds::Missing(double bits) const {
  return static_cast<int>(std::ceil(std::max(0.0, security_ - bits)));
}

int ErrorBounds::FoldPow(int variables, int rate) const {
  return Missing(std::min(ProximityGaps(variables, rate),
                          field_bits_ - (ListSize(variables, rate) + 1)));
}

int ErrorBounds::RoundPow(int rate, int queries, int ood, int variables,
                          int new_rate) const {
  const double combination = field_bits_ - (std::log2(ood + queries) +
                                            ListSize(variables, new_rate) + 1);
  return Missing(std::min(QueryBits(rate, queries), combination));
}

int ErrorBounds::FinalPow(int rate, int queries) const {
  return Missing(QueryBits(rate, queries));
}

int ErrorBounds::FinalFoldPow() const { return Missing(field_bits_ - 1); }

double ErrorBounds::ClaimBits(int claim_bits, int claims, int variables,
                              int rate) const {
  return claim_bits - std::log2(claims - 1) - ListSize(variables, rate);
}

}  // namespace assay::whir
