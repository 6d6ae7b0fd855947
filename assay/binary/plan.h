// The bytes that a sum-check proof needs, before any are allocated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/base/result.h"

namespace assay::binary {

// Where columns and sums stand on a device.
struct SumcheckPlan {
  int n = 0;
  int d = 0;
  // Elements from one column to the next. Not a power of two where columns
  // are long, so that they do not meet in the same sets of a cache.
  uint64_t stride = 0;
  bool two_rounds = false;  // a pass over the columns plays two rounds
  size_t sums = 0;          // elements that a pass measures, at most

  uint64_t ColumnElements() const {
    return stride * (static_cast<uint64_t>(d) - 1) + (uint64_t{1} << n);
  }
  // Device buffers alive at once, at most: the columns, which are folded in
  // place, and the sums. On the host a piece of 1 MiB where the device does
  // not share its memory.
  uint64_t peak_bytes = 0;
};

// Fails with kInvalidInput for n or d out of range, with kOverBudget if the
// peak is above `limit_bytes`; the hint names the largest n that fits.
Result<SumcheckPlan> PlanSumcheck(int n, int d, uint64_t limit_bytes);

}  // namespace assay::binary
