// Computes the constants of the vector forms of Poseidon2.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/poseidon2/poseidon2_lanes.h"

namespace assay::poseidon2 {

BabyBear InternalDiagonal(int i) {
  const BabyBear one = BabyBear::One();
  const BabyBear half = BabyBear::From(2).Inverse();
  switch (i) {
    case 0: return -BabyBear::From(2);
    case 1: return one;
    case 2: return BabyBear::From(2);
    case 3: return half;
    case 4: return BabyBear::From(3);
    case 5: return BabyBear::From(4);
    case 6: return -half;
    case 7: return -BabyBear::From(3);
    case 8: return -BabyBear::From(4);
    case 9: return half.Pow(8);
    case 10: return half.Pow(2);
    case 11: return half.Pow(3);
    case 12: return half.Pow(27);
    case 13: return -half.Pow(8);
    case 14: return -half.Pow(4);
    default: return -half.Pow(27);
  }
}

namespace {

// x with External(x) = y: External is (I + J) times M4 in each group, over
// four groups, so its inverse is M4^-1 times (I - J / 5).
void InvertExternal(BabyBear y[16]) {
  const BabyBear fifth = BabyBear::From(5).Inverse();
  BabyBear column[4] = {};
  for (int i = 0; i < 16; ++i) column[i % 4] += y[i];
  BabyBear z[16] = {};
  for (int i = 0; i < 16; ++i) z[i] = y[i] - fifth * column[i % 4];
  // Solve M4 x = z in each group by elimination.
  for (int g = 0; g < 16; g += 4) {
    BabyBear m[4][5] = {};
    constexpr uint32_t kRow[4] = {2, 3, 1, 1};
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        m[i][j] = BabyBear::From(kRow[(j - i + 4) % 4]);
      }
      m[i][4] = z[g + i];
    }
    for (int c = 0; c < 4; ++c) {
      // No pivoting: the leading minors of M4 are small units mod p.
      const BabyBear inverse = m[c][c].Inverse();
      for (int j = c; j < 5; ++j) m[c][j] *= inverse;
      for (int i = 0; i < 4; ++i) {
        if (i == c) continue;
        const BabyBear factor = m[i][c];
        for (int j = c; j < 5; ++j) m[i][j] -= factor * m[c][j];
      }
    }
    for (int i = 0; i < 4; ++i) y[g + i] = m[i][4];
  }
}

uint64_t AtScale52(BabyBear x) {
  return (x * BabyBear::From(2).Pow(52)).Canonical();
}

WideConstants::Factor MakeFactor(BabyBear x) {
  const uint64_t value = x.Canonical();
  return {value,
          static_cast<uint64_t>((static_cast<unsigned __int128>(value) << 52) /
                                BabyBear::kPrime)};
}

WideConstants MakeWideConstants() {
  WideConstants result = {};
  for (int i = 0; i < 16; ++i) {
    result.first[i] = AtScale52(BabyBear::From(kExternalInitial[0][i]));
    result.middle[i] = AtScale52(BabyBear::From(kExternalFinal[0][i]));
  }
  for (int r = 0; r < 8; ++r) {
    BabyBear next[16] = {};
    if (r == 3) {
      next[0] = BabyBear::From(kInternal[0]);
    } else if (r != 7) {
      for (int i = 0; i < 16; ++i) {
        next[i] = BabyBear::From(r < 3 ? kExternalInitial[r + 1][i]
                                       : kExternalFinal[r - 3][i]);
      }
    }
    InvertExternal(next);
    for (int i = 0; i < 16; ++i) {
      result.after[r][i] = BabyBear::kPrime + AtScale52(next[i]);
    }
  }
  for (int r = 0; r < 13; ++r) {
    // 2p covers the S-box output that is subtracted.
    result.partial[r] = 2 * uint64_t{BabyBear::kPrime};
    if (r < 12) {
      result.partial[r] += AtScale52(BabyBear::From(kInternal[r + 1]));
    }
  }
  for (int i = 0; i < 16; ++i) {
    result.diagonal[i] = MakeFactor(InternalDiagonal(i));
  }
  result.enter = MakeFactor(BabyBear::From(1u << 20));
  result.leave = MakeFactor(BabyBear::From(1u << 20).Inverse());
  // Cell 8 is below 4p, 18p, 74p before rounds 1, 2, 3 of four.
  constexpr uint64_t kCover[4] = {0, 16, 72, 296};
  for (int i = 0; i < 4; ++i) result.cover[i] = kCover[i] * BabyBear::kPrime;
  for (uint64_t i = 0; i < 5; ++i) {
    result.negative[i] = (uint64_t{1} << 52) - i;
  }
  return result;
}

}  // namespace

const WideConstants kWideConstants = MakeWideConstants();

}  // namespace assay::poseidon2
