// Lists the adapters that WebGPU can open.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "assay/device/backend.h"
#include "assay/device/webgpu/handle.h"

namespace assay::webgpu {

struct FoundAdapter {
  Adapter adapter;
  DeviceInfo info;
};

// The process's one instance; null where there is none. It is never released:
// drivers do not like to be loaded twice.
WGPUInstance TheInstance();

// Adapters of native APIs (Vulkan, Metal, Direct3D 12), graphics processors
// before those that emulate one, else in the order of the drivers. Their index
// is the place in this list. WebGPU does not tell how much memory there is:
// `memory_bytes` is a guess and `detail` says so.
std::vector<FoundAdapter> FindAdapters();

}  // namespace assay::webgpu
