// The schedule of a proof and the bytes it needs, before any are allocated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "assay/base/result.h"
#include "assay/runtime/runtime.h"
#include "assay/whir/batch.h"
#include "assay/whir/placement.h"
#include "assay/whir/seeds.h"
#include "assay/whir/soundness.h"

namespace assay::whir {

struct Plan {
  Schedule schedule;
  // Device buffers alive at once, at most. On the host come the caller's
  // evaluations (4 * 2^n bytes) and about 6 KiB a query.
  uint64_t peak_bytes = 0;
  uint64_t largest_bytes = 0;  // of one buffer: kernels bind it whole
  ScratchSize scratch;
  Placement placement;
  // A tenth of a millisecond of hashing that all proofs of the plan share.
  std::shared_ptr<const Seeds> seeds;
};

// Claims that are measured, or weights that are added, by one submission.
inline constexpr size_t kPointsAtOnce = 8;

// Derives the schedule and its peak bytes. Fails with Derive's errors, or
// with kOverBudget if the peak is above `limit_bytes`; the hint names the
// largest rate or n that fits.
Result<Plan> MakePlan(const Parameters& parameters, uint64_t limit_bytes,
                      const Profile& profile = kProfile080,
                      const Placement& placement = {});

// For the device that does the work: its budget, its largest binding and what
// is worth its while. `runtime` opens the host's processor if need be.
Result<Plan> MakePlan(const Parameters& parameters, Runtime& runtime,
                      Offload offload = Offload::kFused);

}  // namespace assay::whir
