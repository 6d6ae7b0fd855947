// Brings the columns of a sum-check into a device's memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/base/progress.h"
#include "assay/base/result.h"
#include "assay/base/trace.h"
#include "assay/binary/columns.h"
#include "assay/binary/plan.h"
#include "assay/runtime/runtime.h"

namespace assay::binary {

struct ProveContext {
  Progress progress;       // may be empty
  Trace* trace = nullptr;  // kernels and host steps
};

// Columns on a device, with the hash that ties challenges to them.
struct LoadedColumns {
  Buffer buffer;
  Sha256Hash context = {};
};

// Each element once: made on the device where the plan says so and the columns
// have a seed, else read and hashed by all threads, in place where the host
// sees the device's memory and through 1 MiB a thread where it does not.
// Device memory: the plan's columns. Fails with kOverBudget, kIo, kCancelled.
Result<LoadedColumns> LoadColumns(Runtime& runtime, const SumcheckPlan& plan,
                                  const Columns& columns,
                                  const ProveContext& context = {});

}  // namespace assay::binary
