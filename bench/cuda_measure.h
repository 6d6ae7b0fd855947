// Times submissions and kernels on a GPU, and what its memory gives.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "assay/device/device.h"

namespace assay::bench {

double Median(std::vector<double> values);

// Seconds. An error ends the program. Runs are counted from 0, so that they
// can work on different data: what was just read lies in the cache.
struct Times {
  double host = 0;    // a submission of one recording, by the host's clock
  double alone = 0;   // its dispatches, by events: with waits for launches
  double queued = 0;  // one of several in a submission: the work of the GPU
};
// Medians of 7 after 2, and of the last 8 of a submission of 10.
Times Measure(Device& device,
              const std::function<void(Recorder&, int run)>& record);

// Seconds of what `launch` puts on the default stream, queued: the median of
// the last 8 of 10.
double MeasureLaunch(const std::function<void(int run)>& launch);

// Parts of a buffer, one after the other.
struct Windows {
  size_t all, bytes;
  size_t Offset(int run) const {
    return all / bytes > 1 ? static_cast<size_t>(run) % (all / bytes) * bytes
                           : 0;
  }
};

// Bytes a second at which a kernel reads windows of a buffer, queued.
double Roof(const Buffer& buffer, size_t bytes);

// Device memory of a buffer.
void* PointerOf(const Buffer& buffer);
// A buffer filled with bytes that do not repeat; ends the program where there
// is not so much memory.
Buffer Filled(Device& device, size_t bytes);

// The parts of the bench.
void BenchGhash(Device& device);
void BenchHash(Device& device);
void BenchCrc(Device& device);
void BenchReedSolomon(Device& device);
void BenchSumcheck(Device& device);
void BenchNtt(Device& device);
void BenchWhir(Device& device);

}  // namespace assay::bench
