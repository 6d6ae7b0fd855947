// What folding a base table and the weights of claims compute.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/number/ext4.h"

namespace assay::fold {

// Moves entry i to i with its bits reversed. Precondition: |table| is a power
// of two.
void ReverseTable(std::span<BabyBear> table);

// out[i] = sum_c weights[c] table[c |out| + i] with |out| = |table| /
// |weights|. With weights = EqWeights(z) this binds the top |z| variables.
std::vector<Ext4> FoldBase(std::span<const BabyBear> table,
                           std::span<const Ext4> weights);

// eq(z, b) for each b below 2^|z|, by doubling; z_0 belongs to the top bit.
// One product an entry.
std::vector<Ext4> EqWeights(std::span<const Ext4> z);

// Entry i of 2^(log high + log low) is high[i >> log low] * low[i mod |low|]:
// a table whose variables fall into two independent parts.
std::vector<Ext4> ProductWeights(std::span<const Ext4> low,
                                 std::span<const Ext4> high);

// Entry i is sum_j coefficients[j] y_j^e for e = i, or i with its bits
// reversed. |y| products with a base element an entry.
std::vector<Ext4> SelectWeights(std::span<const BabyBear> y,
                                std::span<const Ext4> coefficients,
                                int log_size, bool reversed);

}  // namespace assay::fold
