// Powers that weigh queries, made while a device waits for them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/number/babybear.h"
#include "assay/number/ext4.h"

namespace assay::whir {

// g^e for each exponent e < 2^bits, g the generator of order 2^bits: one
// product each, by two tables of the root of that order.
std::vector<BabyBear> PowersOf(int bits, std::span<const uint32_t> exponents);

// first * ratio^j for j < count: one product each, in four chains, since a
// product waits for the one before it.
std::vector<Ext4> Geometric(const Ext4& first, const Ext4& ratio, size_t count);

}  // namespace assay::whir
