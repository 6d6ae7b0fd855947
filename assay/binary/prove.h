// Proves the sum of a product of columns by a sum-check.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/base/result.h"
#include "assay/binary/load_columns.h"
#include "assay/binary/plan.h"
#include "assay/binary/proof.h"
#include "assay/runtime/runtime.h"

namespace assay::binary {

// Tries the kernels of the plan, once. Fails with kUntrusted and the device's
// errors.
Status TrustSumcheck(Runtime& runtime, const SumcheckPlan& plan);

// Proves the sum of the loaded columns, which are folded in place and gone
// afterwards. The same bytes on every device and with any number of threads.
// Every element is read about 2.7 times where two rounds are played a pass,
// else about 4 times. What the rounds lead to is checked, by about 3 SHA-256
// compressions and d products a round; whether the columns have the values of
// the proof is Verify's to say. Nothing is hidden: messages and values are
// functions of the columns. Fails with kUntrusted, kCancelled and the
// device's errors.
Result<Proof> Prove(Runtime& runtime, const SumcheckPlan& plan,
                    LoadedColumns columns, const ProveContext& context = {});

}  // namespace assay::binary
