// Leaves plainly, two a thread and by shuffles, and trees layer by layer.
// SPDX-License-Identifier: Apache-2.0
#include "bench/merkle_ladder.h"

#include <cuda_runtime.h>

#include "assay/ops/poseidon2/poseidon2_gpu.h"
#include "assay/ops/poseidon2/quad_gpu.h"

namespace assay::bench {
namespace {

constexpr int kThreads = 128;

__device__ BabyBear Constant(int32_t less_prime) {
  return {static_cast<uint32_t>(less_prime) + BabyBear::kPrime};
}

__device__ void PlainExternalLayer(BabyBear (&s)[16]) {
#pragma unroll
  for (int g = 0; g < 16; g += 4) {
    const BabyBear t01 = s[g] + s[g + 1], t23 = s[g + 2] + s[g + 3];
    const BabyBear sum = t01 + t23;
    const BabyBear sum1 = sum + s[g + 1], sum3 = sum + s[g + 3];
    s[g + 3] = sum3 + (s[g] + s[g]);
    s[g + 1] = sum1 + (s[g + 2] + s[g + 2]);
    s[g] = sum1 + t01;
    s[g + 2] = sum3 + t23;
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const BabyBear column = s[j] + s[j + 4] + s[j + 8] + s[j + 12];
#pragma unroll
    for (int g = 0; g < 16; g += 4) s[g + j] += column;
  }
}

__device__ BabyBear PlainBox(BabyBear x) {
  const BabyBear x2 = x * x;
  return (x2 * x) * (x2 * x2);
}

__device__ void PlainFullRounds(BabyBear (&s)[16],
                                const int32_t (&constants)[4][16]) {
#pragma unroll 1
  for (int r = 0; r < 4; ++r) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      s[i] = PlainBox(s[i] + Constant(constants[r][i]));
    }
    PlainExternalLayer(s);
  }
}

__device__ void PlainPermute(BabyBear (&s)[16]) {
  PlainExternalLayer(s);
  PlainFullRounds(s, gpu::kDeviceConstants.initial);
#pragma unroll 1
  for (int r = 0; r < 13; ++r) {
    s[0] = PlainBox(s[0] + Constant(gpu::kDeviceConstants.internal[r]));
    BabyBear sum = s[0];
#pragma unroll
    for (int i = 1; i < 16; ++i) sum += s[i];
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      s[i] = sum + s[i] * BabyBear{gpu::kQuadDiagonal.residue[i]};
    }
  }
  PlainFullRounds(s, gpu::kDeviceConstants.final);
}

__global__ void __launch_bounds__(kThreads) PlainLeaves(LadderTree tree) {
  const size_t row = size_t{blockIdx.x} * kThreads + threadIdx.x;
  BabyBear s[16] = {};
#pragma unroll 1
  for (uint32_t c = 0; c < tree.columns; c += 8) {
#pragma unroll
    for (size_t i = 0; i < 8; ++i) {
      s[i].residue = tree.matrix[((c + i) << tree.log_rows) + row];
    }
    PlainPermute(s);
  }
#pragma unroll
  for (size_t j = 0; j < 8; ++j) {
    tree.tree[(j << tree.log_rows) + row] = s[j].residue;
  }
}

// The permutation of two states, round beside round.
__device__ void PermutePair(uint32_t (&s)[2][16]) {
  gpu::MixedState mixed[2];
#pragma unroll
  for (int k = 0; k < 2; ++k) {
#pragma unroll
    for (int i = 0; i < 16; ++i) mixed[k].cells[i] = s[k][i];
    gpu::Mix(mixed[k]);
  }
#pragma unroll 1
  for (int r = 0; r < 4; ++r) {
    gpu::FullRound(mixed[0], gpu::kDeviceConstants.initial[r]);
    gpu::FullRound(mixed[1], gpu::kDeviceConstants.initial[r]);
  }
  gpu::InternalState inner[2] = {gpu::ToInternal(mixed[0]),
                                 gpu::ToInternal(mixed[1])};
#pragma unroll 1
  for (int r = 0; r < 13; ++r) {
    gpu::PartialRound(inner[0], gpu::kDeviceConstants.internal[r]);
    gpu::PartialRound(inner[1], gpu::kDeviceConstants.internal[r]);
  }
  mixed[0] = gpu::FromInternal(inner[0]);
  mixed[1] = gpu::FromInternal(inner[1]);
#pragma unroll 1
  for (int r = 0; r < 4; ++r) {
    gpu::FullRound(mixed[0], gpu::kDeviceConstants.final[r]);
    gpu::FullRound(mixed[1], gpu::kDeviceConstants.final[r]);
  }
#pragma unroll
  for (int k = 0; k < 2; ++k) {
#pragma unroll
    for (int i = 0; i < 16; ++i) {
      s[k][i] = gpu::AddMod(mixed[k].cells[i], mixed[k].columns[i % 4]);
    }
  }
}

