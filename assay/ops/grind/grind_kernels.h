// Kernel that searches the smallest proof-of-work witness.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"
#include "assay/device/wgsl_groups.h"

namespace assay {

// out[0] = the smallest canonical w in [start, start + count) such that,
// after state[position] = w, the low `bits` bits of the canonical value of
// Permute(state)[7] vanish; 0xffffffff if there is none. `state`: 16
// residues. Precondition: start + count <= p. About 2^bits permutations;
// stops early.
struct Grind {
  static constexpr std::string_view kName = "grind.search";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  struct Params {
    uint32_t position;
    uint32_t bits;
    uint32_t start;
    uint32_t count;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  // As many lanes as candidates are expected, within what a GPU holds.
  static WgslPlan PlanWgsl(const Params& p) {
    const uint64_t lanes =
        std::min<uint64_t>(p.count, std::clamp(1u << p.bits, 128u, 1u << 17));
    return {{{"grind_clear"}, {"grind_search", WgslGroups(lanes, 128)}}};
  }
};

}  // namespace assay
