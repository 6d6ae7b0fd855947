// Random bytes from the operating system, fit for keys.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "assay/base/result.h"

namespace assay {

// Fills `bytes` from the system's generator for cryptography. Fails with kIo
// where the system has none.
Status RandomBytes(std::span<uint8_t> bytes);

}  // namespace assay
