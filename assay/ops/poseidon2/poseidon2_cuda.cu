// The permutation of many states on the GPU, one a thread.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/cuda/launch.h"
#include "assay/ops/poseidon2/poseidon2_gpu.h"
#include "assay/ops/poseidon2/poseidon2_kernels.h"

namespace assay {
namespace {

constexpr int kThreads = 128;

// Reads and writes 64 bytes a thread, neighbours beside neighbours.
__global__ void __launch_bounds__(kThreads)
    PermuteStates(uint32_t* cells, uint32_t count) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  uint32_t s[16];
#pragma unroll
  for (size_t k = 0; k < 16; ++k) s[k] = cells[k * count + i];
  gpu::Permute(s);
#pragma unroll
  for (size_t k = 0; k < 16; ++k) cells[k * count + i] = s[k];
}

void Launch(const CudaArgs& args) {
  const uint32_t count = args.Params<Poseidon2Permute::Params>().count;
  if (count == 0) return;
  PermuteStates<<<(count - 1) / kThreads + 1, kThreads, 0, args.stream>>>(
      args.Get<uint32_t>(0), count);
}

}  // namespace

CudaEntry Poseidon2Permute::Cuda() { return {Launch}; }

}  // namespace assay
