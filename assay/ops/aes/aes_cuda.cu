// AES in counter mode on the GPU: bit planes, eight blocks a thread.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/launch.h"
#include "assay/ops/aes/aes_kernels.h"
#include "assay/ops/aes/key_stream_gpu.h"

namespace assay {
namespace {

constexpr int kPack = 4;
constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;
constexpr int kBlocksOfSm = 1;
using F = aes::gpu::Frame<kPack>;
using Tables = aes::gpu::StreamTables<kPack>;
// Whatever the first frame's place, the upper bytes of so many are prepared.
constexpr uint64_t kMostFrames = uint64_t{F::kMiddle} * (F::kUpper - 1);

struct Task {
  const uint8_t* keys;
  const uint8_t* counter;
  uint8_t* data;
  uint64_t bytes;
  int rounds;
  bool aligned;  // the data, to 16 bytes
  bool direct;   // few frames: tables would cost more than they save
};

// A frame a warp at a time; reads and writes 16 bytes a thread.
__global__ void __launch_bounds__(kThreads, kBlocksOfSm) Crypt(Task task) {
  __shared__ Tables tables;
  const auto lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const uint32_t number = static_cast<uint32_t>(task.counter[12]) << 24 |
                          task.counter[13] << 16 | task.counter[14] << 8 |
                          task.counter[15];
  const uint32_t offset = number % F::kSize;
  const uint64_t end = offset + (task.bytes + 15) / 16;
  const uint64_t frames = (end + F::kSize - 1) / F::kSize;
  const uint64_t first = frames * blockIdx.x / gridDim.x;
  const uint64_t stop = frames * (blockIdx.x + 1) / gridDim.x;
  MakeKeys(tables, task.keys, task.rounds, task.counter,
           static_cast<uint32_t>(first));
  __syncthreads();
  if (!task.direct) {
    for (uint32_t i = threadIdx.x; i < F::kEntries; i += kThreads) {
      MakeEntry(tables, i);
    }
    __syncthreads();
  }
  const uint4 last = LastKey(tables);
  for (uint64_t f = first + warp; f < stop; f += kWarps) {
    uint32_t stream[F::kBlocks][4];
    StreamOf(tables, static_cast<uint32_t>(f), task.direct, stream);
    const uint64_t place = f * F::kSize + lane;
    if (task.aligned && f != 0 && f + 1 != frames) {
      auto* data = reinterpret_cast<uint4*>(task.data) + (place - offset);
#pragma unroll
      for (int j = 0; j < F::kBlocks; ++j) {
        __stcs(data + 32 * j,
               aes::gpu::Add(__ldcs(data + 32 * j), stream[j], last));
      }
      continue;
    }
    aes::gpu::Stash<kPack> stash(stream, last);
#pragma unroll 1
    for (int j = 0; j < F::kBlocks; ++j) {
      const uint64_t at = place + static_cast<unsigned>(32 * j);
      if (at < offset || at >= end) continue;
      const uint64_t begin = 16 * (at - offset);
      const auto count =
          static_cast<int>(min(uint64_t{16}, task.bytes - begin));
      for (int k = 0; k < count; ++k) task.data[begin + k] ^= stash.Byte(j, k);
    }
  }
  aes::gpu::Forget(tables);
}

// After all have read the counter.
__global__ void Advance(uint8_t* counter, uint32_t blocks) {
  uint32_t number = static_cast<uint32_t>(counter[12]) << 24 |
                    static_cast<uint32_t>(counter[13]) << 16 |
                    static_cast<uint32_t>(counter[14]) << 8 | counter[15];
  number += blocks;
  for (int i = 0; i < 4; ++i) {
    counter[12 + i] = static_cast<uint8_t>(number >> (24 - 8 * i));
  }
}

void Launch(const CudaArgs& args) {
  const auto& p = args.Params<AesCtr::Params>();
  Task task = {args.Get<uint8_t>(0),
               args.Get<uint8_t>(1),
               args.Get<uint8_t>(2),
               uint64_t{p.bytes_high} << 32 | p.bytes_low,
               static_cast<int>(p.rounds),
               false,
               false};
  if (task.bytes == 0) return;
  task.aligned = reinterpret_cast<uintptr_t>(task.data) % 16 == 0;
  const uint64_t resident =
      static_cast<uint64_t>(args.multiprocessors) * kBlocksOfSm;
  const uint64_t most = task.bytes / 16 / F::kSize + 2;  // frames
  task.direct = most <= 2 * kWarps * resident;
  const auto grid = static_cast<unsigned>(std::max(
      std::min(resident, most), (most + kMostFrames - 1) / kMostFrames));
  Crypt<<<grid, kThreads, 0, args.stream>>>(task);
  Advance<<<1, 1, 0, args.stream>>>(
      args.Get<uint8_t>(1), static_cast<uint32_t>((task.bytes + 15) / 16));
}

}  // namespace

CudaEntry AesCtr::Cuda() { return {Launch}; }

}  // namespace assay
