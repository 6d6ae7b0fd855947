// The bytes that a sum-check proof needs, before any are allocated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "assay/base/result.h"
#include "assay/device/device.h"
#include "assay/ops/product_rounds/product_rounds_kernels.h"

namespace assay::binary {

// Where columns and what belongs to them stand on a device.
struct SumcheckPlan {
  int n = 0;
  int d = 0;
  // Elements from one column to the next. Not a power of two where columns
  // are long, so that they do not meet in the same sets of a cache.
  uint64_t stride = 0;
  // The device plays all rounds by itself: it makes columns of a seed, and
  // hashes the transcript. Otherwise the host draws the challenges.
  bool on_device = false;
  // A pass over the columns plays two rounds; the host's challenges only.
  bool two_rounds = false;
  // Elements beside the columns: the sums of a pass, or a transcript.
  size_t rest = 0;

  uint64_t ColumnElements() const {
    return stride * (static_cast<uint64_t>(d) - 1) + (uint64_t{1} << n);
  }
  // Device buffers alive at once, at most: the columns, which are folded in
  // place, and the rest.
  uint64_t peak_bytes = 0;
};

// For a device with `limit_bytes` to give. Fails with kInvalidInput for n or d
// out of range, with kOverBudget if the peak is above the limit, or the
// columns above what a kernel of the device can bind; the hint names the
// largest n that fits.
Result<SumcheckPlan> PlanSumcheck(int n, int d, const DeviceInfo& info,
                                  uint64_t limit_bytes);

// The plan of a device and its budget.
Result<SumcheckPlan> PlanSumcheck(int n, int d, const Device& device);

// The columns before the first round.
ProductRoundsTable TableOf(const SumcheckPlan& plan);

}  // namespace assay::binary
