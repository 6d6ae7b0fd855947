// Kernels of Merkle trees: leaf digests, layers, opened rows and siblings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"
#include "assay/device/wgsl_groups.h"
#include "assay/number/babybear.h"

namespace assay {

// Device layout of a tree over 2^log_leaves leaves: the layers one after the
// other, leaves first; a layer of L digests is 8 planes of L words (word j of
// digest i at j * L + i). 8 * (2^(log_leaves+1) - 1) words; the last 8 are
// the root. On a GPU it begins on a multiple of 8 bytes.
constexpr uint64_t MerkleTreeWords(int log_leaves) {
  return 8 * ((uint64_t{2} << log_leaves) - 1);
}

// In WGSL: up to 2^this rows or nodes four lanes share a permutation, since
// fewer leave a GPU idle.
inline constexpr uint32_t kMerkleLogQuads = 14;

// Digests of the rows of a column-major matrix (2^log_rows words a column)
// into the leaf layer of `tree`. Reads each element once; ceil(columns / 8)
// permutations a row.
struct MerkleLeaves {
  static constexpr std::string_view kName = "merkle.leaves";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  struct Params {
    uint32_t log_rows;
    uint32_t columns;
    uint32_t pad[2];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  // Four lanes a row where rows are few.
  static WgslPlan PlanWgsl(const Params& p) {
    const uint64_t rows = uint64_t{1} << p.log_rows;
    if (p.log_rows <= kMerkleLogQuads) {
      return {{{"merkle_leaves_quads", WgslGroups(4 * rows, 32)}}};
    }
    return {{{"merkle_leaves", WgslGroups(rows, 128)}}};
  }
};

// All layers above the leaves, in place. One permutation a node.
struct MerkleTree {
  static constexpr std::string_view kName = "merkle.tree";
  static constexpr std::array kBindings = {Access::kReadWrite};
  struct Params {
    uint32_t log_leaves;
    uint32_t pad[3];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  // A pass a layer down to 2^6 nodes, then one group.
  static WgslPlan PlanWgsl(const Params& p) {
    WgslPlan plan;
    for (uint32_t log_nodes = p.log_leaves; log_nodes > 6;) {
      --log_nodes;
      if (log_nodes <= kMerkleLogQuads) {
        plan.passes.push_back(
            {"merkle_tree_quads", {1u << (log_nodes - 3), 1, 1}});
        continue;
      }
      const uint32_t log_row = std::min(log_nodes - 7, 15u);
      plan.passes.push_back(
          {"merkle_tree_layer",
           {1u << log_row, 1u << (log_nodes - 7 - log_row), 1}});
    }
    if (p.log_leaves > 0) plan.passes.push_back({"merkle_tree"});
    return plan;
  }
};

// rows[i * columns + c] = element (indices[i], c) of a column-major matrix.
struct MerkleRows {
  static constexpr std::string_view kName = "openings.rows";
  static constexpr std::array kBindings = {Access::kRead, Access::kRead,
                                           Access::kReadWrite};
  struct Params {
    uint32_t log_rows;
    uint32_t columns;
    uint32_t count;
    uint32_t pad;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  static WgslPlan PlanWgsl(const Params& p) {
    const uint64_t words = uint64_t{p.columns} * p.count;
    if (words == 0) return {};
    return {{{"openings_rows", WgslGroups(words, 128)}}};
  }
};

// digests[8 i + j] = word j of the node at (level, index) =
// (nodes[2 i], nodes[2 i + 1]); level 0 holds the leaves.
struct MerkleNodes {
  static constexpr std::string_view kName = "openings.nodes";
  static constexpr std::array kBindings = {Access::kRead, Access::kRead,
                                           Access::kReadWrite};
  struct Params {
    uint32_t log_leaves;
    uint32_t count;
    uint32_t pad[2];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  static WgslPlan PlanWgsl(const Params& p) {
    if (p.count == 0) return {};
    return {{{"openings_nodes", WgslGroups(uint64_t{8} * p.count, 128)}}};
  }
};

}  // namespace assay
