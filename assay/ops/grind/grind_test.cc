// Laws of the search of a proof of work.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/grind/grind.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "assay/ops/test_vectors.h"
#include "assay/protocol/challenger.h"

namespace assay::grind {
namespace {

poseidon2::State SomeState(uint64_t seed) {
  poseidon2::State state;
  const auto cells = RandomBases(seed, state.size());
  std::copy(cells.begin(), cells.end(), state.begin());
  return state;
}

TEST(Grind, TheWitnessIsOneAndNoneIsSmaller) {
  const poseidon2::State state = SomeState(1);
  for (int position = 0; position < 8; ++position) {
    const uint32_t found = SmallestWitness(state, position, 6, 0, 1 << 16);
    ASSERT_NE(found, kNoWitness);
    for (uint32_t w = 0; w <= found; ++w) {
      EXPECT_EQ(IsWitness(state, position, 6, BabyBear::From(w)), w == found);
    }
    EXPECT_EQ(SmallestWitness(state, position, 6, 0, found), kNoWitness);
    EXPECT_EQ(SmallestWitness(state, position, 6, found, 1), found);
  }
}

TEST(Grind, EveryCandidateHasNoBits) {
  EXPECT_EQ(SmallestWitness(SomeState(2), 0, 0, 77, 10), 77u);
  EXPECT_EQ(SmallestWitness(SomeState(2), 0, 0, 77, 0), kNoWitness);
}

TEST(Grind, MoreBitsAreHarder) {
  const poseidon2::State state = SomeState(3);
  uint32_t last = 0;
  for (int bits = 0; bits <= 10; ++bits) {
    const uint32_t found = SmallestWitness(state, 7, bits, 0, 1 << 16);
    EXPECT_GE(found, last);
    last = found;
  }
  ASSERT_NE(last, kNoWitness);
}

// Whatever the number of inputs that wait in the sponge.
TEST(Grind, TheChallengerAcceptsTheWitness) {
  DuplexChallenger challenger;
  for (uint32_t i = 0; i < 20; ++i) {
    challenger.Observe(BabyBear::From(i));
    const DuplexChallenger::GrindState start = challenger.PrepareGrind();
    const uint32_t w =
        SmallestWitness(start.state, start.position, 5, 0, 1 << 16);
    DuplexChallenger good = challenger;
    EXPECT_TRUE(good.CheckWitness(5, BabyBear::From(w)));
    if (w == 0) continue;
    DuplexChallenger bad = challenger;
    EXPECT_FALSE(bad.CheckWitness(5, BabyBear::From(w - 1)));
  }
}

}  // namespace
}  // namespace assay::grind
