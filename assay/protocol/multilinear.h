// Multilinear tables, their values at points and the weights of claims.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "assay/number/ext4.h"

namespace assay {

// Everywhere: a table of 2^m values is indexed by the variables as bits,
// x_0 the most significant (docs/engines/whir.md, section 5).

// prod (z_i x_i + (1 - z_i)(1 - x_i)). Precondition: equal sizes. Two
// products a variable. Its table over all x is fold::EqWeights(z).
Ext4 Eq(std::span<const Ext4> z, std::span<const Ext4> x);

// The value at `point` of the multilinear extension of a table. Precondition:
// |table| = 2^|point|. Cost: |table| products; memory: |table| / 2 values.
Ext4 EvalBase(std::span<const BabyBear> table, std::span<const Ext4> point);
Ext4 EvalExt(std::span<const Ext4> table, std::span<const Ext4> point);

// (z^(2^(m-1)), ..., z^4, z^2, z): the point that a drawn z stands for.
std::vector<Ext4> Expand(const Ext4& z, int m);

// The multilinear extension at x of the table b -> y^b:
// prod_j (x_{m-1-j} (y^(2^j) - 1) + 1). Two products a variable.
Ext4 Select(BabyBear y, std::span<const Ext4> x);

// sum_b coefficients[b] y^b by Horner's rule.
Ext4 EvalUnivariate(std::span<const Ext4> coefficients, BabyBear y);

}  // namespace assay
