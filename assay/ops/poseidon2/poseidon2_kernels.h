// Kernel of the permutation by itself: many independent states.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"
#include "assay/device/wgsl_groups.h"

namespace assay {

// Permutes `count` states in place, cell-major: cell i of state s at word
// i * count + s. 564 multiplications a state.
struct Poseidon2Permute {
  static constexpr std::string_view kName = "poseidon2.permute";
  static constexpr std::array kBindings = {Access::kReadWrite};
  struct Params {
    uint32_t count;
    uint32_t pad[3];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  static WgslPlan PlanWgsl(const Params& p) {
    if (p.count == 0) return {};
    return {{{"poseidon2_permute", WgslGroups(p.count, 128)}}};
  }
};

}  // namespace assay
