// Picks a backend by name, the only file that names them.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/open_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "assay/base/text.h"
#include "assay/device/cpu/cpu_backend.h"
#if defined(ASSAY_CUDA)
#include "assay/device/cuda/cuda_backend.h"
#endif
#if defined(ASSAY_WEBGPU)
#include "assay/device/webgpu/webgpu_backend.h"
#endif

namespace assay {
namespace {

// Left to the rest of the process: an eighth of what is free.
uint64_t DefaultLimit(uint64_t free_bytes) {
  return free_bytes - free_bytes / 8;
}

std::unique_ptr<Device> Open(std::unique_ptr<Backend> backend,
                             const DeviceOptions& options) {
  uint64_t limit = DefaultLimit(backend->Info().memory_bytes);
  if (options.memory_bytes != 0) {
    // WebGPU does not tell its memory: whoever knows it may say more.
    const bool guessed = backend->Info().kind == BackendKind::kWebGpu;
    limit =
        guessed ? options.memory_bytes : std::min(limit, options.memory_bytes);
  }
  return std::make_unique<Device>(std::move(backend), limit);
}

#if defined(ASSAY_CUDA) || defined(ASSAY_WEBGPU)
// The N of "cuda:N", 0 without one.
Result<int> IndexOf(std::string_view name, std::string_view kind) {
  if (kind.size() == name.size()) return 0;
  const auto parsed = ParseInt(name.substr(kind.size() + 1));
  if (!parsed.ok() || *parsed < 0 || *parsed > 1000) {
    return Error{Code::kNoDevice, fmt::format("there is no device '{}'", name),
                 fmt::format("{}, or {}:N", kind, kind)};
  }
  return static_cast<int>(*parsed);
}
#endif

}  // namespace

Result<std::unique_ptr<Device>> OpenDevice(std::string_view name,
                                           const DeviceOptions& options) {
  if (options.threads < 0 || options.threads > 1024) {
    return Error{Code::kInvalidInput,
                 fmt::format("{} threads are not possible", options.threads),
                 "--threads takes 1 to 1024, or 0 for all"};
  }
  if (name == "cpu" || name == "auto") {
    return Open(MakeCpuBackend(options.threads), options);
  }
  const std::string_view kind = name.substr(0, name.find(':'));
#if defined(ASSAY_CUDA)
  if (kind == "cuda") {
    ASSAY_ASSIGN(index, IndexOf(name, kind));
    ASSAY_ASSIGN(backend, MakeCudaBackend(index));
    return Open(std::move(backend), options);
  }
#endif
#if defined(ASSAY_WEBGPU)
  if (kind == "webgpu") {
    ASSAY_ASSIGN(index, IndexOf(name, kind));
    ASSAY_ASSIGN(backend, MakeWebGpuBackend(index));
    return Open(std::move(backend), options);
  }
#endif
  if (kind == "cuda" || kind == "webgpu") {
    return Error{Code::kUnsupported,
                 fmt::format("this build has no {} backend", kind),
                 "--device cpu"};
  }
  return Error{Code::kNoDevice, fmt::format("there is no device '{}'", name),
               "--device auto or cpu"};
}

std::vector<DeviceInfo> ListDevices() {
  std::vector<DeviceInfo> devices = {DescribeCpu(0)};
#if defined(ASSAY_CUDA)
  for (DeviceInfo& info : ListCudaDevices()) {
    devices.push_back(std::move(info));
  }
#endif
#if defined(ASSAY_WEBGPU)
  for (DeviceInfo& info : ListWebGpuDevices()) {
    devices.push_back(std::move(info));
  }
#endif
  return devices;
}

std::vector<std::string> CpuTargets() { return ListCpuTargets(); }

Status UseCpuTarget(std::string_view name) { return ChooseCpuTarget(name); }

}  // namespace assay
