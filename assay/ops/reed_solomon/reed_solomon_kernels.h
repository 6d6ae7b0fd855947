// Kernel that multiplies shards by a matrix over GF(2^8).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay {

// out_i = sum_j rows[i][j] in_j, byte by byte, for i < outputs and
// j < inputs: encoding and repair alike. `rows`: outputs x inputs bytes. Shard
// j lies at j * in_stride of `in`, shard i at i * out_stride of `out`, each
// `bytes` long. Reads `in` once for each four outputs on cpu, eight on cuda
// (out of the cache from the second time on) and writes `out` once.
struct ReedSolomonApply {
  static constexpr std::string_view kName = "reed_solomon.apply";
  static constexpr std::array kBindings = {Access::kRead, Access::kRead,
                                           Access::kReadWrite};
  struct Params {
    uint32_t outputs;
    uint32_t inputs;
    uint32_t bytes_low, bytes_high;
    uint32_t in_stride_low, in_stride_high;
    uint32_t out_stride_low, out_stride_high;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

// `bytes` bytes of shards, which are `stride` bytes apart.
struct ShardView {
  View<std::byte> data;
  uint64_t stride;
};

void RecordReedSolomon(Recorder& recorder, const View<std::byte>& rows,
                       uint32_t outputs, uint32_t inputs, uint64_t bytes,
                       const ShardView& in, const ShardView& out);

}  // namespace assay
