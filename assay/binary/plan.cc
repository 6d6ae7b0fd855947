// Adds up what a sum-check proof allocates.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "assay/base/text.h"
#include "assay/binary/statement.h"
#include "assay/number/gf2_128.h"
#include "assay/ops/product_sumcheck/product_sumcheck_kernels.h"

namespace assay::binary {
namespace {

// Nine cache lines: with up to six columns and four streams in each, no two
// of them fall in one set of a first-level cache of 4 KiB a way.
constexpr uint64_t kGap = 36;
constexpr int kMinGapVariables = 8;

SumcheckPlan PlanOf(int n, int d) {
  SumcheckPlan plan = {.n = n, .d = d};
  plan.stride = (uint64_t{1} << n) + (n >= kMinGapVariables ? kGap : 0);
  plan.two_rounds = static_cast<uint32_t>(d) <= kMostGridFactors && n >= 2;
  const size_t nodes = static_cast<size_t>(d) + 1;
  plan.sums = plan.two_rounds ? nodes * nodes : nodes;
  plan.peak_bytes = sizeof(Gf2_128) * (plan.ColumnElements() + plan.sums);
  return plan;
}

std::string HintFor(const SumcheckPlan& plan, uint64_t limit_bytes) {
  std::string raise =
      fmt::format("raise --memory to {}", HumanBytes(plan.peak_bytes));
  for (int n = plan.n - 1; n >= 1; --n) {
    const SumcheckPlan smaller = PlanOf(n, plan.d);
    if (smaller.peak_bytes > limit_bytes) continue;
    return fmt::format("n={} needs {}, or {}", n,
                       HumanBytes(smaller.peak_bytes), raise);
  }
  return raise;
}

}  // namespace

Result<SumcheckPlan> PlanSumcheck(int n, int d, uint64_t limit_bytes) {
  if (n < 1 || n > kMaxVariables || d < 1 || d > kMaxFactors) {
    return Error{
        Code::kInvalidInput,
        fmt::format("there is no sum-check with n={}, d={}", n, d),
        fmt::format("n is 1 to {}, d is 1 to {}", kMaxVariables, kMaxFactors)};
  }
  const SumcheckPlan plan = PlanOf(n, d);
  if (plan.peak_bytes > limit_bytes) {
    return Error{
        Code::kOverBudget,
        fmt::format("a sum-check with n={}, d={} needs {}; the budget "
                    "is {}",
                    n, d, HumanBytes(plan.peak_bytes), HumanBytes(limit_bytes)),
        HintFor(plan, limit_bytes)};
  }
  return plan;
}

}  // namespace assay::binary
