// GHASH on a GPU against size, by carry-less products and bit by bit.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "assay/ops/ghash/ghash.h"
#include "assay/ops/ghash/ghash_kernels.h"
#include "bench/cuda_measure.h"
#include "bench/ghash_bit_sliced.h"

namespace assay::bench {
namespace {

constexpr size_t kMostCompared = size_t{1} << 20;

ghash::Block BlockOf(const void* device_block) {
  ghash::Block block;
  cudaMemcpy(block.data(), device_block, block.size(), cudaMemcpyDeviceToHost);
  return block;
}

__global__ void Nothing() {}

// Both forms from a zero state, and the meaning where the data is short.
void Compare(Device& device, const Buffer& key, const Buffer& data,
             const Buffer& state, size_t bytes, int multiprocessors) {
  cudaMemset(PointerOf(state), 0, 16);
  cudaDeviceSynchronize();
  Recorder recorder = device.Record("compare");
  RecordGhash(recorder, key.As<uint8_t>(), data.As<uint8_t>(),
              state.As<uint8_t>(), bytes);
  const Status status = device.Run(std::move(recorder));
  const ghash::Block by_products = BlockOf(PointerOf(state));
  cudaMemset(PointerOf(state), 0, 16);
  LaunchBitSlicedGhash(static_cast<const uint8_t*>(PointerOf(key)),
                       static_cast<const uint8_t*>(PointerOf(data)), bytes,
                       static_cast<uint8_t*>(PointerOf(state)), multiprocessors,
                       nullptr);
  bool equal = status.ok() && BlockOf(PointerOf(state)) == by_products;
  if (bytes <= kMostCompared) {
    std::vector<uint8_t> copy(bytes);
    cudaMemcpy(copy.data(), PointerOf(data), bytes, cudaMemcpyDeviceToHost);
    equal =
        equal && ghash::Hash(BlockOf(PointerOf(key)), {}, copy) == by_products;
  }
  if (equal) return;
  std::fprintf(stderr, "GHASH of %zu bytes: the forms differ\n", bytes);
  std::exit(1);
}

}  // namespace

void BenchGhash(Device& device) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, device.info().index);
  const int multiprocessors = properties.multiProcessorCount;
  constexpr size_t kMost = size_t{1} << 33;
  const Buffer data = Filled(device, kMost), key = Filled(device, 16),
               state = Filled(device, 16);
  // Lengths that end anywhere.
  for (const size_t bytes : {1, 15, 17, 100, 16383, 16385, 1000003}) {
    Compare(device, key, data, state, bytes, multiprocessors);
  }
  std::printf("an empty kernel, queued: %.2f us\n",
              MeasureLaunch([](int) { Nothing<<<1, 32>>>(); }) * 1e6);
  std::printf(
      "GHASH: bytes, host us, alone us, queued us, TB/s queued, roof TB/s, "
      "share, bit-sliced us, TB/s, clmad is faster by\n");
  for (int log = 10; log <= 33; ++log) {
    if (log < 20 && log % 2 != 0) continue;
    const size_t bytes = size_t{1} << log;
    Compare(device, key, data, state, bytes, multiprocessors);
    const Windows windows = {kMost, bytes};
    const Times t = Measure(device, [&](Recorder& recorder, int run) {
      RecordGhash(recorder, key.As<uint8_t>(),
                  data.As<uint8_t>().Sub(windows.Offset(run), bytes),
                  state.As<uint8_t>(), bytes);
    });
    const double sliced = MeasureLaunch([&](int run) {
      LaunchBitSlicedGhash(
          static_cast<const uint8_t*>(PointerOf(key)),
          static_cast<const uint8_t*>(PointerOf(data)) + windows.Offset(run),
          bytes, static_cast<uint8_t*>(PointerOf(state)), multiprocessors,
          nullptr);
    });
    const double roof = Roof(data, bytes);
    const double rate = static_cast<double>(bytes) / t.queued;
    std::printf("%zu %.1f %.2f %.2f %.3f %.3f %.1f%% %.2f %.4f %.1f\n", bytes,
                t.host * 1e6, t.alone * 1e6, t.queued * 1e6, rate / 1e12,
                roof / 1e12, 100 * rate / roof, sliced * 1e6,
                static_cast<double>(bytes) / sliced / 1e12, sliced / t.queued);
    std::fflush(stdout);
  }
}

}  // namespace assay::bench
