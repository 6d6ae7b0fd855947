// Rounds of the sum-check for devices that hash the transcript themselves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/base/result.h"
#include "assay/binary/load_columns.h"
#include "assay/binary/proof.h"

namespace assay::binary {

// One submission. What the rounds lead to is not checked.
Result<Proof> ProveOnDevice(Device& device, const SumcheckPlan& plan,
                            LoadedColumns columns, const ProveContext& context);

}  // namespace assay::binary
