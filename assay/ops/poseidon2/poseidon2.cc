// Poseidon2 of width 16 over BabyBear, one state at a time.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/poseidon2/poseidon2.h"

#include <algorithm>

#include "assay/ops/poseidon2/poseidon2_constants.h"

namespace assay::poseidon2 {
namespace {

struct RoundConstants {
  BabyBear initial[kHalfFullRounds][kWidth];
  BabyBear internal[kPartialRounds];
  BabyBear final[kHalfFullRounds][kWidth];
};

constexpr RoundConstants MakeRoundConstants() {
  RoundConstants constants = {};
  for (int r = 0; r < kHalfFullRounds; ++r) {
    for (int i = 0; i < kWidth; ++i) {
      constants.initial[r][i] = BabyBear::From(kExternalInitial[r][i]);
      constants.final[r][i] = BabyBear::From(kExternalFinal[r][i]);
    }
  }
  for (int r = 0; r < kPartialRounds; ++r) {
    constants.internal[r] = BabyBear::From(kInternal[r]);
  }
  return constants;
}

constexpr RoundConstants kConstants = MakeRoundConstants();

// The internal matrix is the all-ones matrix plus this diagonal:
// [-2, 1, 2, 1/2, 3, 4, -1/2, -3, -4, 2^-8, 1/4, 1/8, 2^-27, -2^-8, -1/16,
// -2^-27] (docs/engines/whir.md, section 2).
constexpr std::array<BabyBear, kWidth> MakeDiagonal() {
  const auto inverse_power = [](int k) {
    return BabyBear::From(2).Pow(k).Inverse();
  };
  return {-BabyBear::From(2), BabyBear::One(),    BabyBear::From(2),
          inverse_power(1),   BabyBear::From(3),  BabyBear::From(4),
          -inverse_power(1),  -BabyBear::From(3), -BabyBear::From(4),
          inverse_power(8),   inverse_power(2),   inverse_power(3),
          inverse_power(27),  -inverse_power(8),  -inverse_power(4),
          -inverse_power(27)};
}

constexpr std::array<BabyBear, kWidth> kDiagonal = MakeDiagonal();

BabyBear Pow7(BabyBear x) {
  const BabyBear x2 = x * x;
  return (x2 * x2) * (x2 * x);  // three products deep
}

// M4 on each group of four, then each cell gains the sum of its column over
// the groups (Poseidon2 paper, section 5.1).
void ExternalLayer(State& s) {
  for (int g = 0; g < kWidth; g += 4) {
    const BabyBear t01 = s[g] + s[g + 1];
    const BabyBear t23 = s[g + 2] + s[g + 3];
    const BabyBear sum = t01 + t23;
    const BabyBear sum1 = sum + s[g + 1];
    const BabyBear sum3 = sum + s[g + 3];
    s[g + 3] = sum3 + (s[g] + s[g]);
    s[g + 1] = sum1 + (s[g + 2] + s[g + 2]);
    s[g] = sum1 + t01;
    s[g + 2] = sum3 + t23;
  }
  for (int j = 0; j < 4; ++j) {
    const BabyBear column = s[j] + s[j + 4] + s[j + 8] + s[j + 12];
    for (int g = 0; g < kWidth; g += 4) s[g + j] += column;
  }
}

void InternalLayer(State& s) {
  // Sixteen residues fit a 64-bit word, and Reduce(sum * R^2) would be one
  // product more than a remainder of the small sum.
  uint64_t total = 0;
  for (const BabyBear x : s) total += x.residue;
  const auto sum = BabyBear::FromResidue(
      static_cast<uint32_t>(total % BabyBear::kPrime));
  for (int i = 0; i < kWidth; ++i) s[i] = sum + kDiagonal[i] * s[i];
}

void FullRound(State& s, const BabyBear (&constants)[kWidth]) {
  for (int i = 0; i < kWidth; ++i) s[i] = Pow7(s[i] + constants[i]);
  ExternalLayer(s);
}

}  // namespace

void Permute(State& state) {
  ExternalLayer(state);
  for (const auto& constants : kConstants.initial) FullRound(state, constants);
  for (const BabyBear constant : kConstants.internal) {
    state[0] = Pow7(state[0] + constant);
    InternalLayer(state);
  }
  for (const auto& constants : kConstants.final) FullRound(state, constants);
}

Digest HashRow(std::span<const BabyBear> row) {
  State state = {};
  while (!row.empty()) {
    const size_t taken = std::min<size_t>(kRate, row.size());
    std::copy_n(row.begin(), taken, state.begin());
    row = row.subspan(taken);
    Permute(state);
  }
  Digest digest;
  std::copy_n(state.begin(), kDigestSize, digest.begin());
  return digest;
}

Digest Compress(const Digest& left, const Digest& right) {
  State state;
  std::copy(left.begin(), left.end(), state.begin());
  std::copy(right.begin(), right.end(), state.begin() + kDigestSize);
  Permute(state);
  Digest digest;
  std::copy_n(state.begin(), kDigestSize, digest.begin());
  return digest;
}

}  // namespace assay::poseidon2
