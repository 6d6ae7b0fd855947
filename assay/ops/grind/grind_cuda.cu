// Proof-of-work search on the GPU, a candidate a thread and step.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/launch.h"
#include "assay/ops/grind/grind.h"
#include "assay/ops/grind/grind_kernels.h"
#include "assay/ops/poseidon2/poseidon2_gpu.h"

namespace assay {
namespace {

constexpr int kThreads = 128;
constexpr int kMostBlocksOfSm = 8;

// Blocks a multiprocessor: enough for the multipliers where many candidates
// are tried, else a wave not much longer than what is tried until a hit, since
// all of it has to finish.
constexpr uint32_t BlocksOfSm(uint32_t bits) {
  return bits <= 13 ? 1 : bits <= 16 ? 4 : kMostBlocksOfSm;
}

// `best` is kNoWitness before. All threads, which are on the GPU at once, walk
// upwards side by side: what is tried above a hit is a wave at most.
__global__ void __launch_bounds__(kThreads, kMostBlocksOfSm)
    Search(const uint32_t* state, uint32_t* best, Grind::Params p) {
  const uint32_t mask = (1u << p.bits) - 1;
  const uint32_t threads = gridDim.x * kThreads;
  const uint32_t first = blockIdx.x * kThreads + threadIdx.x;
  for (uint32_t k = first; k < p.count; k += threads) {
    const uint32_t w = p.start + k;
    if (*const_cast<volatile uint32_t*>(best) < w) return;
    const uint32_t candidate = BabyBear::From(w).residue;
    uint32_t s[16];
#pragma unroll
    for (uint32_t i = 0; i < 16; ++i) {
      s[i] = i == p.position ? candidate : state[i];
    }
    gpu::Permute(s);
    if ((gpu::ReduceOnce(gpu::ReduceLazy(s[7])) & mask) == 0) {
      atomicMin(best, w);
      return;
    }
  }
}

void Launch(const CudaArgs& args) {
  const auto& p = args.Params<Grind::Params>();
  auto* best = args.Get<uint32_t>(1);
  static_assert(grind::kNoWitness == 0xffffffff);
  cudaMemsetAsync(best, 0xff, sizeof(uint32_t), args.stream);
  if (p.count == 0) return;
  const uint32_t most =
      static_cast<uint32_t>(args.multiprocessors) * BlocksOfSm(p.bits);
  Search<<<std::min((p.count - 1) / kThreads + 1, most), kThreads, 0,
           args.stream>>>(args.Get<uint32_t>(0), best, p);
}

}  // namespace

CudaEntry Grind::Cuda() { return {Launch}; }

}  // namespace assay
