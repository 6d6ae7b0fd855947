// Kernel that hashes bytes by GHASH.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay {

// state = GHASH of `bytes` bytes of `data` under the key, going on from the
// state; zeros fill up the last block. Bindings: the hash key, the data, the
// state, blocks of 16 bytes. Reads the data once.
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
};

inline void RecordGhash(Recorder& recorder, const View<uint8_t>& h,
                        const View<uint8_t>& data, const View<uint8_t>& state,
                        uint64_t bytes) {
  recorder.Dispatch<Ghash>(
      {h.raw, data.raw, state.raw},
      {static_cast<uint32_t>(bytes), static_cast<uint32_t>(bytes >> 32), {}});
}

}  // namespace assay
