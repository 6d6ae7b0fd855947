// Runs kernels on an NVIDIA GPU, on one stream, in the order of recording.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "assay/device/backend.h"

namespace assay {

// The GPUs that this process may use; none without a driver.
std::vector<DeviceInfo> ListCudaDevices();

// Opens GPU `index`. Memory comes from the driver's stream-ordered pool, which
// keeps what is released until Trim. Each dispatch lies between two events.
// Fails with kNoDevice, saying what the driver said.
Result<std::unique_ptr<Backend>> MakeCudaBackend(int index);

}  // namespace assay
