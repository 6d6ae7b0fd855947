// Shapes that the kernels of Merkle trees are tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "assay/ops/merkle/merkle.h"
#include "assay/ops/merkle/merkle_kernels.h"
#include "assay/ops/op.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;
using Views = std::span<const View<uint32_t>>;
using poseidon2::Digest;

constexpr uint64_t kPermutation = 564;  // multiplications

// Digest i of a layer of `size` digests that starts at word `layer`.
Digest LoadDigest(const std::vector<uint32_t>& words, size_t layer, size_t size,
                  size_t i) {
  Digest digest;
  for (size_t j = 0; j < 8; ++j) {
    digest[j] = BabyBear::FromResidue(words[layer + j * size + i]);
  }
  return digest;
}
void StoreDigest(const Digest& digest, std::vector<uint32_t>& words,
                 size_t layer, size_t size, size_t i) {
  for (size_t j = 0; j < 8; ++j) {
    words[layer + j * size + i] = digest[j].residue;
  }
}

// Where a level of the tree starts.
size_t LayerOf(int log_leaves, int level) {
  size_t words = 0;
  for (int l = 0; l < level; ++l) words += size_t{8} << (log_leaves - l);
  return words;
}

// Every third place and the last one, repeats and descents included.
uint32_t SomePlace(uint32_t i, uint32_t size) {
  return i % 4 == 3 ? size - 1 : (i * i * 3 + 7 * (i / 2)) % size;
}

OpCase LeavesCase(int log_rows, uint32_t columns, bool largest = false) {
  const size_t rows = size_t{1} << log_rows;
  OpCase result;
  result.name = fmt::format("{} log_rows={} columns={}{}", MerkleLeaves::kName,
                            log_rows, columns, largest ? " largest" : "");
  result.buffers = {
      largest ? std::vector<uint32_t>(rows * columns, BabyBear::kPrime - 1)
              : RandomResidues(columns, rows * columns),
      RandomResidues(2, MerkleTreeWords(log_rows))};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<MerkleLeaves>(
        {views[0].raw, views[1].raw},
        {static_cast<uint32_t>(log_rows), columns, {}});
  };
  result.meaning = [=](Buffers& buffers) {
    std::vector<BabyBear> row(columns);
    for (size_t i = 0; i < rows; ++i) {
      for (size_t c = 0; c < columns; ++c) {
        row[c] = BabyBear::FromResidue(buffers[0][c * rows + i]);
      }
      StoreDigest(poseidon2::HashRow(row), buffers[1], 0, rows, i);
    }
  };
  result.bytes = rows * (4 * uint64_t{columns} + 32);
  result.operations = kPermutation * rows * ((columns + 7) / 8);
  return result;
}

OpCase TreeCase(int log_leaves) {
  OpCase result;
  result.name = fmt::format("{} log_leaves={}", MerkleTree::kName, log_leaves);
  result.buffers = {RandomResidues(3, MerkleTreeWords(log_leaves))};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<MerkleTree>({views[0].raw},
                                  {static_cast<uint32_t>(log_leaves), {}});
  };
  result.meaning = [=](Buffers& buffers) {
    const size_t leaves = size_t{1} << log_leaves;
    std::vector<Digest> digests;
    for (size_t i = 0; i < leaves; ++i) {
      digests.push_back(LoadDigest(buffers[0], 0, leaves, i));
    }
    const std::vector<Digest> tree = merkle::Build(digests);
    size_t next = 0;
    for (int level = 0; level <= log_leaves; ++level) {
      const size_t size = leaves >> level;
      const size_t layer = LayerOf(log_leaves, level);
      for (size_t i = 0; i < size; ++i) {
        StoreDigest(tree[next++], buffers[0], layer, size, i);
      }
    }
  };
  result.bytes = 4 * MerkleTreeWords(log_leaves);
  result.operations = kPermutation * ((uint64_t{1} << log_leaves) - 1);
  return result;
}

