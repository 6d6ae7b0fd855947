// What a caller may set about a WHIR proof.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace assay::whir {

// UD and JB are proven bounds; CB rests on a conjecture (list decoding up to
// capacity).
enum class Soundness : uint8_t {
  kUniqueDecoding,
  kJohnsonBound,
  kCapacityBound
};
// Which variables are folded first.
enum class Order : uint8_t { kPrefix, kSuffix };
// Whether the transcript draws the points or the caller gives them.
enum class Mode : uint8_t { kDrawn, kGiven };

// The limits of each parameter by itself. A grinding witness is one base
// element, so that no more than 30 bits can be ground.
inline constexpr int kMaxVariables = 40;
inline constexpr int kMaxFold = 16;
inline constexpr int kMaxRate = 27;
inline constexpr int kMaxSecurity = 160;
inline constexpr int kMaxPow = 30;
inline constexpr int kMaxPoints = 4096;
// Folding stops once this many variables or fewer are left.
inline constexpr int kMostFinalVariables = 6;

// The public parameters: everything the 64-byte header holds but the seed.
struct Parameters {
  int n = 0;     // variables, 1..40 in a header
  int fold = 4;  // variables folded in one round
  int rate = 1;  // log2 of the inverse code rate
  Soundness soundness = Soundness::kJohnsonBound;
  int security = 90;  // bits for each error term
  int pow = 16;       // most bits of grinding in one place
  int points = 1;
  Order order = Order::kPrefix;
  Mode mode = Mode::kGiven;
  // 0: the domain halves in each round. Else the first rate is
  // rate + k_0 - reduction and the later ones halve the domain.
  int reduction = 0;
  // Not in the header: explicit rates r_1, r_2, ... (library callers only);
  // empty means `reduction` decides. Must name one rate a round.
  std::vector<int> round_rates;

  friend bool operator==(const Parameters&, const Parameters&) = default;
};

}  // namespace assay::whir
