// Kernels of the quadratic sum-check over the quartic extension.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"
#include "assay/device/wgsl_groups.h"

namespace assay {

// Extension tables on a device are four planes, `stride` words apart: word i
// of plane l is coefficient l of entry i. The variable bound first is the
// top bit of the index: entry i pairs with entry i + size / 2.
//
// A product weight is given in two parts: entry i of 2^(log_high + log_low)
// is high[i >> log_low] * low[i mod 2^log_low]; `low` has four planes of
// 2^log_low words, `high` is 2^log_high elements of four words each.

// In WGSL: groups of 256 lanes, 2^log_entries entries a lane or more.
constexpr uint32_t SumcheckGroups(uint32_t log_size, uint32_t log_entries) {
  const uint64_t groups = (uint64_t{1} << log_size) >> (8 + log_entries);
  return static_cast<uint32_t>(std::clamp<uint64_t>(groups, 1, 1024));
}

// Passes whose groups leave `words` words each for a second one to add up.
inline WgslPlan PlanSums(uint32_t groups, uint32_t blocks, uint32_t words,
                         std::string_view main, std::string_view finish) {
  if (groups == 1) return {{{main, {1, blocks, 1}}}};
  return {{{main, {groups, blocks, 1}}, {finish, {blocks, 1, 1}}},
          uint64_t{4} * words * groups * blocks};
}

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
  static WgslPlan PlanWgsl(const Params& p) {
    return PlanSums(SumcheckGroups(p.log_low + p.log_high, 4), p.blocks, 4,
                    "sumcheck_partial", "sumcheck_partial_finish");
  }
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
  static WgslPlan PlanWgsl(const Params& p) {
    return PlanSums(SumcheckGroups(p.log_low + p.log_high, 2), 1, 4,
                    "sumcheck_evaluate", "sumcheck_evaluate_finish");
  }
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
  static WgslPlan PlanWgsl(const Params& p) {
    return PlanSums(SumcheckGroups(p.log_size, 2), 1, 8, "sumcheck_round",
                    "sumcheck_round_finish");
  }
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
  static WgslPlan PlanWgsl(const Params& p) {
    if (p.log_size == 1) return {{{"sumcheck_fold_last"}}};
    return PlanSums(SumcheckGroups(p.log_size, 2), 1, 8, "sumcheck_fold",
                    "sumcheck_fold_finish");
  }
};

}  // namespace assay
