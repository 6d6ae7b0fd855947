// Merkle trees on the GPU: leaves, several layers a launch, gathered openings.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/launch.h"
#include "assay/ops/merkle/merkle_kernels.h"
#include "assay/ops/poseidon2/poseidon2_gpu.h"
#include "assay/ops/poseidon2/quad_gpu.h"

namespace assay {
namespace {

using gpu::kQuad;

// Below so many states at once a state takes four lanes: they are not enough
// to fill the GPU, and what counts is how long one takes.
constexpr int kLogFewStates = 16;

constexpr int kLeafThreads = 128;

// Column-major rows: a warp reads 32 neighbours of a column at once.
__global__ void __launch_bounds__(kLeafThreads)
    Leaves(const uint32_t* matrix, uint32_t* digests, int log_rows,
           uint32_t columns) {
  const size_t rows = size_t{1} << log_rows;
  const size_t row = size_t{blockIdx.x} * kLeafThreads + threadIdx.x;
  if (row >= rows) return;
  const uint32_t* at = matrix + row;
  uint32_t s[16] = {};
#pragma unroll 1
  for (uint32_t left = columns; left > 0; left -= min(left, 8u)) {
#pragma unroll
    for (uint32_t i = 0; i < 8; ++i) {
      if (i < left) s[i] = __ldcs(at + (size_t{i} << log_rows));
    }
    at += size_t{8} << log_rows;
    gpu::Permute(s);
  }
#pragma unroll
  for (size_t j = 0; j < 8; ++j) digests[(j << log_rows) + row] = s[j];
}

// A row in four lanes, of which two hold what is overwritten.
__global__ void __launch_bounds__(kLeafThreads)
    FewLeaves(const uint32_t* matrix, uint32_t* digests, int log_rows,
              uint32_t columns) {
  __shared__ gpu::QuadConstants constants;
  gpu::LoadQuadConstants(constants);
  __syncthreads();
  const uint32_t row = (blockIdx.x * kLeafThreads + threadIdx.x) / kQuad;
  const uint32_t cell = threadIdx.x % kQuad * 4;
  const bool reads = row >> log_rows == 0 && cell < 8;
  uint32_t s[4] = {};
  const uint32_t* at = matrix + (size_t{cell} << log_rows) + row;
#pragma unroll 1
  for (uint32_t left = columns; left > 0; left -= min(left, 8u)) {
#pragma unroll
    for (uint32_t i = 0; i < 4; ++i) {
      if (reads && cell + i < left) s[i] = at[size_t{i} << log_rows];
    }
    at += size_t{8} << log_rows;
    gpu::QuadPermute(s, constants);
  }
  if (!reads) return;
#pragma unroll
  for (uint32_t i = 0; i < 4; ++i) {
    digests[(size_t{cell + i} << log_rows) + row] = s[i];
  }
}

// Where the layer of 2^log_size digests starts in a tree.
__device__ __forceinline__ uint32_t* LayerOf(uint32_t* tree, int log_leaves,
                                             int log_size) {
  return tree + 16 * ((size_t{1} << log_leaves) - (size_t{1} << log_size));
}

constexpr int kNodeThreads = 128;

// `count` layers above that of 2^log_size digests. A block takes the pairs of
// 2 kNodeThreads neighbours, then the pairs of what it has made; each layer
// also goes to memory, read and written once.
__global__ void __launch_bounds__(kNodeThreads)
    Layers(uint32_t* tree, int log_leaves, int log_size, int count) {
  __shared__ uint32_t made[8][kNodeThreads];
  const uint32_t n = threadIdx.x;
  uint32_t here = kNodeThreads;  // nodes of the layer that are this block's
  for (int k = 0; k < count; ++k, here /= 2, --log_size) {
    if (k > 0) __syncthreads();
    uint32_t s[16];
    if (n < here) {
      if (k == 0) {
        const uint32_t* from = LayerOf(tree, log_leaves, log_size) +
                               2 * (size_t{blockIdx.x} * here + n);
#pragma unroll
        for (size_t j = 0; j < 8; ++j) {
          const uint2 pair =
              *reinterpret_cast<const uint2*>(from + (j << log_size));
          s[j] = pair.x;
          s[j + 8] = pair.y;
        }
      } else {
#pragma unroll
        for (int j = 0; j < 8; ++j) {
          const uint2 pair = *reinterpret_cast<const uint2*>(&made[j][2 * n]);
          s[j] = pair.x;
          s[j + 8] = pair.y;
        }
      }
    }
    if (k > 0) __syncthreads();
    if (n < here) {
      gpu::Permute(s);
      uint32_t* to = LayerOf(tree, log_leaves, log_size - 1) +
                     size_t{blockIdx.x} * here + n;
#pragma unroll
      for (int j = 0; j < 8; ++j) {
        to[static_cast<size_t>(j) << (log_size - 1)] = s[j];
        made[j][n] = s[j];
      }
    }
  }
}

constexpr int kFewNodes = 64;

// The same where nodes are few: four lanes a node, 2 kFewNodes digests a
// block.
__global__ void __launch_bounds__(kFewNodes* kQuad)
    FewLayers(uint32_t* tree, int log_leaves, int log_size, int count) {
  __shared__ gpu::QuadConstants constants;
  __shared__ uint32_t made[8][kFewNodes];
  gpu::LoadQuadConstants(constants);
  const uint32_t n = threadIdx.x / kQuad, q = threadIdx.x % kQuad;
  const uint32_t child = 2 * n + q / 2, word = q % 2 * 4;
  uint32_t here = kFewNodes;
  for (int k = 0; k < count; ++k, here /= 2, --log_size) {
    __syncthreads();
    const uint32_t nodes = min(here, 1u << (log_size - 1));
    const bool mine = n < nodes;
    uint32_t s[4] = {};
    if (mine) {
      const uint32_t* from = LayerOf(tree, log_leaves, log_size) +
                             2 * size_t{blockIdx.x} * here + child;
#pragma unroll
      for (uint32_t i = 0; i < 4; ++i) {
        s[i] =
            k == 0 ? from[size_t{word + i} << log_size] : made[word + i][child];
      }
    }
    __syncthreads();
    // A warp's lanes shuffle together.
    if (threadIdx.x / 32 * (32 / kQuad) < nodes) {
      gpu::QuadPermute(s, constants);
    }
    if (mine && q < 2) {
      uint32_t* to = LayerOf(tree, log_leaves, log_size - 1) +
                     size_t{blockIdx.x} * here + n;
#pragma unroll
      for (uint32_t i = 0; i < 4; ++i) {
        to[size_t{word + i} << (log_size - 1)] = s[i];
        made[word + i][n] = s[i];
      }
    }
  }
}

void LaunchLeaves(const CudaArgs& args) {
  const auto& p = args.Params<MerkleLeaves::Params>();
  const auto log_rows = static_cast<int>(p.log_rows);
  const auto* matrix = args.Get<uint32_t>(0);
  auto* digests = args.Get<uint32_t>(1);
  const uint64_t rows = uint64_t{1} << p.log_rows;
  if (log_rows < kLogFewStates) {
    const auto blocks =
        static_cast<unsigned>((rows * kQuad + kLeafThreads - 1) / kLeafThreads);
    FewLeaves<<<blocks, kLeafThreads, 0, args.stream>>>(matrix, digests,
                                                        log_rows, p.columns);
  } else {
    Leaves<<<static_cast<unsigned>(rows / kLeafThreads), kLeafThreads, 0,
             args.stream>>>(matrix, digests, log_rows, p.columns);
  }
}

// A tree over 2^21 leaves takes four launches.
void LaunchTree(const CudaArgs& args) {
  // Layers a block of kNodeThreads makes while its last warp is full.
  constexpr int kMostLayers = 3;
  // Nodes that one multiprocessor makes as quickly as one node, and layers
  // after which so many blocks hand over to the next launch.
  constexpr int kLogTop = 6, kMostFewLayers = 5;
  static_assert(1 << kLogTop == kFewNodes);
  const auto log_leaves =
      static_cast<int>(args.Params<MerkleTree::Params>().log_leaves);
  auto* tree = args.Get<uint32_t>(0);
  for (int log_size = log_leaves; log_size > 0;) {
    const int log_nodes = log_size - 1;
    int count = log_size;
    if (log_nodes >= kLogFewStates) {
      count = std::min(kMostLayers, log_nodes - kLogFewStates + 1);
      Layers<<<(1u << log_nodes) / kNodeThreads, kNodeThreads, 0,
               args.stream>>>(tree, log_leaves, log_size, count);
    } else {
      if (log_nodes > kLogTop) {
        count = std::min(kMostFewLayers, log_nodes - kLogTop);
      }
      FewLayers<<<std::max(1u, (1u << log_nodes) / kFewNodes),
                  kFewNodes * kQuad, 0, args.stream>>>(tree, log_leaves,
                                                       log_size, count);
    }
    log_size -= count;
  }
}

constexpr int kGatherThreads = 256;

// One element a thread.
__global__ void __launch_bounds__(kGatherThreads)
    GatherRows(const uint32_t* matrix, const uint32_t* indices, uint32_t* rows,
               MerkleRows::Params p) {
  const uint64_t k = uint64_t{blockIdx.x} * kGatherThreads + threadIdx.x;
  if (k >= uint64_t{p.count} * p.columns) return;
  const uint64_t i = k / p.columns, c = k % p.columns;
  rows[k] = matrix[(c << p.log_rows) + indices[i]];
}

// One word a thread.
__global__ void __launch_bounds__(kGatherThreads)
    GatherNodes(const uint32_t* tree, const uint32_t* nodes, uint32_t* digests,
                MerkleNodes::Params p) {
  const uint64_t k = uint64_t{blockIdx.x} * kGatherThreads + threadIdx.x;
  if (k >= uint64_t{p.count} * 8) return;
  const uint64_t i = k / 8, j = k % 8;
  const uint32_t log_size = p.log_leaves - nodes[2 * i];
  const uint64_t layer =
      16 * ((uint64_t{1} << p.log_leaves) - (uint64_t{1} << log_size));
  digests[k] = tree[layer + (j << log_size) + nodes[2 * i + 1]];
}

unsigned GatherBlocks(uint64_t words) {
  return static_cast<unsigned>((words + kGatherThreads - 1) / kGatherThreads);
}

void LaunchRows(const CudaArgs& args) {
  const auto& p = args.Params<MerkleRows::Params>();
  const unsigned blocks = GatherBlocks(uint64_t{p.count} * p.columns);
  if (blocks == 0) return;
  GatherRows<<<blocks, kGatherThreads, 0, args.stream>>>(
      args.Get<uint32_t>(0), args.Get<uint32_t>(1), args.Get<uint32_t>(2), p);
}

void LaunchNodes(const CudaArgs& args) {
  const auto& p = args.Params<MerkleNodes::Params>();
  const unsigned blocks = GatherBlocks(uint64_t{p.count} * 8);
  if (blocks == 0) return;
  GatherNodes<<<blocks, kGatherThreads, 0, args.stream>>>(
      args.Get<uint32_t>(0), args.Get<uint32_t>(1), args.Get<uint32_t>(2), p);
}

}  // namespace

CudaEntry MerkleLeaves::Cuda() { return {LaunchLeaves}; }
CudaEntry MerkleTree::Cuda() { return {LaunchTree}; }
CudaEntry MerkleRows::Cuda() { return {LaunchRows}; }
CudaEntry MerkleNodes::Cuda() { return {LaunchNodes}; }

}  // namespace assay
