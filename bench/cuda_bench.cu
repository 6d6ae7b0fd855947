// Times kernels on a GPU beside what its memory gives in the same run.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "assay/device/open_device.h"
#include "assay/number/gf2_128.h"
#include "assay/ops/ghash/ghash_kernels.h"
#include "assay/ops/product_sumcheck/product_sumcheck_kernels.h"

namespace assay {
namespace {

constexpr int kRuns = 7;

// Reads all of it once: the roof.
__global__ void ReadAll(const ulonglong2* data, size_t count,
                        unsigned long long* out) {
  unsigned long long sum = 0;
  const size_t step = size_t{gridDim.x} * blockDim.x;
  size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + 7 * step < count; i += 8 * step) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const ulonglong2 x = __ldcs(data + i + static_cast<size_t>(k) * step);
      sum ^= x.x ^ x.y;
    }
  }
  for (; i < count; i += step) sum ^= data[i].x ^ data[i].y;
  if (sum == 0x123456789abcdef) *out = sum;
}

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Seconds of a submission, by the host's clock and by the kernels' events.
struct Times {
  double host = 0, kernels = 0;
};
Times Measure(Device& device, const std::function<void(Recorder&)>& record) {
  std::vector<double> host, kernels;
  for (int run = -2; run < kRuns; ++run) {
    Recorder recorder = device.Record("bench");
    record(recorder);
    const auto begin = std::chrono::steady_clock::now();
    const Status status = device.Run(std::move(recorder));
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", status.error().what.c_str());
      std::exit(1);
    }
    Trace trace;
    device.CollectSpans(trace);
    int64_t ns = 0;
    for (const Span& span : trace.spans()) ns += span.duration_ns;
    if (run < 0) continue;
    host.push_back(seconds);
    kernels.push_back(static_cast<double>(ns) / 1e9);
  }
  return {Median(host), Median(kernels)};
}

double Roof(const void* data, size_t bytes) {
  static unsigned long long* out = nullptr;
  if (out == nullptr) cudaMalloc(&out, 8);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<double> seconds;
  for (int run = -2; run < kRuns; ++run) {
    cudaEventRecord(begin);
    ReadAll<<<132 * 8, 256>>>(static_cast<const ulonglong2*>(data), bytes / 16,
                              out);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    if (run >= 0) seconds.push_back(ms / 1e3);
  }
  return static_cast<double>(bytes) / Median(seconds);
}

void BenchGhash(Device& device) {
  std::printf(
      "GHASH: bytes, host us, kernels us, TB/s of kernels, roof, share\n");
  for (int log = 10; log <= 33; ++log) {
    if (log < 20 && log % 2 != 0) continue;
    const size_t bytes = size_t{1} << log;
    auto data = device.Allocate(bytes, "data");
    auto key = device.Allocate(16, "key"), state = device.Allocate(16, "state");
    if (!data.ok() || !key.ok() || !state.ok()) return;
    const auto view = data->As<uint8_t>();
    cudaMemset(reinterpret_cast<void*>(view.raw.buffer.handle), 0x5a, bytes);
    const std::vector<uint8_t> h(16, 0x37), zero(16, 0);
    (void)device.Upload<uint8_t>(key->As<uint8_t>(), h);
    (void)device.Upload<uint8_t>(state->As<uint8_t>(), zero);
    const Times t = Measure(device, [&](Recorder& recorder) {
      RecordGhash(recorder, key->As<uint8_t>(), view, state->As<uint8_t>(),
                  bytes);
    });
    const double roof =
        Roof(reinterpret_cast<void*>(view.raw.buffer.handle), bytes);
    const double rate = static_cast<double>(bytes) / t.kernels;
    std::printf("%zu %.1f %.1f %.3f %.3f %.1f %%\n", bytes, t.host * 1e6,
                t.kernels * 1e6, rate / 1e12, roof / 1e12, 100 * rate / roof);
    std::fflush(stdout);
  }
}

// All rounds with challenges that do not depend on the messages: what the
// kernels take. One submission a proof.
void BenchSumcheck(Device& device) {
  std::printf("sum-check kernels: n, d, rounds a pass, host ms, kernels ms\n");
  for (const uint32_t n : {16u, 20u, 24u, 28u}) {
    for (const uint32_t d : {2u, 3u, 4u}) {
      const uint64_t size = uint64_t{1} << n, stride = size + 64;
      auto table = device.Allocate(stride * d * 16, "columns");
      auto out = device.Allocate(16 * 64, "out");
      if (!table.ok() || !out.ok()) continue;
      cudaMemset(
          reinterpret_cast<void*>(table->As<uint8_t>().raw.buffer.handle), 0x5a,
          stride * d * 16);
      for (const bool two : {false, true}) {
        if (two && d > kMostGridFactors) continue;
        const Times t = Measure(device, [&](Recorder& recorder) {
          ProductSumcheckParams p = {d, n, static_cast<uint32_t>(stride),
                                     static_cast<uint32_t>(stride >> 32)};
          const RawView columns = table->As<uint8_t>().raw;
          const RawView sums = out->As<uint8_t>().raw;
          if (!two) {
            recorder.Dispatch<ProductSumcheckRound>({columns, sums}, p);
            for (; p.log_size >= 1; --p.log_size) {
              recorder.Dispatch<ProductSumcheckFold>(
                  {columns, sums}, {p, {1, 2, 3, p.log_size}});
            }
            return;
          }
          recorder.Dispatch<ProductSumcheckGrid>({columns, sums}, p);
          for (; p.log_size >= 2; p.log_size -= 2) {
            recorder.Dispatch<ProductSumcheckFoldGrid>(
                {columns, sums},
                {p, {1, 2, 3, p.log_size}, {4, 5, 6, p.log_size}});
          }
        });
        std::printf("%u %u %d %.3f %.3f\n", n, d, two ? 2 : 1, t.host * 1e3,
                    t.kernels * 1e3);
        std::fflush(stdout);
      }
    }
  }
}

}  // namespace
}  // namespace assay

int main() {
  auto device = assay::OpenDevice("cuda", {});
  if (!device.ok()) {
    std::fprintf(stderr, "%s\n", device.error().what.c_str());
    return 1;
  }
  std::printf("%s, %s\n", (*device)->info().name.c_str(),
              (*device)->info().detail.c_str());
  assay::BenchGhash(**device);
  assay::BenchSumcheck(**device);
}
