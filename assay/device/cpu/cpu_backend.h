// The processor as a device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "assay/device/backend.h"

namespace assay {

// `threads`: 0 takes all. Memory is the host's; commands run at submission,
// on the calling thread and its workers.
std::unique_ptr<Backend> MakeCpuBackend(int threads);

// What the processor is, without starting workers.
DeviceInfo DescribeCpu(int threads);

// Vector targets, and the choice of one: device/open_device.h.
std::vector<std::string> ListCpuTargets();
Status ChooseCpuTarget(std::string_view name);

}  // namespace assay
