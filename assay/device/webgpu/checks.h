// Finds out what is wrong with a command before it is encoded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <webgpu/wgpu.h>

#include "assay/device/backend.h"

namespace assay::webgpu {

// The passes of a dispatch: those that its kernel plans, else its entry point
// over the groups that were recorded. None for a read-back.
WgslPlan PlanFor(const Command& command);

// wgpu-native would say the same in other words, or end the process. Fails
// with kInternal, or with kOverBudget for a binding larger than the limits.
Status CheckCommand(const WGPULimits& limits, const Command& command,
                    const WgslPlan& plan);

}  // namespace assay::webgpu
