// What the search of a proof of work finds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/ops/poseidon2/poseidon2.h"

namespace assay::grind {

inline constexpr uint32_t kNoWitness = 0xffffffff;

// True if, with cell `position` of the state set to w, the low `bits` bits of
// the canonical value of Permute(state)[7] vanish (docs/engines/whir.md,
// section 3). One permutation.
bool IsWitness(poseidon2::State state, int position, int bits, BabyBear w);

// The smallest canonical witness in [start, start + count), or kNoWitness.
// Precondition: start + count <= p. About 2^bits permutations.
uint32_t SmallestWitness(const poseidon2::State& state, int position, int bits,
                         uint32_t start, uint32_t count);

}  // namespace assay::grind
