// Poseidon2's round constants as the vector kernels add them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/number/babybear.h"
#include "assay/ops/poseidon2/poseidon2_constants.h"

namespace assay::poseidon2 {

// Residues less p: added to a canonical residue they give a number in
// [-p, p), which the vector S-box takes as it is.
struct LaneConstants {
  uint32_t external[8][16] = {};
  uint32_t internal[13] = {};
};

constexpr LaneConstants MakeLaneConstants() {
  LaneConstants result;
  for (int r = 0; r < 4; ++r) {
    for (int i = 0; i < 16; ++i) {
      result.external[r][i] =
          BabyBear::From(kExternalInitial[r][i]).residue - BabyBear::kPrime;
      result.external[4 + r][i] =
          BabyBear::From(kExternalFinal[r][i]).residue - BabyBear::kPrime;
    }
  }
  for (int r = 0; r < 13; ++r) {
    result.internal[r] =
        BabyBear::From(kInternal[r]).residue - BabyBear::kPrime;
  }
  return result;
}

inline constexpr LaneConstants kLaneConstants = MakeLaneConstants();

}  // namespace assay::poseidon2
