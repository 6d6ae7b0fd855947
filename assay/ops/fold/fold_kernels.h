// Kernels that fold the committed table and build the weights of claims.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay {

// Table layouts and product weights are those of sumcheck_kernels.h.

// out[i] = sum_c weights[c] * table[c * size + i]: binds the top log_blocks
// variables of a base-field table at once. `weights`: 2^log_blocks elements
// of four words. out: four planes, `stride` words apart, size = 2^log_size.
struct FoldBase {
  static constexpr std::string_view kName = "fold.base";
  static constexpr std::array kBindings = {Access::kRead, Access::kRead,
                                           Access::kReadWrite};
  struct Params {
    uint32_t log_blocks;
    uint32_t log_size;
    uint32_t stride;
    uint32_t pad;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

// w[i] = weight[i] (accumulate 0) or w[i] += weight[i], for a product weight.
struct FoldEq {
  static constexpr std::string_view kName = "weights.eq";
  static constexpr std::array kBindings = {Access::kRead, Access::kRead,
                                           Access::kReadWrite};
  struct Params {
    uint32_t log_low;
    uint32_t log_high;
    uint32_t stride;
    uint32_t accumulate;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

// w[i] += sum_j coefficients[j] * y_j^e for j < count, where e = i, or i with
// its log_size bits reversed if `reversed`. `y`: residues, `coefficients`:
// four words each.
struct FoldSelect {
  static constexpr std::string_view kName = "weights.select";
  static constexpr std::array kBindings = {Access::kRead, Access::kRead,
                                           Access::kReadWrite};
  struct Params {
    uint32_t count;
    uint32_t log_size;
    uint32_t stride;
    uint32_t reversed;
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

// Permutes a base-field table of 2^log_size words in place: entry i goes to i
// with its bits reversed.
struct FoldReverse {
  static constexpr std::string_view kName = "fold.reverse";
  static constexpr std::array kBindings = {Access::kReadWrite};
  struct Params {
    uint32_t log_size;
    uint32_t pad[3];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
};

}  // namespace assay
