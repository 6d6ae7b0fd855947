// Merkle trees over digests, their pruned openings and the check of these.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/merkle/merkle.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace assay::merkle {
namespace {

struct Node {
  uint32_t index;
  Digest digest;
};

// The opened leaves in ascending order, each once; false if an index comes
// with two digests.
bool DistinctLeaves(std::span<const uint32_t> indices,
                    std::span<const Digest> leaves, std::vector<Node>& nodes) {
  std::vector<uint32_t> order(indices.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return indices[a] < indices[b]; });
  nodes.reserve(order.size());
  for (const uint32_t i : order) {
    if (!nodes.empty() && nodes.back().index == indices[i]) {
      if (nodes.back().digest != leaves[i]) return false;
    } else {
      nodes.push_back({indices[i], leaves[i]});
    }
  }
  return true;
}

}  // namespace

std::vector<Digest> Build(std::span<const Digest> leaves) {
  std::vector<Digest> tree(leaves.begin(), leaves.end());
  if (leaves.empty()) return tree;
  tree.reserve(2 * leaves.size() - 1);
  // Children of the parents to come, in the order in which they were added.
  for (size_t child = 0; tree.size() < 2 * leaves.size() - 1; child += 2) {
    tree.push_back(poseidon2::Compress(tree[child], tree[child + 1]));
  }
  return tree;
}

std::vector<NodePosition> SiblingPositions(int log_leaves,
                                           std::span<const uint32_t> indices) {
  std::vector<uint32_t> nodes(indices.begin(), indices.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  std::vector<NodePosition> siblings;
  for (int level = 0; level < log_leaves; ++level) {
    std::vector<uint32_t> parents;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const uint32_t sibling = nodes[i] ^ 1;
      if (i + 1 < nodes.size() && nodes[i + 1] == sibling) {
        ++i;
      } else {
        siblings.push_back({static_cast<uint32_t>(level), sibling});
      }
      parents.push_back(sibling >> 1);
    }
    nodes = std::move(parents);
  }
  return siblings;
}

std::vector<Digest> Prune(std::span<const Digest> tree, int log_leaves,
                          std::span<const uint32_t> indices) {
  std::vector<Digest> siblings;
  for (const NodePosition& node : SiblingPositions(log_leaves, indices)) {
    // The layers below hold 2 (leaves - size) digests.
    const size_t leaves = size_t{1} << log_leaves;
    siblings.push_back(
        tree[2 * (leaves - (leaves >> node.level)) + node.index]);
  }
  return siblings;
}

bool VerifyPruned(const Digest& root, int log_leaves,
                  std::span<const uint32_t> indices,
                  std::span<const Digest> leaves,
                  std::span<const Digest> siblings) {
  if (indices.empty()) return siblings.empty();
  std::vector<Node> nodes;
  if (!DistinctLeaves(indices, leaves, nodes)) return false;
  size_t used = 0;
  for (int level = 0; level < log_leaves; ++level) {
    // A parent never lands beyond the children that it was made from.
    size_t parents = 0;
    for (size_t i = 0; i < nodes.size(); ++i) {
      const Node node = nodes[i];
      const uint32_t sibling = node.index ^ 1;
      Digest parent;
      if (i + 1 < nodes.size() && nodes[i + 1].index == sibling) {
        parent = poseidon2::Compress(node.digest, nodes[++i].digest);
      } else if (used == siblings.size()) {
        return false;
      } else if ((node.index & 1) == 0) {
        parent = poseidon2::Compress(node.digest, siblings[used++]);
      } else {
        parent = poseidon2::Compress(siblings[used++], node.digest);
      }
      nodes[parents++] = {node.index >> 1, parent};
    }
    nodes.resize(parents);
  }
  return used == siblings.size() && nodes[0].digest == root;
}

}  // namespace assay::merkle
