// Kernels that fold the committed table and build the weights of claims.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"
#include "assay/device/wgsl_groups.h"

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
  static WgslPlan PlanWgsl(const Params& p) {
    return {{{"fold_base", WgslGroups(uint64_t{1} << p.log_size, 256)}}};
  }
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
  static WgslPlan PlanWgsl(const Params& p) {
    const uint64_t size = uint64_t{1} << (p.log_low + p.log_high);
    return {{{"weights_eq", WgslGroups(size, 256)}}};
  }
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
  // Powers of the low 8 bits of an index and of the others go to scratch,
  // for y in fours.
  static WgslPlan PlanWgsl(const Params& p) {
    if (p.count == 0) return {};
    const uint64_t low = uint64_t{1} << std::min(p.log_size, 8u);
    const uint64_t high = (uint64_t{1} << p.log_size) / low;
    const uint32_t fours = (p.count + 3) / 4;
    std::array<uint32_t, 3> groups = WgslGroups(low + high, 256);
    groups[1] = fours;
    return {{{"weights_select_powers", groups},
             {"weights_select", WgslGroups(high, 1)}},
            16 * fours * (low + 4 * high)};
  }
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
  static WgslPlan PlanWgsl(const Params& p) {
    return {{{"fold_reverse", WgslGroups(uint64_t{1} << p.log_size, 256)}}};
  }
};

}  // namespace assay
