// Lists the adapters that WebGPU can open.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/webgpu/adapters.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "assay/base/memory.h"

namespace assay::webgpu {
namespace {

constexpr WGPUInstanceBackend kNativeApis = WGPUInstanceBackend_Vulkan |
                                            WGPUInstanceBackend_Metal |
                                            WGPUInstanceBackend_DX12;

// Of a graphics card nothing is known: what any of these years has.
constexpr uint64_t kCardBytes = uint64_t{4} << 30;

std::string_view ApiName(WGPUBackendType type) {
  switch (type) {
    case WGPUBackendType_Vulkan: return "Vulkan";
    case WGPUBackendType_Metal: return "Metal";
    case WGPUBackendType_D3D12: return "Direct3D 12";
    default: return "another API";
  }
}

// Lower comes first.
int Rank(WGPUAdapterType type) {
  switch (type) {
    case WGPUAdapterType_DiscreteGPU: return 0;
    case WGPUAdapterType_IntegratedGPU: return 1;
    case WGPUAdapterType_CPU: return 3;
    default: return 2;
  }
}

std::string_view TypeName(WGPUAdapterType type) {
  switch (type) {
    case WGPUAdapterType_DiscreteGPU: return "graphics card";
    case WGPUAdapterType_IntegratedGPU: return "integrated graphics";
    case WGPUAdapterType_CPU: return "emulated on the processor";
    default: return "adapter of unknown kind";
  }
}

DeviceInfo Describe(WGPUAdapter adapter, int* rank) {
  WGPUAdapterInfo found = WGPU_ADAPTER_INFO_INIT;
  wgpuAdapterGetInfo(adapter, &found);
  WGPULimits limits = WGPU_LIMITS_INIT;
  wgpuAdapterGetLimits(adapter, &limits);
  *rank = Rank(found.adapterType);

  DeviceInfo info;
  info.kind = BackendKind::kWebGpu;
  info.name = Text(found.device);
  info.detail = fmt::format("{}, {}", TypeName(found.adapterType),
                            ApiName(found.backendType));
  for (const std::string& part :
       {Text(found.vendor), Text(found.description)}) {
    if (!part.empty()) info.detail += ", " + part;
  }
  info.detail += ", memory guessed";
  const bool shares_memory = found.adapterType == WGPUAdapterType_CPU ||
                             found.adapterType == WGPUAdapterType_IntegratedGPU;
  info.memory_bytes = shares_memory ? AvailableBytes() / 2 : kCardBytes;
  info.max_binding_bytes =
      std::min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
  info.view_alignment = 4;
  info.lanes = static_cast<int>(std::max(1u, found.subgroupMaxSize));
  wgpuAdapterInfoFreeMembers(found);
  return info;
}

}  // namespace

WGPUInstance TheInstance() {
  static const WGPUInstance instance = [] {
    // Drivers that do not fit are no news to users; errors come as Status.
    wgpuSetLogLevel(WGPULogLevel_Off);
    WGPUInstanceExtras extras = {};
    extras.chain.sType = static_cast<WGPUSType>(WGPUSType_InstanceExtras);
    extras.backends = kNativeApis;
    WGPUInstanceDescriptor descriptor = WGPU_INSTANCE_DESCRIPTOR_INIT;
    descriptor.nextInChain = &extras.chain;
    return wgpuCreateInstance(&descriptor);
  }();
  return instance;
}

std::vector<FoundAdapter> FindAdapters() {
  std::vector<FoundAdapter> found;
  if (TheInstance() == nullptr) return found;
  WGPUInstanceEnumerateAdapterOptions options = {};
  options.backends = kNativeApis;
  std::vector<WGPUAdapter> raw(
      wgpuInstanceEnumerateAdapters(TheInstance(), &options, nullptr));
  // The second call makes adapters of its own, perhaps fewer.
  raw.resize(std::min(raw.size(), wgpuInstanceEnumerateAdapters(
                                      TheInstance(), &options, raw.data())));
  std::vector<std::pair<int, FoundAdapter>> ranked;
  for (WGPUAdapter adapter : raw) {
    int rank = 0;
    DeviceInfo info = Describe(adapter, &rank);
    ranked.emplace_back(rank, FoundAdapter{Adapter(adapter), std::move(info)});
  }
  std::stable_sort(
      ranked.begin(), ranked.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [rank, adapter] : ranked) {
    adapter.info.index = static_cast<int>(found.size());
    found.push_back(std::move(adapter));
  }
  return found;
}

}  // namespace assay::webgpu
