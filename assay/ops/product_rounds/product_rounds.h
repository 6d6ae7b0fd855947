// What playing rounds of the product sum-check on a device means.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/number/gf2_128.h"
#include "assay/ops/product_sumcheck/product_sumcheck.h"

namespace assay::product_rounds {

// A transcript in a device's memory: the proof so far and all that a device
// needs to go on by itself. Where what stands in it, in elements of 16 bytes.
// For d columns of 2^n entries it has TranscriptElements(n, d).
//
// kText: the bytes that are hashed before the next message, at most 124, and
// in word 31 how many they are: docs/engines/binary.md, 2.4, the closed form.
inline constexpr size_t kText = 0;
inline constexpr size_t kTextSizeWord = 31;
// The challenges of rounds that were played and whose variables are not yet
// bound, oldest first.
inline constexpr size_t kChallenges = 8;
inline constexpr size_t kMostPending = 3;
// The claim S, once the first round was played.
inline constexpr size_t kSum = 11;
// Row i, column k: how much the value at node k adds to coefficient i of a
// round's polynomial; d + 1 rows and columns (ops/product_sumcheck).
inline constexpr size_t kWeights = 12;
inline constexpr size_t kMostNodes = product_sumcheck::kMaxFactors + 1;
// Zero between kernels: their sums, and a count of thread blocks.
inline constexpr size_t kScratch = kWeights + kMostNodes * kMostNodes;
inline constexpr size_t kScratchElements = kMostNodes * kMostNodes + 1;
// The n messages of d coefficients each, then the d values that are left.
inline constexpr size_t kTape = 112;
static_assert(kScratch + kScratchElements <= kTape);

constexpr size_t TranscriptElements(size_t n, size_t d) {
  return kTape + d * (n + 1);
}

// A statement has its S here; it is not known before the first round.
inline constexpr size_t kStatementBytes = 80;
inline constexpr size_t kSumInStatement = 32;

// The transcript before the first round. `statement`: its bytes, S left out.
std::vector<Gf2_128> Begin(size_t n, size_t d,
                           std::span<const uint8_t, kStatementBytes> statement);

// Binds the first `bound` pending challenges of the transcript to the highest
// variables of the columns, then plays the next `measured` rounds, the first
// of them number `round`: coefficients go to the tape, challenges are drawn,
// and those of these rounds are pending afterwards. Preconditions: at most
// kMostPending of each, and the columns have so many variables.
void Play(std::span<Gf2_128> transcript, product_sumcheck::Columns& columns,
          size_t bound, size_t measured, size_t round);

// The same for all rounds that are left, then writes the values that are left
// to the tape. Nothing is pending then, and the columns are not needed.
void Close(std::span<Gf2_128> transcript, product_sumcheck::Columns columns,
           size_t bound, size_t round);

}  // namespace assay::product_rounds
