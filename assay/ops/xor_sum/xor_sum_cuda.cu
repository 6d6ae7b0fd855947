// Adds up blocks on the GPU: each thread some far apart, all loads at once.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/grid_sum.h"
#include "assay/device/cuda/launch.h"
#include "assay/ops/xor_sum/xor_sum_kernels.h"

namespace assay {
namespace {

constexpr int kThreads = 256;
constexpr int kBlocksOfSm = 8;
constexpr int kAhead = 8;  // loads under way in each thread

__global__ void __launch_bounds__(kThreads)
    Add(const ulonglong2* data, uint64_t blocks, uint64_t* sum,
        gpu::GridSumState* state) {
  const uint64_t lanes = uint64_t{gridDim.x} * kThreads;
  uint64_t i = uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  uint64_t mine[2] = {0, 0};
  for (; i + (kAhead - 1) * lanes < blocks; i += kAhead * lanes) {
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      const ulonglong2 x = __ldcs(data + i + static_cast<uint64_t>(k) * lanes);
      mine[0] ^= x.x;
      mine[1] ^= x.y;
    }
  }
  for (; i < blocks; i += lanes) {
    const ulonglong2 x = __ldcs(data + i);
    mine[0] ^= x.x;
    mine[1] ^= x.y;
  }
  __shared__ uint64_t all[2];
  if (!gpu::GridSum<2>(mine, state, all)) return;
  if (threadIdx.x < 2) sum[threadIdx.x] ^= all[threadIdx.x];
}

void Launch(const CudaArgs& args) {
  const auto& p = args.Params<XorSum::Params>();
  const uint64_t blocks = uint64_t{p.blocks_high} << 32 | p.blocks_low;
  if (blocks == 0) return;
  const auto most = static_cast<uint64_t>(args.multiprocessors) * kBlocksOfSm;
  const uint64_t wanted = (blocks + kThreads - 1) / kThreads;
  Add<<<static_cast<unsigned>(std::min(most, wanted)), kThreads, 0,
        args.stream>>>(args.Get<ulonglong2>(0), blocks, args.Get<uint64_t>(1),
                       args.Sums<gpu::GridSumState>());
}

}  // namespace

CudaEntry XorSum::Cuda() { return {Launch}; }

}  // namespace assay
