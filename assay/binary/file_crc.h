// Takes the CRC of a stream of any length.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/base/input_stream.h"
#include "assay/base/progress.h"
#include "assay/base/result.h"
#include "assay/device/device.h"
#include "assay/ops/crc/crc.h"

namespace assay::binary {

struct StreamCrc {
  uint64_t crc = 0;
  uint64_t bytes = 0;
};

// Reads to the end, through 4 MiB of device memory. Fails with the stream's
// error, kOverBudget, kCancelled.
Result<StreamCrc> CrcOf(Device& device, crc::Kind kind, InputStream& stream,
                        const Progress& progress = {});

}  // namespace assay::binary
