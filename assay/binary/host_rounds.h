// Rounds of the sum-check for devices that do not hash.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/base/result.h"
#include "assay/binary/load_columns.h"
#include "assay/binary/proof.h"

namespace assay::binary {

// One submission a pass: the device measures one round or two, the host draws
// the challenges. What the rounds lead to is not checked.
Result<Proof> ProveWithHost(Device& device, const SumcheckPlan& plan,
                            LoadedColumns columns, const ProveContext& context);

}  // namespace assay::binary