__global__ void __launch_bounds__(kThreads) PairedLeaves(LadderTree tree) {
  const size_t row = 2 * (size_t{blockIdx.x} * kThreads + threadIdx.x);
  uint32_t s[2][16] = {};
#pragma unroll 1
  for (uint32_t c = 0; c < tree.columns; c += 8) {
#pragma unroll
    for (size_t i = 0; i < 8; ++i) {
      const uint2 pair = *reinterpret_cast<const uint2*>(
          tree.matrix + ((c + i) << tree.log_rows) + row);
      s[0][i] = pair.x;
      s[1][i] = pair.y;
    }
    PermutePair(s);
  }
#pragma unroll
  for (size_t j = 0; j < 8; ++j) {
    *reinterpret_cast<uint2*>(tree.tree + (j << tree.log_rows) + row) = {
        s[0][j], s[1][j]};
  }
}

__global__ void __launch_bounds__(kThreads) ShuffledLeaves(LadderTree tree) {
  __shared__ gpu::QuadConstants constants;
  gpu::LoadQuadConstants(constants);
  __syncthreads();
  const size_t row = (size_t{blockIdx.x} * kThreads + threadIdx.x) / gpu::kQuad;
  const size_t cell = threadIdx.x % gpu::kQuad * 4;
  uint32_t s[4] = {};
#pragma unroll 1
  for (uint32_t c = 0; c < tree.columns; c += 8) {
#pragma unroll
    for (size_t i = 0; i < 4; ++i) {
      if (cell < 8) s[i] = tree.matrix[((c + cell + i) << tree.log_rows) + row];
    }
    gpu::QuadPermute(s, constants);
  }
  if (cell >= 8) return;
#pragma unroll
  for (size_t i = 0; i < 4; ++i) {
    tree.tree[((cell + i) << tree.log_rows) + row] = s[i];
  }
}

// One layer: `from` holds 2^log_size digests.
__global__ void __launch_bounds__(kThreads)
    OneLayer(const uint32_t* from, uint32_t* to, int log_size) {
  const size_t nodes = size_t{1} << (log_size - 1);
  const size_t n = size_t{blockIdx.x} * kThreads + threadIdx.x;
  if (n >= nodes) return;
  uint32_t s[16];
#pragma unroll
  for (size_t j = 0; j < 8; ++j) {
    s[j] = from[(j << log_size) + 2 * n];
    s[j + 8] = from[(j << log_size) + 2 * n + 1];
  }
  gpu::Permute(s);
#pragma unroll
  for (size_t j = 0; j < 8; ++j) to[(j << (log_size - 1)) + n] = s[j];
}

}  // namespace

void LaunchPlainLeaves(const LadderTree& tree) {
  PlainLeaves<<<(1u << tree.log_rows) / kThreads, kThreads>>>(tree);
}
void LaunchPairedLeaves(const LadderTree& tree) {
  PairedLeaves<<<(1u << tree.log_rows) / kThreads / 2, kThreads>>>(tree);
}
void LaunchShuffledLeaves(const LadderTree& tree) {
  ShuffledLeaves<<<(1u << tree.log_rows) / kThreads * gpu::kQuad, kThreads>>>(
      tree);
}

void LaunchLayerByLayer(const LadderTree& tree) {
  uint32_t* layer = tree.tree;
  for (int log_size = tree.log_rows; log_size > 0; --log_size) {
    uint32_t* next = layer + (size_t{8} << log_size);
    const unsigned nodes = 1u << (log_size - 1);
    OneLayer<<<(nodes + kThreads - 1) / kThreads, kThreads>>>(layer, next,
                                                              log_size);
    layer = next;
  }
}

}  // namespace assay::bench
