// Kernel that adds up blocks by XOR, as fast as memory gives them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay {

// sum ^= the blocks of 16 bytes of `data`. Reads each once.
struct XorSum {
  static constexpr std::string_view kName = "xor_sum.blocks";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  struct Params {
    uint32_t blocks_low;
    uint32_t blocks_high;
    uint32_t pad[2];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  // 256 lanes a group, at least four blocks a lane.
  static WgslPlan PlanWgsl(const Params& p) {
    if (p.blocks_low == 0) return {};
    const uint64_t groups = std::clamp<uint64_t>(p.blocks_low / 1024, 1, 2048);
    return {{{"xor_sum_blocks", {static_cast<uint32_t>(groups), 1, 1}}}};
  }
};

// Precondition: `data` holds whole blocks.
inline void RecordXorSum(Recorder& recorder, const View<uint8_t>& data,
                         const View<uint8_t>& sum) {
  const uint64_t blocks = data.size() / 16;
  recorder.Dispatch<XorSum>(
      {data.raw, sum.raw},
      {static_cast<uint32_t>(blocks), static_cast<uint32_t>(blocks >> 32), {}});
}

}  // namespace assay
