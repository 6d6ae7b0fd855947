// Adds up what a sum-check proof allocates.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "assay/base/text.h"
#include "assay/binary/statement.h"
#include "assay/number/gf2_128.h"
#include "assay/ops/product_rounds/product_rounds.h"
#include "assay/ops/product_sumcheck/product_sumcheck_kernels.h"

namespace assay::binary {
namespace {

// Nine cache lines: with up to six columns and four streams in each, no two
// of them fall in one set of a first-level cache of 4 KiB a way.
constexpr uint64_t kGap = 36;
// A GPU's transactions should not lie across its lines of 128 bytes.
constexpr uint64_t kGpuGap = 40;
constexpr int kMinGapVariables = 8;

SumcheckPlan PlanOf(int n, int d, const DeviceInfo& info) {
  SumcheckPlan plan = {.n = n, .d = d};
  plan.stride = uint64_t{1} << n;
  if (n >= kMinGapVariables) {
    plan.stride += info.kind == BackendKind::kCpu ? kGap : kGpuGap;
  }
  // The other devices have no kernels that hash.
  plan.on_device = info.kind == BackendKind::kCuda;
  if (plan.on_device) {
    plan.rest = product_rounds::TranscriptElements(static_cast<size_t>(n),
                                                   static_cast<size_t>(d));
  } else {
    plan.two_rounds = static_cast<uint32_t>(d) <= kMostGridFactors && n >= 2;
    const size_t nodes = static_cast<size_t>(d) + 1;
    plan.rest = plan.two_rounds ? nodes * nodes : nodes;
  }
  plan.peak_bytes = sizeof(Gf2_128) * (plan.ColumnElements() + plan.rest);
  return plan;
}

bool Fits(const SumcheckPlan& plan, const DeviceInfo& info,
          uint64_t limit_bytes) {
  return plan.peak_bytes <= limit_bytes &&
         sizeof(Gf2_128) * plan.ColumnElements() <= info.max_binding_bytes;
}

std::string HintFor(const SumcheckPlan& plan, const DeviceInfo& info,
                    uint64_t limit_bytes) {
  std::string raise =
      plan.peak_bytes > limit_bytes
          ? fmt::format("raise --memory to {}", HumanBytesUp(plan.peak_bytes))
          : "choose --device cpu";
  for (int n = plan.n - 1; n >= 1; --n) {
    const SumcheckPlan smaller = PlanOf(n, plan.d, info);
    if (!Fits(smaller, info, limit_bytes)) continue;
    return fmt::format("n={} needs {}, or {}", n,
                       HumanBytesUp(smaller.peak_bytes), raise);
  }
  return raise;
}

}  // namespace

Result<SumcheckPlan> PlanSumcheck(int n, int d, const DeviceInfo& info,
                                  uint64_t limit_bytes) {
  if (n < 1 || n > kMaxVariables || d < 1 || d > kMaxFactors) {
    return Error{
        Code::kInvalidInput,
        fmt::format("there is no sum-check with n={}, d={}", n, d),
        fmt::format("n is 1 to {}, d is 1 to {}", kMaxVariables, kMaxFactors)};
  }
  const SumcheckPlan plan = PlanOf(n, d, info);
  if (Fits(plan, info, limit_bytes)) return plan;
  const std::string what =
      plan.peak_bytes > limit_bytes
          ? fmt::format("{}; the budget is {}", HumanBytes(plan.peak_bytes),
                        HumanBytes(limit_bytes))
          : fmt::format("columns of {} in one binding; {} takes {}",
                        HumanBytes(sizeof(Gf2_128) * plan.ColumnElements()),
                        info.name, HumanBytes(info.max_binding_bytes));
  return Error{Code::kOverBudget,
               fmt::format("a sum-check with n={}, d={} needs {}", n, d, what),
               HintFor(plan, info, limit_bytes)};
}

Result<SumcheckPlan> PlanSumcheck(int n, int d, const Device& device) {
  return PlanSumcheck(n, d, device.info(), device.budget().limit_bytes());
}

ProductRoundsTable TableOf(const SumcheckPlan& plan) {
  return {static_cast<uint32_t>(plan.d), static_cast<uint32_t>(plan.n),
          static_cast<uint32_t>(plan.stride),
          static_cast<uint32_t>(plan.stride >> 32)};
}

}  // namespace assay::binary
