// Medians between events.
// SPDX-License-Identifier: Apache-2.0
#include "bench/cuda_measure.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace assay::bench {
namespace {

constexpr int kWarmUps = 2, kRuns = 7, kQueued = 8;

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

__global__ void Fill(unsigned long long* data, size_t count) {
  const size_t step = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += step) {
    unsigned long long x = (i + 1) * 0x9e3779b97f4a7c15;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
    data[i] = x ^ (x >> 27);
  }
}

[[noreturn]] void End(const Error& error) {
  std::fprintf(stderr, "%s\n", error.what.c_str());
  std::exit(1);
}

}  // namespace

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

Times Measure(Device& device,
              const std::function<void(Recorder&, int run)>& record) {
  std::vector<double> host, alone, queued;
  // The seconds of each of `count` recordings, in one submission.
  const auto run = [&](int first, size_t count) {
    Recorder recorder = device.Record("bench");
    for (size_t i = 0; i < count; ++i) {
      record(recorder, first + static_cast<int>(i));
    }
    const auto begin = std::chrono::steady_clock::now();
    const Status status = device.Run(std::move(recorder));
    host.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count());
    if (!status.ok()) End(status.error());
    Trace trace;
    device.CollectSpans(trace);
    std::vector<double> seconds(count);
    const size_t dispatches = trace.spans().size() / count;
    for (size_t i = 0; i < dispatches * count; ++i) {
      seconds[i / dispatches] +=
          static_cast<double>(trace.spans()[i].duration_ns) / 1e9;
    }
    return seconds;
  };
  for (int i = 0; i < kWarmUps + kRuns; ++i) {
    alone.push_back(run(i, 1).front());
  }
  for (std::vector<double>* times : {&host, &alone}) {
    times->erase(times->begin(), times->begin() + kWarmUps);
  }
  const double host_seconds = Median(host);
  queued = run(kWarmUps + kRuns, kWarmUps + kQueued);
  queued.erase(queued.begin(), queued.begin() + kWarmUps);
  return {host_seconds, Median(alone), Median(queued)};
}

double MeasureLaunch(const std::function<void(int run)>& launch) {
  std::vector<cudaEvent_t> events(kWarmUps + kQueued + 1);
  for (cudaEvent_t& event : events) cudaEventCreate(&event);
  cudaEventRecord(events[0]);
  for (int run = 0; run < kWarmUps + kQueued; ++run) {
    launch(run);
    cudaEventRecord(events[static_cast<size_t>(run) + 1]);
  }
  cudaEventSynchronize(events.back());
  std::vector<double> seconds;
  for (size_t i = kWarmUps + 1; i < events.size(); ++i) {
    float ms = 0;
    cudaEventElapsedTime(&ms, events[i - 1], events[i]);
    seconds.push_back(ms / 1e3);
  }
  for (cudaEvent_t event : events) cudaEventDestroy(event);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    End({Code::kInternal, cudaGetErrorString(error), ""});
  }
  return Median(seconds);
}

// Enough to keep the memory of any GPU busy.
int ManyBlocks() {
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount,
                         device);
  return 8 * multiprocessors;
}

double Roof(const Buffer& buffer, size_t bytes) {
  static unsigned long long* out = nullptr;
  if (out == nullptr) cudaMalloc(&out, 8);
  const auto* data = static_cast<const uint8_t*>(PointerOf(buffer));
  const Windows windows = {buffer.bytes(), bytes};
  return static_cast<double>(bytes) / MeasureLaunch([&](int run) {
           ReadAll<<<ManyBlocks(), 256>>>(
               reinterpret_cast<const ulonglong2*>(data + windows.Offset(run)),
               bytes / 16, out);
         });
}

void* PointerOf(const Buffer& buffer) {
  return reinterpret_cast<void*>(buffer.As<uint8_t>().raw.buffer.handle);
}

Buffer Filled(Device& device, size_t bytes) {
  auto buffer = device.Allocate((bytes + 15) / 16 * 16, "bench");
  if (!buffer.ok()) End(buffer.error());
  Fill<<<ManyBlocks(), 256>>>(
      static_cast<unsigned long long*>(PointerOf(*buffer)), (bytes + 7) / 8);
  cudaDeviceSynchronize();
  return std::move(*buffer);
}

}  // namespace assay::bench
