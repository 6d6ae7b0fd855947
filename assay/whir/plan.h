// The schedule of a proof and the bytes it needs, before any are allocated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/base/result.h"
#include "assay/whir/soundness.h"

namespace assay::whir {

struct Plan {
  Schedule schedule;
  // Device buffers alive at once, at most. On the host come the caller's
  // evaluations (4 * 2^n bytes) and about 6 KiB a query.
  uint64_t peak_bytes = 0;
};

// Derives the schedule and its peak bytes. Fails with Derive's errors, or
// with kOverBudget if the peak is above `limit_bytes`; the hint names the
// largest rate or n that fits.
Result<Plan> MakePlan(const Parameters& parameters, uint64_t limit_bytes,
                      const Profile& profile = kProfile080);

}  // namespace assay::whir
