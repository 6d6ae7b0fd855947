// Commits to a polynomial and proves its values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "assay/base/progress.h"
#include "assay/base/result.h"
#include "assay/base/trace.h"
#include "assay/protocol/challenger.h"
#include "assay/runtime/runtime.h"
#include "assay/whir/plan.h"
#include "assay/whir/proof.h"
#include "assay/whir/verify.h"

namespace assay::whir {

struct ProveContext {
  Progress progress;             // may be empty
  Trace* trace = nullptr;        // kernels and host steps
  TranscriptLog* log = nullptr;  // for tests
  // Taken in order instead of searching, to remake a proof whose prover did
  // not take the smallest witnesses. A wrong one fails with kUntrusted.
  const std::vector<BabyBear>* witnesses = nullptr;
  Offload offload = Offload::kFused;
  Traffic* traffic = nullptr;  // to the devices beside the host's processor
};

// Tries the kernels that a proof of this plan runs, on each device that runs
// them. Prove does so too; done before, it is not counted as proving.
Status TrustDevices(Runtime& runtime, const Plan& plan,
                    Offload offload = Offload::kFused);

// `evals`: the 2^n values of the polynomial, x_0 the top bit of the index.
// `points`: plan.schedule.parameters.points points of n coordinates in GIVEN
// mode, empty in DRAWN mode. The proof depends on the arguments alone: the
// same bytes on every device and with any number of threads. Device memory:
// plan.peak_bytes. Fails with kOverBudget, kUntrusted, kCancelled,
// kInvalidInput (sizes).
Result<Proof> Prove(Runtime& runtime, const Plan& plan,
                    std::span<const BabyBear> evals,
                    std::span<const Point> points,
                    const ProveContext& context = {});

}  // namespace assay::whir
