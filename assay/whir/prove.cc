// Checks what is to be proven, tries the devices and has the proof played.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/prove.h"

#include <fmt/format.h>

#include <utility>

#include "assay/whir/grinder.h"
#include "assay/whir/prover.h"

namespace assay::whir {
namespace {

Status CheckSizes(const Parameters& parameters, std::span<const BabyBear> evals,
                  std::span<const Point> points) {
  const uint64_t size = uint64_t{1} << parameters.n;
  if (evals.size() != size) {
    return Error{
        Code::kInvalidInput,
        fmt::format("{} evaluations for n={}", evals.size(), parameters.n),
        fmt::format("n={} takes {}", parameters.n, size)};
  }
  const size_t wanted = parameters.mode == Mode::kGiven
                            ? static_cast<size_t>(parameters.points)
                            : 0;
  if (points.size() != wanted) {
    return Error{
        Code::kInvalidInput,
        fmt::format("{} points given, {} expected", points.size(), wanted),
        "drawn mode takes none"};
  }
  for (const Point& point : points) {
    if (point.size() != static_cast<size_t>(parameters.n)) {
      return Error{Code::kInvalidInput,
                   fmt::format("a point has {} coordinates", point.size()),
                   fmt::format("n={} takes {}", parameters.n, parameters.n)};
    }
  }
  return {};
}

// Where the parts of a proof are done.
struct Devices {
  Runtime* work = nullptr;
  Runtime* near = nullptr;   // null: no part is small enough to go there
  Runtime* grind = nullptr;  // null: that of the work
};

Result<Devices> ChooseDevices(Runtime& runtime, const Placement& placement,
                              Offload offload) {
  Devices devices = {&runtime, nullptr, nullptr};
  if (runtime.device().info().kind == BackendKind::kCpu) return devices;
  const bool whole = offload == Offload::kFused || offload == Offload::kSteps;
  if (whole && placement.host_variables < 0 && placement.host_grind_bits < 0) {
    return devices;
  }
  ASSAY_ASSIGN(host, runtime.Host());
  if (whole) {
    devices.near = host;
  } else if (offload == Offload::kGrind) {
    devices = {host, host, &runtime};
  } else {
    devices = {host, nullptr, nullptr};
  }
  return devices;
}

Status Trust(const Devices& devices, Offload offload) {
  ASSAY_TRY(
      devices.work->Trust({"ntt", "merkle", "sumcheck", "fold", "grind"}));
  if (devices.near != nullptr) {
    ASSAY_TRY(devices.near->Trust({"sumcheck", "fold", "grind"}));
  }
  if (offload == Offload::kGrind && devices.grind != nullptr) {
    ASSAY_TRY(devices.grind->Trust({"grind"}));
  }
  return {};
}

}  // namespace

Status TrustDevices(Runtime& runtime, const Plan& plan, Offload offload) {
  ASSAY_ASSIGN(devices, ChooseDevices(runtime, plan.placement, offload));
  return Trust(devices, offload);
}

Result<Proof> Prove(Runtime& runtime, const Plan& plan,
                    std::span<const BabyBear> evals,
                    std::span<const Point> points,
                    const ProveContext& context) {
  ASSAY_TRY(CheckSizes(plan.schedule.parameters, evals, points));
  ASSAY_ASSIGN(devices,
               ChooseDevices(runtime, plan.placement, context.offload));
  ASSAY_TRY(Trust(devices, context.offload));
  Placement placement = plan.placement;
  if (devices.work == devices.near) placement.host_variables = -1;

  Places places;
  const auto scratch = [&](Runtime* used, const ScratchSize& size,
                           Scratch& made) -> Status {
    if (used == nullptr) return {};
    ASSAY_ASSIGN(fresh, Scratch::Make(used->device(), size));
    made = std::move(fresh);
    made.SetTimed(context.trace != nullptr);
    made.SetStepwise(context.offload == Offload::kSteps);
    return {};
  };
  ASSAY_TRY(scratch(devices.work, plan.scratch, places.work));
  ASSAY_TRY(scratch(devices.near, plan.scratch, places.near));
  ASSAY_TRY(scratch(devices.grind, Grinder::kScratch, places.grind));
  Result<Proof> proof =
      PlayProver(places, plan, placement, evals, points, context);
  if (context.trace != nullptr) {
    for (Runtime* used : {devices.work, devices.near, devices.grind}) {
      if (used != nullptr) used->device().CollectSpans(*context.trace);
    }
  }
  if (context.traffic != nullptr) {
    *context.traffic = places.work.traffic() + places.grind.traffic();
  }
  return proof;
}

}  // namespace assay::whir
