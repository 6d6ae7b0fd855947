// Fills in the parameters of the kernel.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/reed_solomon/reed_solomon_kernels.h"

namespace assay {

void RecordReedSolomon(Recorder& recorder, const View<std::byte>& rows,
                       uint32_t outputs, uint32_t inputs, uint64_t bytes,
                       const ShardView& in, const ShardView& out) {
  const auto low = [](uint64_t x) { return static_cast<uint32_t>(x); };
  const auto high = [](uint64_t x) { return static_cast<uint32_t>(x >> 32); };
  recorder.Dispatch<ReedSolomonApply>(
      {rows.raw, in.data.raw, out.data.raw},
      {outputs, inputs, low(bytes), high(bytes), low(in.stride),
       high(in.stride), low(out.stride), high(out.stride)});
}

}  // namespace assay
