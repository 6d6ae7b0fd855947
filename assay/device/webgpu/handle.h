// Owns objects of webgpu.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <webgpu/wgpu.h>

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace assay::webgpu {

// Releases its reference when it goes. Movable.
template <class T, void (*kRelease)(T)>
class Handle {
 public:
  Handle() = default;
  explicit Handle(T raw) : raw_(raw) {}
  Handle(Handle&& other) noexcept : raw_(std::exchange(other.raw_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      Reset();
      raw_ = std::exchange(other.raw_, nullptr);
    }
    return *this;
  }
  ~Handle() { Reset(); }

  T get() const { return raw_; }
  explicit operator bool() const { return raw_ != nullptr; }
  // Gives the reference to the caller.
  T Take() { return std::exchange(raw_, nullptr); }
  void Reset() {
    if (raw_ != nullptr) kRelease(std::exchange(raw_, nullptr));
  }

 private:
  T raw_ = nullptr;
};

using Adapter = Handle<WGPUAdapter, wgpuAdapterRelease>;
using BindGroup = Handle<WGPUBindGroup, wgpuBindGroupRelease>;
using BindGroupLayout = Handle<WGPUBindGroupLayout, wgpuBindGroupLayoutRelease>;
using Buffer = Handle<WGPUBuffer, wgpuBufferRelease>;
using CommandBuffer = Handle<WGPUCommandBuffer, wgpuCommandBufferRelease>;
using CommandEncoder = Handle<WGPUCommandEncoder, wgpuCommandEncoderRelease>;
using ComputePass =
    Handle<WGPUComputePassEncoder, wgpuComputePassEncoderRelease>;
using ComputePipeline = Handle<WGPUComputePipeline, wgpuComputePipelineRelease>;
using PipelineLayout = Handle<WGPUPipelineLayout, wgpuPipelineLayoutRelease>;
using QuerySet = Handle<WGPUQuerySet, wgpuQuerySetRelease>;
using ShaderModule = Handle<WGPUShaderModule, wgpuShaderModuleRelease>;

inline WGPUStringView AsView(std::string_view text) {
  return {text.data(), text.size()};
}
inline std::string Text(WGPUStringView view) {
  if (view.data == nullptr) return {};
  return {view.data,
          view.length == WGPU_STRLEN ? std::strlen(view.data) : view.length};
}

constexpr uint64_t RoundUp(uint64_t value, uint64_t step) {
  return (value + step - 1) / step * step;
}

}  // namespace assay::webgpu
