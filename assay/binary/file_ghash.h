// Takes the GHASH of a stream of any length.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "assay/base/input_stream.h"
#include "assay/base/progress.h"
#include "assay/base/result.h"
#include "assay/device/device.h"

namespace assay::binary {

struct StreamGhash {
  std::array<uint8_t, 16> hash = {};
  uint64_t bytes = 0;
};

// The polynomial hash of the stream's blocks under the hash key `h`; zeros
// fill up the last one. `h` is no secret here: it stays in the device's memory,
// and who has a secret one wants gcm.h. Reads to the end, through 4 MiB of
// device memory. Fails with the stream's error, kOverBudget, kCancelled.
Result<StreamGhash> GhashOf(Device& device, const std::array<uint8_t, 16>& h,
                            InputStream& stream, const Progress& progress = {});

}  // namespace assay::binary
