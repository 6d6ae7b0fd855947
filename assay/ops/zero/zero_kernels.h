// Kernel that overwrites bytes with zeros.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay {

// The first `bytes` bytes become zero, e.g. those of a plaintext whose tag
// does not hold. Binding: the bytes. Writes them once.
struct ZeroBytes {
  static constexpr std::string_view kName = "zero.bytes";
  static constexpr std::array kBindings = {Access::kReadWrite};
  struct Params {
    uint32_t bytes_low;
    uint32_t bytes_high;
    uint32_t pad[2];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  static WgslPlan PlanWgsl(const Params& p) {
    const uint64_t bytes = uint64_t{p.bytes_high} << 32 | p.bytes_low;
    if (bytes == 0) return {};
    const uint64_t groups = std::min<uint64_t>((bytes + 4095) / 4096, 2048);
    return {{{"zero_bytes", {static_cast<uint32_t>(groups), 1, 1}}}};
  }
};

template <class T>
void RecordZero(Recorder& recorder, const View<T>& view) {
  const uint64_t bytes = view.raw.bytes;
  recorder.Dispatch<ZeroBytes>(
      {view.raw},
      {static_cast<uint32_t>(bytes), static_cast<uint32_t>(bytes >> 32), {}});
}

}  // namespace assay
