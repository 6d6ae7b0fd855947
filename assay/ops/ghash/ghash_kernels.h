// Kernel that hashes bytes by GHASH.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay {

// state = GHASH of `bytes` bytes of `data` under the key, going on from the
// state; zeros fill up the last block. Bindings: the hash key, the data, the
// state, blocks of 16 bytes; on cuda all begin at multiples of 16 bytes. Reads
// the data once.
struct Ghash {
  static constexpr std::string_view kName = "ghash.hash";
  static constexpr std::array kBindings = {Access::kRead, Access::kRead,
                                           Access::kReadWrite};
  struct Params {
    uint32_t bytes_low;
    uint32_t bytes_high;
    uint32_t pad[2];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  // A group has 128 lanes and, where there are many blocks, at least 16 of
  // them a lane: what it costs to begin and end is some 15 products a lane.
  static WgslPlan PlanWgsl(const Params& p) {
    const uint64_t bytes = uint64_t{p.bytes_high} << 32 | p.bytes_low;
    if (bytes == 0) return {};
    const uint64_t rows = (bytes + 2047) / 2048;
    const uint64_t groups = std::clamp<uint64_t>(rows / 16, 1, 2048);
    return {{{"ghash_begin"},
             {"ghash_hash", {static_cast<uint32_t>(groups), 1, 1}}}};
  }
};

inline void RecordGhash(Recorder& recorder, const View<uint8_t>& h,
                        const View<uint8_t>& data, const View<uint8_t>& state,
                        uint64_t bytes) {
  recorder.Dispatch<Ghash>(
      {h.raw, data.raw, state.raw},
      {static_cast<uint32_t>(bytes), static_cast<uint32_t>(bytes >> 32), {}});
}

}  // namespace assay
