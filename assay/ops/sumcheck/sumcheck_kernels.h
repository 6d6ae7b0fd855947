// Kernels of the quadratic sum-check over the quartic extension.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay {

// Extension tables on a device are four planes, `stride` words apart: word i
// of plane l is coefficient l of entry i. The variable bound first is the
// top bit of the index: entry i pairs with entry i + size / 2.
//
// A product weight is given in two parts: entry i of 2^(log_high + log_low)
// is high[i >> log_low] * low[i mod 2^log_low]; `low` has four planes of
// 2^log_low words, `high` is 2^log_high elements of four words each.

// out[c] = sum_i table[c * size + i] * weight[i] for `blocks` blocks of
// size = 2^(log_high + log_low) base-field words; 4 words a block. The first
// rounds of a sum-check and the values of claims come from these sums.
struct SumcheckPartial {
  static constexpr std::string_view kName = "sumcheck.partial";
  static constexpr std::array kBindings = {Access::kRead, Access::kRead,
                                           Access::kRead, Access::kReadWrite};
  struct Params {
    uint32_t blocks;
    uint32_t log_low;
    uint32_t log_high;
    uint32_t pad;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

// out = sum_i table[i] * weight[i] for an extension table; 4 words.
struct SumcheckEvaluate {
  static constexpr std::string_view kName = "sumcheck.evaluate";
  static constexpr std::array kBindings = {Access::kRead, Access::kRead,
                                           Access::kRead, Access::kReadWrite};
  struct Params {
    uint32_t stride;
    uint32_t log_low;
    uint32_t log_high;
    uint32_t pad;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

// out = (h(0), leading coefficient) of h(X) = sum_i f(X, i) w(X, i) for
// tables of 2^log_size >= 2 entries; 8 words.
struct SumcheckRound {
  static constexpr std::string_view kName = "sumcheck.round";
  static constexpr std::array kBindings = {Access::kRead, Access::kRead,
                                           Access::kReadWrite};
  struct Params {
    uint32_t f_stride;
    uint32_t w_stride;
    uint32_t log_size;
    uint32_t pad;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

// Binds the top variable of both tables to r in place, entry i becoming
// t[i] + r (t[i + size/2] - t[i]), and measures the next round in the same
// pass (out as SumcheckRound; untouched when one entry is left). Entries
// beyond the new size keep stale values.
struct SumcheckFold {
  static constexpr std::string_view kName = "sumcheck.fold";
  static constexpr std::array kBindings = {
      Access::kReadWrite, Access::kReadWrite, Access::kReadWrite};
  struct Params {
    uint32_t f_stride;
    uint32_t w_stride;
    uint32_t log_size;  // before, >= 1
    uint32_t pad;
    uint32_t r[4];  // residues
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

}  // namespace assay
