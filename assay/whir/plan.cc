// Adds up what a proof allocates, in the order in which it does.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "assay/base/text.h"
#include "assay/whir/code_shapes.h"
#include "assay/whir/commitment.h"
#include "assay/whir/tables.h"

namespace assay::whir {
namespace {

// Bytes alive, and the most there were.
class Ledger {
 public:
  void Take(uint64_t bytes) {
    live_ += bytes;
    peak_ = std::max(peak_, live_);
  }
  void Give(uint64_t bytes) { live_ -= bytes; }
  void Borrow(uint64_t bytes) {
    Take(bytes);
    Give(bytes);
  }
  uint64_t peak() const { return peak_; }

 private:
  uint64_t live_ = 0;
  uint64_t peak_ = 0;
};

uint64_t PeakBytes(const Schedule& schedule) {
  const Parameters& parameters = schedule.parameters;
  const std::vector<CodeShape> shapes = CodeShapes(schedule);
  const auto bytes = [](const CodeShape& shape) {
    return shape.CodewordBytes() + shape.TreeBytes();
  };
  const int variables = parameters.n - schedule.first_fold;
  const uint64_t evaluations = uint64_t{4} << parameters.n;
  const uint64_t first = sizeof(Ext4) << schedule.first_fold;

  Ledger ledger;
  ledger.Take(uint64_t{4} << LogTwiddles(shapes));
  ledger.Take(evaluations);
  ledger.Take(bytes(shapes[0]));
  ledger.Borrow(FoldedTables::ScratchBytes(variables, 0) + first);
  ledger.Take(sizeof(Ext4) << variables);  // f
  ledger.Take(2 * sizeof(Ext4));
  ledger.Borrow(first);
  ledger.Give(evaluations);
  ledger.Take(sizeof(Ext4) << variables);  // W
  ledger.Borrow(FoldedTables::ScratchBytes(variables, 0));
  ledger.Borrow(kGrindBytes);
  for (size_t i = 0; i < schedule.rounds.size(); ++i) {
    const Round& round = schedule.rounds[i];
    ledger.Take(bytes(shapes[i + 1]));
    if (round.ood > 0) {
      ledger.Borrow(FoldedTables::ScratchBytes(round.variables, 0));
    }
    ledger.Borrow(kGrindBytes);
    ledger.Borrow(Commitment::OpenBytes(shapes[i], round.Openings()));
    ledger.Give(bytes(shapes[i]));
    ledger.Borrow(
        FoldedTables::ScratchBytes(round.variables, round.Openings()));
  }
  ledger.Borrow(kGrindBytes);
  ledger.Borrow(
      Commitment::OpenBytes(shapes.back(), schedule.final.Openings()));
  return ledger.peak();
}

// Whether parameters changed by `change` are feasible within the limit.
template <class Change>
std::optional<uint64_t> PeakOf(Parameters parameters, const Profile& profile,
                               const Change& change) {
  change(parameters);
  const Result<Schedule> schedule = Derive(parameters, profile);
  if (!schedule.ok()) return std::nullopt;
  return PeakBytes(*schedule);
}

std::string HintFor(const Parameters& parameters, uint64_t peak_bytes,
                    uint64_t limit_bytes, const Profile& profile) {
  std::string raise =
      fmt::format("raise --memory to {}", HumanBytes(peak_bytes));
  for (int rate = parameters.rate - 1; rate >= 1; --rate) {
    const auto peak =
        PeakOf(parameters, profile, [&](Parameters& p) { p.rate = rate; });
    if (peak && *peak <= limit_bytes) {
      return fmt::format("--rate {} needs {}, or {}", rate, HumanBytes(*peak),
                         raise);
    }
  }
  for (int n = parameters.n - 1; n >= parameters.fold; --n) {
    const auto peak =
        PeakOf(parameters, profile, [&](Parameters& p) { p.n = n; });
    if (peak && *peak <= limit_bytes) {
      return fmt::format("n={} needs {}, or {}", n, HumanBytes(*peak), raise);
    }
  }
  return raise;
}

}  // namespace

Result<Plan> MakePlan(const Parameters& parameters, uint64_t limit_bytes,
                      const Profile& profile) {
  ASSAY_ASSIGN(schedule, Derive(parameters, profile));
  Plan plan;
  plan.peak_bytes = PeakBytes(schedule);
  plan.schedule = std::move(schedule);
  if (plan.peak_bytes > limit_bytes) {
    return Error{
        Code::kOverBudget,
        fmt::format("a proof at n={}, fold={}, rate={} needs {}; the "
                    "budget is {}",
                    parameters.n, parameters.fold, parameters.rate,
                    HumanBytes(plan.peak_bytes), HumanBytes(limit_bytes)),
        HintFor(parameters, plan.peak_bytes, limit_bytes, profile)};
  }
  return plan;
}

}  // namespace assay::whir
