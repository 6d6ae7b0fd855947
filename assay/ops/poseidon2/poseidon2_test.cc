// Laws of the scalar Poseidon2: the published vectors.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/poseidon2/poseidon2.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "assay/ops/poseidon2/poseidon2_constants.h"

namespace assay::poseidon2 {
namespace {

nlohmann::json Vectors(const char* name) {
  std::ifstream file(std::string(ASSAY_TESTDATA "/whir/") + name);
  return nlohmann::json::parse(file);
}

template <class Cells>
Cells FromJson(const nlohmann::json& values) {
  Cells cells = {};
  for (size_t i = 0; i < cells.size(); ++i) {
    cells[i] = BabyBear::From(values[i].get<uint32_t>());
  }
  return cells;
}

TEST(Poseidon2, ConstantsAreThePublishedOnes) {
  const auto vectors = Vectors("poseidon2_16.json");
  for (int r = 0; r < kHalfFullRounds; ++r) {
    for (int i = 0; i < kWidth; ++i) {
      EXPECT_EQ(kExternalInitial[r][i], vectors["rc_external_initial"][r][i]);
      EXPECT_EQ(kExternalFinal[r][i], vectors["rc_external_final"][r][i]);
    }
  }
  for (int r = 0; r < kPartialRounds; ++r) {
    EXPECT_EQ(kInternal[r], vectors["rc_internal"][r]);
  }
}

TEST(Poseidon2, PermutesPublishedVectors) {
  const auto vectors = Vectors("poseidon2_16.json");
  ASSERT_FALSE(vectors["permutation"].empty());
  for (const auto& vector : vectors["permutation"]) {
    State state = FromJson<State>(vector["in"]);
    Permute(state);
    EXPECT_EQ(state, FromJson<State>(vector["out"]));
  }
}

TEST(Poseidon2, HashesRowsOfAnyLength) {
  const auto vectors = Vectors("sponge.json");
  ASSERT_FALSE(vectors["hash"].empty());
  for (const auto& vector : vectors["hash"]) {
    std::vector<BabyBear> row(vector["in"].size());
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = BabyBear::From(vector["in"][i].get<uint32_t>());
    }
    EXPECT_EQ(HashRow(row), FromJson<Digest>(vector["out"]));
  }
}

TEST(Poseidon2, CompressesPublishedVectors) {
  const auto vectors = Vectors("sponge.json");
  ASSERT_FALSE(vectors["compress"].empty());
  for (const auto& vector : vectors["compress"]) {
    EXPECT_EQ(Compress(FromJson<Digest>(vector["left"]),
                       FromJson<Digest>(vector["right"])),
              FromJson<Digest>(vector["out"]));
  }
}

// The largest residues are where a sum could leave its word.
TEST(Poseidon2, KeepsEveryCellBelowThePrime) {
  State state;
  state.fill(BabyBear::FromResidue(BabyBear::kPrime - 1));
  for (int i = 0; i < 1000; ++i) {
    Permute(state);
    for (const BabyBear x : state) ASSERT_LT(x.residue, BabyBear::kPrime);
  }
}

}  // namespace
}  // namespace assay::poseidon2
