// Runs kernels through WebGPU, on one queue, in the order of recording.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "assay/device/backend.h"

namespace assay {

// The adapters that this process may use, graphics processors first.
std::vector<DeviceInfo> ListWebGpuDevices();

// What may time dispatches; the best that the adapter has, up to this one.
enum class WebGpuClock : uint8_t { kDispatches, kPasses, kHost };

// Opens adapter `index` of that list. Errors of WebGPU come as Status, from
// Submit where a recording is at fault. Views that WebGPU can not bind where
// they are, since their offset is no multiple of the adapter's alignment or
// since their buffer is also written in the same dispatch, are bound as copies
// of a pooled buffer: right, at the cost of the copies; docs/webgpu.md.
// Fails with kNoDevice.
Result<std::unique_ptr<Backend>> MakeWebGpuBackend(
    int index, WebGpuClock best = WebGpuClock::kDispatches);

// Ends the device of such a backend as a driver does that loses it. For tests.
void LoseWebGpuDevice(Backend& backend);

// Lets one of its calls to WebGPU fail, that after `calls` others. For tests.
void FailWebGpuCall(Backend& backend, int calls);

}  // namespace assay
