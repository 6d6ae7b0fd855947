// Proof-of-work search on the GPU, 32 candidates a warp and step.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/launch.h"
#include "assay/ops/grind/grind.h"
#include "assay/ops/grind/grind_kernels.h"
#include "assay/ops/poseidon2/poseidon2_gpu.h"

namespace assay {
namespace {

constexpr uint32_t kMostThreads = 1024;
constexpr uint32_t kWarp = 32;

// Threads a multiprocessor: enough for the multipliers where many candidates
// are tried, else no more than are tried until a hit, since what is begun has
// to finish.
constexpr uint32_t ThreadsOfSm(uint32_t bits) {
  return bits <= 13 ? 128 : bits <= 16 ? 256 : kMostThreads;
}

// One block a multiprocessor. Its warps take the next 32 candidates when they
// are done: schedulers prefer some of them, which would otherwise run ahead
// and try what lies above the hit of another one. `best` is kNoWitness before.
__global__ void __launch_bounds__(kMostThreads, 1)
    Search(const uint32_t* state, uint32_t* best, Grind::Params p) {
  __shared__ uint32_t taken;
  if (threadIdx.x == 0) taken = 0;
  __syncthreads();
  const uint32_t mask = (1u << p.bits) - 1, lane = threadIdx.x % kWarp;
  for (;;) {
    uint32_t turn = 0;
    if (lane == 0) turn = atomicAdd(&taken, 1u);
    turn = __shfl_sync(0xffffffff, turn, 0);
    const uint64_t first = (uint64_t{turn} * gridDim.x + blockIdx.x) * kWarp;
    if (first >= p.count) return;
    const uint32_t k = static_cast<uint32_t>(first) + lane;
    const uint32_t w = p.start + k;
    // The same in all lanes of a warp, which shuffle together.
    if (__all_sync(0xffffffff,
                   *const_cast<volatile uint32_t*>(best) < w - lane)) {
      return;
    }
    const uint32_t candidate = BabyBear::From(w).residue;
    uint32_t s[16];
#pragma unroll
    for (uint32_t i = 0; i < 16; ++i) {
      s[i] = i == p.position ? candidate : state[i];
    }
    gpu::Permute(s);
    if (k < p.count && (gpu::ReduceOnce(gpu::ReduceLazy(s[7])) & mask) == 0) {
      atomicMin(best, w);
    }
  }
}

void Launch(const CudaArgs& args) {
  const auto& p = args.Params<Grind::Params>();
  auto* best = args.Get<uint32_t>(1);
  static_assert(grind::kNoWitness == 0xffffffff);
  cudaMemsetAsync(best, 0xff, sizeof(uint32_t), args.stream);
  if (p.count == 0) return;
  const uint32_t threads = ThreadsOfSm(p.bits);
  Search<<<std::min((p.count - 1) / threads + 1,
                    static_cast<uint32_t>(args.multiprocessors)),
           threads, 0, args.stream>>>(args.Get<uint32_t>(0), best, p);
}

}  // namespace

CudaEntry Grind::Cuda() { return {Launch}; }

}  // namespace assay
