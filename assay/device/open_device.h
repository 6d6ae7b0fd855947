// Opens a device by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/device/device.h"

namespace assay {

struct DeviceOptions {
  int threads = 0;            // cpu workers; 0: all
  uint64_t memory_bytes = 0;  // cap; 0: free memory less a margin
};

// `name`: "auto", "cpu", "cuda[:i]", "webgpu[:i]". Fails with kNoDevice
// (naming what is there) or kUnsupported (backend not in this build).
Result<std::unique_ptr<Device>> OpenDevice(std::string_view name,
                                           const DeviceOptions& options = {});

// Everything that this build can see.
std::vector<DeviceInfo> ListDevices();

// The forms in vector lanes that this build and this processor share, the best
// one first, which kernels of the cpu run on.
std::vector<std::string> CpuTargets();

// Makes all of them run on another one from now on, or on the best one again
// (""). To measure and to test, while no work is under way. Fails with
// kInvalidInput for a target that is not among them.
Status UseCpuTarget(std::string_view name);

}  // namespace assay
