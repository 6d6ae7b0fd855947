// Kernel of AES in counter mode.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay {

// data ^= the key stream from the counter on, which then is the one after the
// blocks used. Bindings: 15 round keys of 16 bytes (those beyond `rounds` are
// not used), the counter block, the data. Reads and writes the data once.
// Constant-time.
struct AesCtr {
  static constexpr std::string_view kName = "aes.ctr";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite,
                                           Access::kReadWrite};
  struct Params {
    uint32_t bytes_low;
    uint32_t bytes_high;
    uint32_t rounds;  // 10, 12 or 14
    uint32_t pad;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  // A group has 128 lanes of eight blocks each.
  static WgslPlan PlanWgsl(const Params& p) {
    const uint64_t bytes = uint64_t{p.bytes_high} << 32 | p.bytes_low;
    if (bytes == 0) return {};
    const uint64_t groups = std::min<uint64_t>((bytes + 16383) / 16384, 4096);
    return {
        {{"aes_ctr", {static_cast<uint32_t>(groups), 1, 1}}, {"aes_advance"}}};
  }
};

}  // namespace assay
