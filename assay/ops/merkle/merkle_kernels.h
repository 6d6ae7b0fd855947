// Kernels of Merkle trees: leaf digests, layers, opened rows and siblings.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"
#include "assay/number/babybear.h"

namespace assay {

// Device layout of a tree over 2^log_leaves leaves: the layers one after the
// other, leaves first; a layer of L digests is 8 planes of L words (word j of
// digest i at j * L + i). 8 * (2^(log_leaves+1) - 1) words; the last 8 are
// the root.
constexpr uint64_t MerkleTreeWords(int log_leaves) {
  return 8 * ((uint64_t{2} << log_leaves) - 1);
}

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
};

}  // namespace assay
