// Every operation that has kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "assay/ops/op.h"

namespace assay {

std::span<const Op> OpList();

// Null if there is no op of this name.
const Op* FindOp(std::string_view name);

}  // namespace assay
