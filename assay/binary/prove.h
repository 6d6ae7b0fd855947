// Proves the sum of a product of columns by a sum-check.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/base/progress.h"
#include "assay/base/result.h"
#include "assay/base/trace.h"
#include "assay/binary/columns.h"
#include "assay/binary/plan.h"
#include "assay/binary/proof.h"
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

// Reads the columns onto the device, by as many threads as it has where the
// host sees its memory, and hashes them where they are data. Device memory:
// the plan's columns. Fails with kOverBudget, kIo, kCancelled.
Result<LoadedColumns> LoadColumns(Runtime& runtime, const SumcheckPlan& plan,
                                  const Columns& columns,
                                  const ProveContext& context = {});

// Proves the sum of the loaded columns, which are folded in place and gone
// afterwards. The same bytes on every device and with any number of threads.
// Every element is read about 2.7 times where the plan plays two rounds a
// pass, else about 4 times. Fails with kUntrusted, kCancelled and the device's
// errors.
Result<Proof> Prove(Runtime& runtime, const SumcheckPlan& plan,
                    LoadedColumns columns, const ProveContext& context = {});

}  // namespace assay::binary
