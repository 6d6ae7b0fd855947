// Laws of the deterministic instances.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/instance.h"

#include <gtest/gtest.h>

#include "assay/whir/test_vectors.h"

namespace assay::whir {
namespace {

TEST(Instance, StreamsAreThePeers) {
  const auto vectors = ReadVectors("stream.json");
  for (const auto& stream : vectors["streams"]) {
    const auto seed = stream["seed"].get<uint64_t>();
    const auto first = stream["first"].get<std::vector<uint32_t>>();
    for (size_t i = 0; i < first.size(); ++i) {
      EXPECT_EQ(Stream(seed, i).Canonical(), first[i]);
    }
    const auto evals = SeedEvals(seed, 2);
    ASSERT_EQ(evals.size(), 4u);
    EXPECT_EQ(evals[3], Stream(seed, 3));
  }
}

TEST(Instance, PointsAreThePeers) {
  const auto vector = ReadVectors("stream.json")["point_n3_t0_seed7"];
  const std::vector<Point> points = SeedPoints(7, 3, 2);
  ASSERT_EQ(points.size(), 2u);
  for (size_t j = 0; j < 3; ++j) {
    for (size_t l = 0; l < 4; ++l) {
      EXPECT_EQ(points[0][j].c[l].Canonical(), vector[j][l]);
    }
  }
  const uint64_t tag = 0x504F494E54535F31;
  EXPECT_EQ(points[1][2].c[3], Stream(7 ^ tag, (1 * 3 + 2) * 4 + 3));
}

}  // namespace
}  // namespace assay::whir
