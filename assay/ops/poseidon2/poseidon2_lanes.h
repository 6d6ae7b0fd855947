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

// d_i of the internal layer, sum + d_i s_i (Poseidon2 paper, section 5.2).
BabyBear InternalDiagonal(int i);

// Constants of the 52-bit kernels, at the scale 2^52 (an element x stands as
// the integer x * 2^52 mod p). Defined out of line on purpose: a compiler
// that knew the values would build them in general registers and move them
// over the port that shuffles need.
struct WideConstants {
  struct Factor {
    uint64_t value;     // below p
    uint64_t quotient;  // floor(value * 2^52 / p)
  };
  uint64_t first[16];     // round 0, added after the first layer
  uint64_t after[8][16];  // p + what S-box outputs of round r gain
  uint64_t partial[13];   // 2p + constant of round r + 1
  uint64_t middle[16];    // round 4
  Factor diagonal[16];    // of the internal layer
  Factor enter;           // 2^20: from scale 2^32 to 2^52
  Factor leave;           // 2^-20
  uint64_t cover[4];      // by round mod 4: what is added before subtracting
  uint64_t negative[5];   // -i mod 2^52
};
extern const WideConstants kWideConstants;

}  // namespace assay::poseidon2
