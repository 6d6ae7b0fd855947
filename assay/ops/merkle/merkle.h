// What a Merkle tree of row hashes is and how its pruned openings are checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assay/ops/poseidon2/poseidon2.h"

namespace assay::merkle {

using poseidon2::Digest;

// All digests of a tree over a power of two of leaves: leaves first, then
// each layer, the root last. 2 * leaves - 1 digests.
std::vector<Digest> Build(std::span<const Digest> leaves);

// Where a digest stands: level 0 holds the leaves.
struct NodePosition {
  uint32_t level = 0;
  uint32_t index = 0;
};

// The places of the digests of Prune, in its order. Hashes nothing.
std::vector<NodePosition> SiblingPositions(int log_leaves,
                                           std::span<const uint32_t> indices);

// The digests that a verifier cannot compute from the leaves `indices`
// (any order, repeats allowed): for each level from the leaves up, the
// missing siblings in ascending order (docs/engines/whir.md,
// section 6).
std::vector<Digest> Prune(std::span<const Digest> tree, int log_leaves,
                          std::span<const uint32_t> indices);

// True if the leaf digests at `indices` (same order, repeats allowed) and the
// pruned siblings lead to `root`, no sibling is missing or surplus, and
// repeated indices carry equal digests. Preconditions: equal sizes, indices
// below 2^log_leaves. An empty list needs an empty `siblings`.
bool VerifyPruned(const Digest& root, int log_leaves,
                  std::span<const uint32_t> indices,
                  std::span<const Digest> leaves,
                  std::span<const Digest> siblings);

}  // namespace assay::merkle
