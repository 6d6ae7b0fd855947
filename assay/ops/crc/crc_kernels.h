// Kernel that advances the registers of cyclic redundancy checks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"
#include "assay/ops/crc/crc.h"

namespace assay {

// registers[s] = Advance(generator, registers[s], stream s) for s < streams:
// stream s is `bytes` bytes of `data` from s * stride on. Registers are two
// words each, low word first, raw: a CRC starts from all ones and is
// complemented by the caller. Reads each byte once; two carry-less products
// for 16 bytes.
struct CrcAdvance {
  static constexpr std::string_view kName = "crc.advance";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  struct Params {
    uint32_t width;
    uint32_t streams;
    uint32_t generator_low, generator_high;  // halves of Generator::low
    uint32_t bytes_low, bytes_high;
    uint32_t stride_low, stride_high;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

// Advances `registers` (one uint64_t a stream) over `streams` streams of
// `bytes` bytes, `stride` apart.
void RecordCrc(Recorder& recorder, const crc::Generator& generator,
               const View<std::byte>& data, uint32_t streams, uint64_t stride,
               uint64_t bytes, const View<uint64_t>& registers);

}  // namespace assay
