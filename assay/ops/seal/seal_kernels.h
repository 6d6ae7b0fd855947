// Kernel of AES-GCM's pass over data, key stream and hash fused.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay {

// seal::Encrypt or Decrypt (ops/seal/seal.h). Bindings: 15 round keys and the
// hash key, blocks of 16 bytes; the counter and the hash so far, both brought
// forward; the input; the output, which may be the input. Reads and writes the
// data once. Constant-time.
struct SealGcm {
  static constexpr std::string_view kName = "seal.gcm";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite,
                                           Access::kRead, Access::kReadWrite};
  struct Params {
    uint32_t bytes_low;
    uint32_t bytes_high;
    uint32_t rounds;  // 10, 12 or 14
    uint32_t decrypt;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  // A group has 128 lanes of eight blocks each, several times over where there
  // is more than keeps a device busy.
  static WgslPlan PlanWgsl(const Params& p) {
    const uint64_t bytes = uint64_t{p.bytes_high} << 32 | p.bytes_low;
    if (bytes == 0) return {};
    const uint64_t groups = std::min<uint64_t>((bytes + 16383) / 16384, 2048);
    return {
        {{"seal_begin"}, {"seal_gcm", {static_cast<uint32_t>(groups), 1, 1}}}};
  }
};

}  // namespace assay
