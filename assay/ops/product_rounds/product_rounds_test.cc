// Laws of rounds that are played on a device.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/product_rounds/product_rounds.h"

#include <gtest/gtest.h>

#include "assay/base/split_mix.h"
#include "assay/protocol/sha256_challenger.h"

namespace assay::product_rounds {
namespace {

namespace ps = product_sumcheck;
using ps::Columns;

Columns RandomColumns(size_t factors, size_t size) {
  Columns columns(factors);
  for (size_t j = 0; j < factors; ++j) {
    for (size_t i = 0; i < size; ++i) {
      columns[j].push_back({SplitMix64(j, 2 * i), SplitMix64(j, 2 * i + 1)});
    }
  }
  return columns;
}

std::array<uint8_t, kStatementBytes> StatementOf(Gf2_128 sum) {
  std::array<uint8_t, kStatementBytes> statement;
  for (size_t i = 0; i < statement.size(); ++i) {
    statement[i] = static_cast<uint8_t>(SplitMix64(5, i));
  }
  sum.ToBytes(std::span<uint8_t, 16>(statement.data() + kSumInStatement, 16));
  return statement;
}

// The tape as a prover with the challenger plays it.
std::vector<Gf2_128> TapeOf(Columns columns) {
  std::vector<Gf2_128> tape;
  Sha256Challenger challenger;
  challenger.Observe(StatementOf(ps::Sum(columns)));
  while (columns[0].size() > 1) {
    std::vector<Gf2_128> message = ps::Round(columns);
    message.pop_back();
    for (const Gf2_128& x : message) {
      challenger.Observe(x);
      tape.push_back(x);
    }
    const Gf2_128 r = challenger.SampleElement();
    for (auto& column : columns) ps::Bind(column, r);
  }
  for (const auto& column : columns) tape.push_back(column[0]);
  return tape;
}

// Plays n rounds in passes of `pass` rounds, closes those that are left.
std::vector<Gf2_128> Played(Columns columns, size_t n, size_t pass,
                            size_t passes) {
  auto transcript = Begin(n, columns.size(), StatementOf(Gf2_128::Zero()));
  size_t pending = 0;
  for (size_t k = 0; k < passes; ++k) {
    Play(transcript, columns, pending, pass, k * pass);
    pending = pass;
  }
  Close(transcript, columns, pending, passes * pass);
  return transcript;
}

TEST(ProductRounds, TheTapeIsThatOfTheChallenger) {
  for (size_t d = 1; d <= ps::kMaxFactors; ++d) {
    for (size_t n = 1; n <= 7; ++n) {
      const Columns columns = RandomColumns(d, size_t{1} << n);
      const auto transcript = Played(columns, n, 0, 0);
      ASSERT_EQ(transcript.size(), TranscriptElements(n, d));
      EXPECT_EQ(transcript[kSum], ps::Sum(columns));
      EXPECT_EQ(std::vector(transcript.begin() + kTape, transcript.end()),
                TapeOf(columns));
    }
  }
}

TEST(ProductRounds, HowRoundsAreSharedOutDoesNotMatter) {
  const Columns columns = RandomColumns(2, 64);
  const auto expected = Played(columns, 6, 0, 0);
  for (const auto& [pass, passes] :
       {std::pair{1, 1}, {1, 6}, {2, 1}, {2, 3}, {3, 1}, {3, 2}}) {
    auto transcript = Played(columns, 6, static_cast<size_t>(pass),
                             static_cast<size_t>(passes));
    // Older challenges may still stand there.
    std::copy_n(expected.begin() + kChallenges, kMostPending,
                transcript.begin() + kChallenges);
    EXPECT_EQ(transcript, expected) << pass << " " << passes;
  }
}

TEST(ProductRounds, WeightsInterpolateWhatWasMeasured) {
  for (size_t d = 1; d <= ps::kMaxFactors; ++d) {
    const auto transcript = Begin(3, d, StatementOf(Gf2_128::Zero()));
    std::vector<Gf2_128> values;
    for (size_t k = 0; k <= d; ++k) values.push_back({SplitMix64(d, k), k});
    const std::vector<Gf2_128> expected = ps::Interpolate(values);
    for (size_t i = 0; i <= d; ++i) {
      Gf2_128 sum;
      for (size_t k = 0; k <= d; ++k) {
        sum += transcript[kWeights + i * (d + 1) + k] * values[k];
      }
      EXPECT_EQ(sum, expected[i]);
    }
  }
}

}  // namespace
}  // namespace assay::product_rounds
