// Fills in the parameters of the kernel.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/crc/crc_kernels.h"

namespace assay {

void RecordCrc(Recorder& recorder, const crc::Generator& generator,
               const View<std::byte>& data, uint32_t streams, uint64_t stride,
               uint64_t bytes, const View<uint64_t>& registers) {
  const auto low = [](uint64_t x) { return static_cast<uint32_t>(x); };
  const auto high = [](uint64_t x) { return static_cast<uint32_t>(x >> 32); };
  recorder.Dispatch<CrcAdvance>(
      {data.raw, registers.raw},
      {static_cast<uint32_t>(generator.width), streams, low(generator.low),
       high(generator.low), low(bytes), high(bytes), low(stride),
       high(stride)});
}

}  // namespace assay
