// Deterministic polynomials and points, for tests, benches and the referee.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "assay/number/ext4.h"

namespace assay::whir {

// SplitMix64 output i of `seed`, mod p (docs/engines/whir.md,
// section 12).
BabyBear Stream(uint64_t seed, uint64_t i);

// f[b] = Stream(seed, b), 2^n values.
std::vector<BabyBear> SeedEvals(uint64_t seed, int n);

}  // namespace assay::whir
