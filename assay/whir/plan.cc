// Adds up what a proof allocates, in the order in which it does.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "assay/base/text.h"
#include "assay/whir/code_shapes.h"
#include "assay/whir/commitment.h"
#include "assay/whir/grinder.h"
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

uint64_t Bytes(const CodeShape& shape) {
  return shape.CodewordBytes() + shape.TreeBytes();
}

// The most that one batch puts and takes.
ScratchSize ScratchOf(const Schedule& schedule,
                      const std::vector<CodeShape>& shapes,
                      const Placement& placement) {
  const Parameters& parameters = schedule.parameters;
  const auto some = [](int count) {
    return std::min<uint64_t>(static_cast<uint64_t>(count), kPointsAtOnce);
  };
  const int variables = parameters.n - schedule.first_fold;
  ScratchSize most = Grinder::kScratch.Or(
      BaseTable::SumsScratch(parameters.n, schedule.first_fold) *
      some(parameters.points));
  most = most.Or(FoldedTables::FoldScratch(schedule.first_fold));
  most = most.Or(FoldedTables::PointScratch(variables) *
                 some(parameters.points + schedule.commitment_ood));
  for (size_t i = 0; i < schedule.rounds.size(); ++i) {
    const Round& round = schedule.rounds[i];
    const ScratchSize point = FoldedTables::PointScratch(round.variables);
    most = most.Or(point + FoldedTables::kMessageScratch);
    most = most.Or(point * some(round.ood) +
                   FoldedTables::PowersScratch(round.Openings()) +
                   FoldedTables::kMessageScratch);
    most = most.Or(Commitment::OpenScratch(shapes[i], round.Openings()));
    if (round.variables <= placement.host_variables) {
      most = most.Or(FoldedTables::PutScratch(round.variables));
    }
  }
  return most.Or(
      Commitment::OpenScratch(shapes.back(), schedule.final.Openings()));
}

// In the order of prove.cc.
void AddBytes(Plan& plan) {
  const Schedule& schedule = plan.schedule;
  const Parameters& parameters = schedule.parameters;
  const std::vector<CodeShape> shapes = CodeShapes(schedule);
  const int variables = parameters.n - schedule.first_fold;
  const uint64_t evaluations = uint64_t{4} << parameters.n;
  const uint64_t table = sizeof(Ext4) << variables;
  plan.scratch = ScratchOf(schedule, shapes, plan.placement);
  plan.largest_bytes = std::max(evaluations, table);
  for (const CodeShape& shape : shapes) {
    plan.largest_bytes = std::max(
        {plan.largest_bytes, shape.CodewordBytes(), shape.TreeBytes()});
  }

  Ledger ledger;
  ledger.Take(Room(plan.scratch.in_bytes) + Room(plan.scratch.out_bytes));
  ledger.Take(uint64_t{4} << LogTwiddles(shapes));
  ledger.Take(evaluations);
  ledger.Take(Bytes(shapes[0]));
  ledger.Take(table);  // f
  ledger.Give(evaluations);
  // W, unless both tables go to the host with the first root.
  const int host_variables = plan.placement.host_variables;
  uint64_t tables = table;
  if (variables > host_variables) {
    ledger.Take(table);
    tables += table;
  }
  for (size_t i = 0; i < schedule.rounds.size(); ++i) {
    ledger.Take(Bytes(shapes[i + 1]));
    if (schedule.rounds[i].variables <= host_variables) {
      ledger.Give(std::exchange(tables, 0));
    }
    ledger.Give(Bytes(shapes[i]));
  }
  plan.peak_bytes = ledger.peak();
}

// Whether parameters changed by `change` are feasible within the limit.
template <class Change>
std::optional<uint64_t> PeakOf(Parameters parameters, const Profile& profile,
                               const Change& change) {
  change(parameters);
  const Result<Schedule> schedule = Derive(parameters, profile);
  if (!schedule.ok()) return std::nullopt;
  Plan plan;
  plan.schedule = *schedule;
  AddBytes(plan);
  return plan.peak_bytes;
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
                      const Profile& profile, const Placement& placement) {
  ASSAY_ASSIGN(schedule, Derive(parameters, profile));
  Plan plan;
  plan.schedule = std::move(schedule);
  plan.placement = placement;
  plan.seeds = std::make_shared<const Seeds>(plan.schedule);
  AddBytes(plan);
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

Result<Plan> MakePlan(const Parameters& parameters, Runtime& runtime,
                      Offload offload) {
  const bool whole = offload == Offload::kFused || offload == Offload::kSteps;
  Runtime* worker = &runtime;
  if (!whole) {
    ASSAY_ASSIGN(host, runtime.Host());
    worker = host;
  }
  Device& device = worker->device();
  const DeviceInfo& info = device.info();
  ASSAY_ASSIGN(plan,
               MakePlan(parameters, device.budget().limit_bytes(), kProfile080,
                        PlacementFor(runtime.device().info().kind)));
  if (plan.largest_bytes > info.max_binding_bytes) {
    return Error{
        Code::kOverBudget,
        fmt::format("a proof at n={}, fold={}, rate={} has a buffer of "
                    "{}; {} binds at most {}",
                    parameters.n, parameters.fold, parameters.rate,
                    HumanBytes(plan.largest_bytes), info.name,
                    HumanBytes(info.max_binding_bytes)),
        "a smaller n or rate, or --device cpu"};
  }
  return plan;
}

}  // namespace assay::whir
