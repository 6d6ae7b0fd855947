// The first rounds of the sum-check on sums that stand for the whole table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "assay/number/ext4.h"
#include "assay/whir/tables.h"
#include "assay/whir/verify.h"

namespace assay::whir {

// A claim about the base table while its first variables are bound. With
// weight eq(point, b) = eq(top, c) eq(rest, i) for b = (c, i), the sum over i
// can be taken before any variable is bound: sums[c] = sum_i f(c, i)
// eq(rest, i) is multilinear in c, so the rounds run on 2^fold values instead
// of 2^n (compare the univariate skips of Gruen, "Some improvements for the
// PIOP for ZeroCheck", section 3).
struct PartialClaim {
  Point point;                // in the order of the device's table
  std::vector<Ext4> sums;     // f bound so far, 2^remaining entries
  std::vector<Ext4> weights;  // eq(top, .) bound so far, as many
  Ext4 coefficient;           // in the batch

  // The claimed value, before any binding: sum_c sums[c] eq(top, c).
  Ext4 Value() const;
};

// The batch's round message.
RoundMessage MeasureClaims(const std::vector<PartialClaim>& claims);

// Binds the top variable of every claim to r.
void BindClaims(std::vector<PartialClaim>& claims, const Ext4& r);

}  // namespace assay::whir
