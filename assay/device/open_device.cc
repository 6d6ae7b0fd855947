// Picks a backend by name, the only file that names them.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/open_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "assay/device/cpu/cpu_backend.h"

namespace assay {
namespace {

// Left to the rest of the process: an eighth of what is free.
uint64_t DefaultLimit(uint64_t free_bytes) {
  return free_bytes - free_bytes / 8;
}

}  // namespace

Result<std::unique_ptr<Device>> OpenDevice(std::string_view name,
                                           const DeviceOptions& options) {
  if (options.threads < 0 || options.threads > 1024) {
    return Error{Code::kInvalidInput,
                 fmt::format("{} threads are not possible", options.threads),
                 "--threads takes 1 to 1024, or 0 for all"};
  }
  if (name == "cpu" || name == "auto") {
    std::unique_ptr<Backend> backend = MakeCpuBackend(options.threads);
    uint64_t limit = DefaultLimit(backend->Info().memory_bytes);
    if (options.memory_bytes != 0) {
      limit = std::min(limit, options.memory_bytes);
    }
    return std::make_unique<Device>(std::move(backend), limit);
  }
  const std::string_view kind = name.substr(0, name.find(':'));
  if (kind == "cuda" || kind == "webgpu") {
    return Error{Code::kUnsupported,
                 fmt::format("this build has no {} backend", kind),
                 "--device cpu"};
  }
  return Error{Code::kNoDevice, fmt::format("there is no device '{}'", name),
               "--device auto or cpu"};
}

std::vector<DeviceInfo> ListDevices() { return {DescribeCpu(0)}; }

}  // namespace assay
