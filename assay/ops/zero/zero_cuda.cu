// Overwrites bytes with zeros on the GPU.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/launch.h"
#include "assay/ops/zero/zero_kernels.h"

namespace assay {
namespace {

constexpr unsigned kThreads = 256;

// 16 bytes a thread at a time, and single bytes at both ends.
__global__ void Zero(uint8_t* data, uint64_t bytes) {
  const uint64_t thread = uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const uint64_t threads = uint64_t{gridDim.x} * kThreads;
  const auto address = reinterpret_cast<uintptr_t>(data);
  const uint64_t head = min(bytes, static_cast<uint64_t>(0 - address & 15));
  const uint64_t whole = (bytes - head) / 16;
  auto* words = reinterpret_cast<uint4*>(data + head);
  for (uint64_t i = thread; i < whole; i += threads) words[i] = {0, 0, 0, 0};
  const uint64_t tail = head + 16 * whole;
  if (thread < head) data[thread] = 0;
  if (thread < bytes - tail) data[tail + thread] = 0;
}

void Launch(const CudaArgs& args) {
  const auto& p = args.Params<ZeroBytes::Params>();
  const uint64_t bytes = uint64_t{p.bytes_high} << 32 | p.bytes_low;
  if (bytes == 0) return;
  const auto most = static_cast<uint64_t>(args.multiprocessors) * 8;
  const uint64_t wanted = bytes / (16 * kThreads) + 1;
  const auto grid = static_cast<unsigned>(std::min(most, wanted));
  Zero<<<grid, kThreads, 0, args.stream>>>(args.Get<uint8_t>(0), bytes);
}

}  // namespace

CudaEntry ZeroBytes::Cuda() { return {Launch}; }

}  // namespace assay
