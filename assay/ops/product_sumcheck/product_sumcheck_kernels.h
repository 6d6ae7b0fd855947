// Kernels of the sum-check of a product of multilinears over GF(2^128).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay {

// Column j of `factors` columns (1 to 6) is 2^log_size elements of four words
// from element j * stride on, with stride = stride_low + 2^32 stride_high. A
// stride that is no power of two keeps the columns out of each other's way
// in caches. Nodes, their order and grids: ops/product_sumcheck. Sums are
// kept raw and reduced once a chunk.
struct ProductSumcheckParams {
  uint32_t factors;
  uint32_t log_size;
  uint32_t stride_low;
  uint32_t stride_high;
};

// In WGSL: sums are cleared in a pass of their own, then groups of 64 add to
// them. `positions`: how many indices the kernel walks; a kernel that measures
// nothing takes its pass `last` instead.
inline WgslPlan PlanProductSumcheck(uint64_t positions, std::string_view clear,
                                    std::string_view main,
                                    std::string_view last = {}) {
  if (positions == 0) return {{{last}}};
  const uint64_t groups = std::min<uint64_t>((positions + 63) / 64, 2048);
  return {{{clear}, {main, {static_cast<uint32_t>(groups), 1, 1}}}};
}

// out[k] = R(node k), d + 1 elements; log_size >= 1. Reads each element once.
struct ProductSumcheckRound {
  static constexpr std::string_view kName = "product_sumcheck.round";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  using Params = ProductSumcheckParams;
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  static WgslPlan PlanWgsl(const Params& p) {
    return PlanProductSumcheck((uint64_t{1} << p.log_size) >> 1,
                               "product_sumcheck_round_clear",
                               "product_sumcheck_round");
  }
};

// Binds the highest variable of all columns to r in place and measures the
// next round in the same pass. out[0] stays, since R(0) = claim + R(1);
// out[k] = R(node k) for the other d nodes; all stay where one entry is
// left. Entries beyond the new size keep stale values. Reads each element
// once, writes half as many. `log_size`: before, >= 1.
struct ProductSumcheckFold {
  static constexpr std::string_view kName = "product_sumcheck.fold";
  static constexpr std::array kBindings = {Access::kReadWrite,
                                           Access::kReadWrite};
  struct Params {
    ProductSumcheckParams table;
    uint32_t r[4];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  static WgslPlan PlanWgsl(const Params& p) {
    return PlanProductSumcheck(
        (uint64_t{1} << p.table.log_size) >> 2, "product_sumcheck_fold_clear",
        "product_sumcheck_fold", "product_sumcheck_fold_last");
  }
};

// Most factors that the two-round kernels take. With more of them the products
// at (d + 1)^2 nodes cost more than the pass over memory that they save.
inline constexpr uint32_t kMostGridFactors = 2;

// out[p (d+1) + q] = G(node p, node q): two rounds in one pass over the
// columns. log_size >= 2.
struct ProductSumcheckGrid {
  static constexpr std::string_view kName = "product_sumcheck.grid";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  using Params = ProductSumcheckParams;
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  static WgslPlan PlanWgsl(const Params& p) {
    return PlanProductSumcheck((uint64_t{1} << p.log_size) >> 2,
                               "product_sumcheck_grid_clear",
                               "product_sumcheck_grid");
  }
};

// Binds the two highest variables to r, then s, in place and measures the
// grid of the next two rounds. out[0] stays, since G(0, 0) follows from the
// claim; all stay where fewer than four entries are left. `log_size`:
// before, >= 2.
struct ProductSumcheckFoldGrid {
  static constexpr std::string_view kName = "product_sumcheck.fold_grid";
  static constexpr std::array kBindings = {Access::kReadWrite,
                                           Access::kReadWrite};
  struct Params {
    ProductSumcheckParams table;
    uint32_t r[4];
    uint32_t s[4];
  };
  static CpuEntry Cpu();
  static CudaEntry Cuda();
  static std::string_view Wgsl();
  static WgslPlan PlanWgsl(const Params& p) {
    return PlanProductSumcheck((uint64_t{1} << p.table.log_size) >> 4,
                               "product_sumcheck_fold_grid_clear",
                               "product_sumcheck_fold_grid",
                               "product_sumcheck_fold_grid_last");
  }
};

}  // namespace assay
