// Opens a device by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
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

}  // namespace assay
