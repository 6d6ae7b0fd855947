// Laws of Merkle trees and their pruned openings.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/merkle/merkle.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

namespace assay::merkle {
namespace {

using poseidon2::Compress;
using poseidon2::HashRow;
using Indices = std::vector<uint32_t>;
using Digests = std::vector<Digest>;

Digest DigestFromJson(const nlohmann::json& values) {
  Digest digest;
  for (size_t i = 0; i < digest.size(); ++i) {
    digest[i] = BabyBear::From(values[i].get<uint32_t>());
  }
  return digest;
}

// A row of numbers, or of extension elements as lists of four.
void Flatten(const nlohmann::json& value, std::vector<BabyBear>& row) {
  if (value.is_number()) {
    row.push_back(BabyBear::From(value.get<uint32_t>()));
    return;
  }
  for (const auto& item : value) Flatten(item, row);
}

Digests HashRows(const nlohmann::json& rows) {
  Digests leaves;
  for (const auto& json_row : rows) {
    std::vector<BabyBear> row;
    Flatten(json_row, row);
    leaves.push_back(HashRow(row));
  }
  return leaves;
}

Digests SomeLeaves(uint32_t count) {
  Digests leaves;
  for (uint32_t i = 0; i < count; ++i) {
    const BabyBear row[] = {BabyBear::From(i)};
    leaves.push_back(HashRow(row));
  }
  return leaves;
}

Digests Pick(const Digests& leaves, const Indices& indices) {
  Digests picked;
  for (const uint32_t i : indices) picked.push_back(leaves[i]);
  return picked;
}

int LogSize(const Digests& leaves) {
  int log_size = 0;
  while (size_t{1} << log_size < leaves.size()) ++log_size;
  return log_size;
}

class MerkleVectors : public testing::TestWithParam<const char*> {};

TEST_P(MerkleVectors, RootsAndPrunedOpeningsAreThePeers) {
  std::ifstream file(ASSAY_TESTDATA "/whir/merkle.json");
  const auto vector = nlohmann::json::parse(file)[GetParam()];
  const Digests leaves = HashRows(vector["rows"]);
  const Digests tree = Build(leaves);
  const Digest root = DigestFromJson(vector["root"]);
  ASSERT_EQ(tree.size(), 2 * leaves.size() - 1);
  EXPECT_EQ(tree.back(), root);

  const auto indices = vector["indices"].get<Indices>();
  Digests siblings;
  for (const auto& sibling : vector["siblings"]) {
    siblings.push_back(DigestFromJson(sibling));
  }
  EXPECT_EQ(Prune(tree, LogSize(leaves), indices), siblings);
  EXPECT_TRUE(VerifyPruned(root, LogSize(leaves), indices,
                           HashRows(vector["opened"]), siblings));
}

INSTANTIATE_TEST_SUITE_P(Rows, MerkleVectors, testing::Values("base", "ext"));

TEST(Merkle, ParentsAreCompressedPairs) {
  const Digests leaves = SomeLeaves(4);
  const Digests tree = Build(leaves);
  EXPECT_EQ(tree[4], Compress(leaves[0], leaves[1]));
  EXPECT_EQ(tree[6], Compress(tree[4], tree[5]));
  EXPECT_EQ(Build(SomeLeaves(1)), SomeLeaves(1));
}

// Every set of leaves of a small tree, and each way to spoil its opening.
TEST(Merkle, EveryOpeningVerifiesAndNoSpoiledOneDoes) {
  const Digests leaves = SomeLeaves(8);
  const Digests tree = Build(leaves);
  const Digest root = tree.back();
  for (uint32_t set = 1; set < 256; ++set) {
    Indices indices;
    for (uint32_t i = 8; i-- > 0;) {
      if (set >> i & 1) indices.push_back(i);
    }
    const Digests opened = Pick(leaves, indices);
    const Digests siblings = Prune(tree, 3, indices);
    ASSERT_TRUE(VerifyPruned(root, 3, indices, opened, siblings));

    Digests surplus = siblings;
    surplus.push_back(root);
    EXPECT_FALSE(VerifyPruned(root, 3, indices, opened, surplus));
    for (size_t i = 0; i < siblings.size(); ++i) {
      Digests spoiled = siblings;
      spoiled[i][7] += BabyBear::One();
      EXPECT_FALSE(VerifyPruned(root, 3, indices, opened, spoiled));
      spoiled = siblings;
      spoiled.erase(spoiled.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(VerifyPruned(root, 3, indices, opened, spoiled));
    }
    for (size_t i = 0; i < opened.size(); ++i) {
      Digests spoiled = opened;
      spoiled[i][0] += BabyBear::One();
      EXPECT_FALSE(VerifyPruned(root, 3, indices, spoiled, siblings));
    }
  }
}

TEST(Merkle, RepeatedIndicesMustCarryEqualRows) {
  const Digests leaves = SomeLeaves(8);
  const Digests tree = Build(leaves);
  const Indices indices = {5, 1, 5};
  const Digests siblings = Prune(tree, 3, indices);
  Digests opened = Pick(leaves, indices);
  EXPECT_TRUE(VerifyPruned(tree.back(), 3, indices, opened, siblings));
  opened[2][3] += BabyBear::One();
  EXPECT_FALSE(VerifyPruned(tree.back(), 3, indices, opened, siblings));
}

TEST(Merkle, NothingIsOpenedByNothing) {
  const Digests tree = Build(SomeLeaves(2));
  EXPECT_TRUE(VerifyPruned(tree.back(), 1, {}, {}, {}));
  EXPECT_FALSE(VerifyPruned(tree.back(), 1, {}, {}, SomeLeaves(1)));
}

}  // namespace
}  // namespace assay::merkle
