// Other ways to hash leaves and trees on a GPU, to compare with what is kept.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::bench {

// Column-major rows of a multiple of eight columns, at least 2^9 of them, and
// a tree in the layout of merkle_kernels.h, in the device's memory. On the
// default stream.
struct LadderTree {
  const uint32_t* matrix;
  uint32_t* tree;
  int log_rows;
  uint32_t columns;
};

// A leaf a thread, as the paper has it: canonical sums, products by the
// diagonal.
void LaunchPlainLeaves(const LadderTree& tree);
// Two leaves a thread, side by side in its registers.
void LaunchPairedLeaves(const LadderTree& tree);
// Four lanes a leaf, which shuffle sums between them.
void LaunchShuffledLeaves(const LadderTree& tree);

// A launch a layer, a node a thread.
void LaunchLayerByLayer(const LadderTree& tree);

}  // namespace assay::bench
