// Finds the device of a proof and says where it is not the one asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "assay/runtime/runtime.h"
#include "assay/whir/placement.h"
#include "assay/whir/plan.h"
#include "cli/whir_options.h"

namespace assay::cli {

struct WhirDevice {
  RuntimeOptions runtime;
  whir::Offload offload = whir::Offload::kFused;
  bool no_fallback = false;
};

// An open device that holds the proof and computes rightly.
struct WhirOpened {
  std::unique_ptr<Runtime> runtime;
  whir::Plan plan;
  whir::Offload offload = whir::Offload::kFused;
  std::vector<std::string> notes;  // which devices were left, and why
};

// Opening devices, as far as tests replace it.
struct WhirOpener {
  std::function<Result<std::unique_ptr<Runtime>>(const RuntimeOptions&)> open =
      &Runtime::Open;
  std::function<std::vector<DeviceInfo>()> list = &ListDevices;
};

// "auto" takes the first GPU that the proof fits and whose kernels exist, and
// the processor for proofs that it makes while a GPU is being opened. A proof
// that does not fit the device that is named goes to the processor with a
// note, or fails with kOverBudget where no_fallback is set; the cap is the
// device's, not the processor's. A device that is missing, lost or computes
// wrongly is an error and never replaced.
Result<WhirOpened> OpenForProof(const whir::Parameters& parameters,
                                const WhirDevice& asked,
                                const WhirOpener& opener = {});

// The same on the processor, where `error` has ended a proof on another
// device: that device's memory was full, and the flags allow it. Else `error`.
Result<WhirOpened> OpenInstead(const Error& error,
                               const whir::Parameters& parameters,
                               const WhirDevice& asked,
                               const WhirOpened& failed,
                               const WhirOpener& opener = {});

// "fused", as on the command line.
std::string OffloadName(whir::Offload offload);

template <class V>
void Describe(V& v, WhirDevice& o) {
  using whir::Offload;
  v.Text("device", o.runtime.device,
         "auto (a GPU where that is faster), cpu, cuda[:N] or webgpu[:N]");
  v.Int("threads", o.runtime.threads, {0, 1024},
        "worker threads (0: all there are)");
  v.Bytes("memory", o.runtime.memory_bytes,
          "most memory for the device, e.g. 8GiB (0: what is free)");
  v.Enum("offload", o.offload,
         {{"fused", Offload::kFused},
          {"gpu", Offload::kSteps},
          {"grind", Offload::kGrind},
          {"cpu", Offload::kNone}},
         "what a GPU does: all, all step by step, only grinding, nothing");
  v.Flag("no-fallback", o.no_fallback,
         "fail where the device's memory is too small");
}

}  // namespace assay::cli
