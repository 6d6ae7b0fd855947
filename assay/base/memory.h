// Ask the system how much memory it can give.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay {

// Bytes that this process can take without swapping, within the limit of the
// container that it may run in. All memory where the system does not say.
uint64_t AvailableBytes();

}  // namespace assay
