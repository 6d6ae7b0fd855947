// Poseidon2 of width 16 over BabyBear, one state at a time.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/poseidon2/poseidon2.h"

#include <algorithm>

#include "assay/ops/poseidon2/poseidon2_constants.h"

namespace assay::poseidon2 {
namespace {

constexpr auto kSignedPrime = static_cast<int32_t>(BabyBear::kPrime);

// Residues, those of internal rounds less p: added to a residue these give a
// number in [-p, p).
struct RoundConstants {
  uint32_t initial[kHalfFullRounds][kWidth];
  int32_t internal[kPartialRounds];
  uint32_t final[kHalfFullRounds][kWidth];
};

constexpr uint32_t Residue(uint32_t canonical) {
  return BabyBear::From(canonical).residue;
}

constexpr RoundConstants MakeRoundConstants() {
  RoundConstants constants = {};
  for (int r = 0; r < kHalfFullRounds; ++r) {
    for (int i = 0; i < kWidth; ++i) {
      constants.initial[r][i] = Residue(kExternalInitial[r][i]);
      constants.final[r][i] = Residue(kExternalFinal[r][i]);
    }
  }
  for (int r = 0; r < kPartialRounds; ++r) {
    constants.internal[r] =
        static_cast<int32_t>(Residue(kInternal[r])) - kSignedPrime;
  }
  return constants;
}

constexpr RoundConstants kConstants = MakeRoundConstants();

// x y 2^-32 mod p in (-p, p) for x and y in [-p, p]: without the sign a
// correction would follow each product.
int32_t SignedProduct(int32_t x, int32_t y) {
  const int64_t product = static_cast<int64_t>(x) * y;
  const auto q =
      static_cast<int32_t>(static_cast<uint32_t>(product) * BabyBear::kInverse);
  return static_cast<int32_t>(
      (product - static_cast<int64_t>(q) * BabyBear::kPrime) >> 32);
}

// (x + constant)^7, where `shifted` is the constant's residue less p.
BabyBear Pow7(BabyBear x, int32_t shifted) {
  const int32_t y = static_cast<int32_t>(x.residue) + shifted;
  const int32_t y2 = SignedProduct(y, y);
  const int32_t y7 = SignedProduct(SignedProduct(y2, y2), SignedProduct(y2, y));
  // A branch on this sign would be mispredicted half of the time.
  return BabyBear::FromResidue(
      static_cast<uint32_t>(y7 + ((y7 >> 31) & kSignedPrime)));
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

// Products of sixteen pairs in a loop that compilers turn into vectors.
void MultiplyAll(uint32_t (&r)[kWidth], const uint32_t (&x)[kWidth],
                 const uint32_t (&y)[kWidth]) {
  for (int i = 0; i < kWidth; ++i) {
    const uint64_t product = static_cast<uint64_t>(x[i]) * y[i];
    const uint32_t q = static_cast<uint32_t>(product) * BabyBear::kInverse;
    const auto high = static_cast<uint32_t>(product >> 32);
    const auto qp = static_cast<uint32_t>(
        (static_cast<uint64_t>(q) * BabyBear::kPrime) >> 32);
    const uint32_t difference = high - qp;
    r[i] = difference + (BabyBear::kPrime & -static_cast<uint32_t>(high < qp));
  }
}

BabyBear Double(BabyBear x) { return x + x; }

// x 2^-k, 1 <= k <= 27: with x = high 2^k + low and p = 15 * 2^27 + 1 it is
// high - low * 15 * 2^(27-k), of which both parts are below p.
template <int k>
BabyBear Divide(BabyBear x) {
  constexpr uint32_t kLow = (uint32_t{1} << k) - 1;
  constexpr uint32_t kFactor = uint32_t{15} << (27 - k);
  return BabyBear::FromResidue(x.residue >> k) -
         BabyBear::FromResidue((x.residue & kLow) * kFactor);
}

// One internal round. The matrix is the all-ones matrix plus the diagonal
// [-2, 1, 2, 1/2, 3, 4, -1/2, -3, -4, 2^-8, 1/4, 1/8, 2^-27, -2^-8, -1/16,
// -2^-27] (docs/engines/whir.md, section 2).
void PartialRound(State& s, int32_t constant) {
  // The cells that wait for no S-box are summed beside it.
  uint64_t total = 0;
  for (int i = 1; i < kWidth; ++i) total += s[i].residue;
  const auto rest =
      BabyBear::FromResidue(static_cast<uint32_t>(total % BabyBear::kPrime));
  const BabyBear s0 = Pow7(s[0], constant);
  const BabyBear sum = rest + s0;
  s[0] = rest - s0;
  s[1] = sum + s[1];
  s[2] = sum + Double(s[2]);
  s[3] = sum + Divide<1>(s[3]);
  s[4] = sum + (Double(s[4]) + s[4]);
  s[5] = sum + Double(Double(s[5]));
  s[6] = sum - Divide<1>(s[6]);
  s[7] = sum - (Double(s[7]) + s[7]);
  s[8] = sum - Double(Double(s[8]));
  s[9] = sum + Divide<8>(s[9]);
  s[10] = sum + Divide<2>(s[10]);
  s[11] = sum + Divide<3>(s[11]);
  s[12] = sum + Divide<27>(s[12]);
  s[13] = sum - Divide<8>(s[13]);
  s[14] = sum - Divide<4>(s[14]);
  s[15] = sum - Divide<27>(s[15]);
}

// One external round.
void FullRound(State& s, const uint32_t (&constants)[kWidth]) {
  uint32_t x[kWidth], x2[kWidth], x3[kWidth], x4[kWidth], x7[kWidth];
  for (int i = 0; i < kWidth; ++i) {
    x[i] = (s[i] + BabyBear::FromResidue(constants[i])).residue;
  }
  MultiplyAll(x2, x, x);
  MultiplyAll(x3, x2, x);
  MultiplyAll(x4, x2, x2);
  MultiplyAll(x7, x3, x4);
  for (int i = 0; i < kWidth; ++i) s[i].residue = x7[i];
  ExternalLayer(s);
}

}  // namespace

void Permute(State& state) {
  ExternalLayer(state);
  for (const auto& constants : kConstants.initial) FullRound(state, constants);
  for (const int32_t constant : kConstants.internal) {
    PartialRound(state, constant);
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