OpCase RowsCase(int log_rows, uint32_t columns, uint32_t count) {
  const uint32_t rows = 1u << log_rows;
  std::vector<uint32_t> indices(count);
  for (uint32_t i = 0; i < count; ++i) indices[i] = SomePlace(i, rows);
  OpCase result;
  result.name = fmt::format("{} log_rows={} columns={} count={}",
                            MerkleRows::kName, log_rows, columns, count);
  result.buffers = {RandomResidues(4, size_t{columns} << log_rows),
                    std::move(indices),
                    RandomResidues(5, size_t{columns} * count)};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<MerkleRows>(
        {views[0].raw, views[1].raw, views[2].raw},
        {static_cast<uint32_t>(log_rows), columns, count, 0});
  };
  result.meaning = [=](Buffers& buffers) {
    for (size_t i = 0; i < count; ++i) {
      for (size_t c = 0; c < columns; ++c) {
        buffers[2][i * columns + c] = buffers[0][c * rows + buffers[1][i]];
      }
    }
  };
  result.bytes = uint64_t{count} * (8 * columns + 4);
  return result;
}

OpCase NodesCase(int log_leaves, uint32_t count) {
  std::vector<uint32_t> nodes;
  for (uint32_t i = 0; i < count; ++i) {
    // The root first, then levels from the leaves up, over and over.
    const uint32_t level =
        static_cast<uint32_t>(i == 0 ? log_leaves : (i - 1) % log_leaves);
    nodes.push_back(level);
    nodes.push_back(
        SomePlace(i, 1u << (static_cast<uint32_t>(log_leaves) - level)));
  }
  OpCase result;
  result.name = fmt::format("{} log_leaves={} count={}", MerkleNodes::kName,
                            log_leaves, count);
  result.buffers = {RandomResidues(6, MerkleTreeWords(log_leaves)),
                    std::move(nodes), RandomResidues(7, size_t{8} * count)};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<MerkleNodes>(
        {views[0].raw, views[1].raw, views[2].raw},
        {static_cast<uint32_t>(log_leaves), count, {}});
  };
  result.meaning = [=](Buffers& buffers) {
    for (size_t i = 0; i < count; ++i) {
      const int level = static_cast<int>(buffers[1][2 * i]);
      const Digest digest =
          LoadDigest(buffers[0], LayerOf(log_leaves, level),
                     size_t{1} << (log_leaves - level), buffers[1][2 * i + 1]);
      for (size_t j = 0; j < 8; ++j) {
        buffers[2][8 * i + j] = digest[j].residue;
      }
    }
  };
  result.bytes = uint64_t{count} * (32 + 32 + 8);
  return result;
}

}  // namespace

std::vector<OpCase> MerkleCases(CaseSize size) {
  if (size == CaseSize::kLarge) {
    return {LeavesCase(17, 16), LeavesCase(16, 64), TreeCase(17),
            RowsCase(17, 16, 173), NodesCase(17, 173 * 12)};
  }
  std::vector<OpCase> cases;
  for (const int log_rows : {0, 1, 2, 3, 5}) {
    for (const uint32_t columns : {1, 3, 7, 8, 9, 15, 64}) {
      cases.push_back(LeavesCase(log_rows, columns));
    }
  }
  cases.push_back(LeavesCase(7, 16));
  cases.push_back(LeavesCase(5, 9, /*largest=*/true));
  // More than one thread's share.
  cases.push_back(LeavesCase(10, 3));
  for (const int log_leaves : {0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 12}) {
    cases.push_back(TreeCase(log_leaves));
  }
  for (const uint32_t count : {1, 5, 17, 33}) {
    cases.push_back(RowsCase(0, 3, count));
    cases.push_back(RowsCase(3, 1, count));
    cases.push_back(RowsCase(5, 9, count));
    cases.push_back(RowsCase(7, 64, count));
    cases.push_back(NodesCase(1, count));
    cases.push_back(NodesCase(3, count));
    cases.push_back(NodesCase(7, count));
  }
  cases.push_back(NodesCase(0, 1));
  return cases;
}

}  // namespace assay
