// What Poseidon2 of width 16 over BabyBear computes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "assay/number/babybear.h"

namespace assay::poseidon2 {

inline constexpr int kWidth = 16;
inline constexpr int kRate = 8;
inline constexpr int kDigestSize = 8;
inline constexpr int kHalfFullRounds = 4;
inline constexpr int kPartialRounds = 13;

using State = std::array<BabyBear, kWidth>;
using Digest = std::array<BabyBear, kDigestSize>;

// The permutation (Poseidon2 paper, section 5; constants of Grain LFSR with
// field=1, alpha=7, n=31, t=16, R_F=8, R_P=13). 564 multiplications.
void Permute(State& state);

// Sponge in overwrite mode without padding, rate 8: a short last block
// leaves the other rate cells as they were. ceil(|row| / 8) permutations.
Digest HashRow(std::span<const BabyBear> row);

// The first 8 cells of Permute(left || right).
Digest Compress(const Digest& left, const Digest& right);

}  // namespace assay::poseidon2
