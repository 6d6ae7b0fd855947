// Tries devices in order and keeps what each of them says.
// SPDX-License-Identifier: Apache-2.0
#include "cli/whir_device.h"

#include <fmt/format.h>

#include <utility>

#include "assay/whir/prove.h"

namespace assay::cli {
namespace {

// CUDA is opened and its kernels tried in 0.6 s; two cores prove n = 22 in 0.4
// s, sixteen n = 24 in 0.3 s.
constexpr int kLeastForAuto = 24;

// One that computes on the processor is no gain.
bool IsGpu(const DeviceInfo& info) {
  return info.kind == BackendKind::kCuda ||
         (info.kind == BackendKind::kWebGpu &&
          info.detail.find("emulated") == std::string::npos);
}

std::vector<std::string> Candidates(const std::string& asked, int n,
                                    const WhirOpener& opener) {
  if (asked != "auto") return {asked};
  std::vector<std::string> names;
  if (n >= kLeastForAuto) {
    for (const BackendKind kind : {BackendKind::kCuda, BackendKind::kWebGpu}) {
      for (const DeviceInfo& info : opener.list()) {
        if (info.kind != kind || !IsGpu(info)) continue;
        names.push_back(fmt::format("{}:{}", BackendName(kind), info.index));
        break;
      }
    }
  }
  names.emplace_back("cpu");
  return names;
}

Result<WhirOpened> OpenOne(const std::string& name,
                           const whir::Parameters& parameters,
                           const WhirDevice& asked, const WhirOpener& opener) {
  RuntimeOptions options = asked.runtime;
  options.device = name;
  WhirOpened opened;
  opened.offload = asked.offload;
  ASSAY_ASSIGN(runtime, opener.open(options));
  ASSAY_ASSIGN(plan, whir::MakePlan(parameters, *runtime, asked.offload));
  ASSAY_TRY(whir::TrustDevices(*runtime, plan, asked.offload));
  opened.runtime = std::move(runtime);
  opened.plan = std::move(plan);
  return opened;
}

// The cap is that of the device that was asked for.
WhirDevice OnProcessor(const WhirDevice& asked) {
  WhirDevice cpu = asked;
  cpu.runtime.device = "cpu";
  cpu.runtime.memory_bytes = 0;
  return cpu;
}

std::string Note(const std::string& name, const Error& error) {
  return fmt::format("{} was left: {}", name, error.what);
}

bool IsProcessor(const std::string& name) { return name == "cpu"; }

}  // namespace

Result<WhirOpened> OpenForProof(const whir::Parameters& parameters,
                                const WhirDevice& asked,
                                const WhirOpener& opener) {
  std::vector<std::string> notes;
  const std::string& wanted = asked.runtime.device;
  const bool chosen = wanted != "auto";
  for (const std::string& name : Candidates(wanted, parameters.n, opener)) {
    const bool instead = IsProcessor(name) && !notes.empty();
    Result<WhirOpened> opened =
        OpenOne(name, parameters, instead ? OnProcessor(asked) : asked, opener);
    if (opened.ok()) {
      opened->notes = std::move(notes);
      return opened;
    }
    const Error& error = opened.error();
    const bool full = error.code == Code::kOverBudget;
    const bool missing =
        error.code == Code::kNoDevice || error.code == Code::kUnsupported;
    if (IsProcessor(name) || (full && asked.no_fallback) ||
        (!full && (chosen || !missing))) {
      return opened;
    }
    notes.push_back(Note(name, error));
    if (!chosen) continue;
    opened = OpenOne("cpu", parameters, OnProcessor(asked), opener);
    if (opened.ok()) opened->notes = std::move(notes);
    return opened;
  }
  return Error{Code::kNoDevice, "no device is left", "--device cpu"};
}

Result<WhirOpened> OpenInstead(const Error& error,
                               const whir::Parameters& parameters,
                               const WhirDevice& asked,
                               const WhirOpened& failed,
                               const WhirOpener& opener) {
  const DeviceInfo& info = failed.runtime->device().info();
  if (error.code != Code::kOverBudget || asked.no_fallback ||
      info.kind == BackendKind::kCpu) {
    return error;
  }
  ASSAY_ASSIGN(opened, OpenOne("cpu", parameters, OnProcessor(asked), opener));
  opened.notes = failed.notes;
  opened.notes.push_back(Note(info.name, error));
  return std::move(opened);
}

std::string OffloadName(whir::Offload offload) {
  switch (offload) {
    case whir::Offload::kFused: return "fused";
    case whir::Offload::kSteps: return "gpu";
    case whir::Offload::kGrind: return "grind";
    case whir::Offload::kNone: return "cpu";
  }
  return "";
}

}  // namespace assay::cli
