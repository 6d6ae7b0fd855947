// Compiles kernels once, each entry point when it is first needed.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/webgpu/pipelines.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace assay::webgpu {

Result<Compiled*> Pipelines::Find(const KernelRow& kernel) {
  const auto known = kernels_.find(&kernel);
  if (known != kernels_.end()) return &known->second;
  if (kernel.wgsl.empty()) {
    return Error{Code::kUnsupported,
                 fmt::format("kernel {} has no webgpu form yet", kernel.name),
                 "--device cpu"};
  }
  Compiled compiled;
  ASSAY_ASSIGN(module, Module(kernel));
  compiled.module = module;
  ASSAY_TRY(MakeLayout(kernel, compiled));
  return &kernels_.emplace(&kernel, std::move(compiled)).first->second;
}

Result<WGPUComputePipeline> Pipelines::Entry(const KernelRow& kernel,
                                             Compiled& compiled,
                                             std::string_view name) {
  const auto known = compiled.pipelines.find(name);
  if (known != compiled.pipelines.end()) return known->second.get();
  std::string entry(name);
  std::replace(entry.begin(), entry.end(), '.', '_');
  WGPUComputePipelineDescriptor descriptor =
      WGPU_COMPUTE_PIPELINE_DESCRIPTOR_INIT;
  descriptor.layout = compiled.layout.get();
  descriptor.compute.module = compiled.module;
  descriptor.compute.entryPoint = AsView(entry);
  ComputePipeline pipeline;
  ASSAY_TRY(gpu_->Try(fmt::format("kernel {}", kernel.name), [&] {
    pipeline = ComputePipeline(
        wgpuDeviceCreateComputePipeline(gpu_->device(), &descriptor));
  }));
  return compiled.pipelines.emplace(name, std::move(pipeline))
      .first->second.get();
}

Result<WGPUShaderModule> Pipelines::Module(const KernelRow& kernel) {
  const auto known = modules_.find(kernel.wgsl.data());
  if (known != modules_.end()) return known->second.get();
  WGPUShaderSourceWGSL source = WGPU_SHADER_SOURCE_WGSL_INIT;
  source.code = AsView(kernel.wgsl);
  WGPUShaderModuleDescriptor descriptor = WGPU_SHADER_MODULE_DESCRIPTOR_INIT;
  descriptor.nextInChain = &source.chain;
  ShaderModule module;
  ASSAY_TRY(gpu_->Try(fmt::format("the WGSL of {}", kernel.name), [&] {
    // Our loops end; a counter in each of them, which is what is left out,
    // costs time. Indices stay checked.
    module = ShaderModule(wgpuDeviceCreateShaderModuleTrusted(
        gpu_->device(), &descriptor, WGPUShaderRuntimeChecks_BoundsChecks));
  }));
  return modules_.emplace(kernel.wgsl.data(), std::move(module))
      .first->second.get();
}

// docs/webgpu.md, "A kernel": bindings, parameters, scratch.
Status Pipelines::MakeLayout(const KernelRow& kernel, Compiled& compiled) {
  std::vector<WGPUBindGroupLayoutEntry> entries;
  const auto add = [&](WGPUBufferBindingType type) {
    WGPUBindGroupLayoutEntry entry = WGPU_BIND_GROUP_LAYOUT_ENTRY_INIT;
    entry.binding = static_cast<uint32_t>(entries.size());
    entry.visibility = WGPUShaderStage_Compute;
    entry.buffer.type = type;
    entry.buffer.hasDynamicOffset = type == WGPUBufferBindingType_Uniform;
    entries.push_back(entry);
  };
  for (const Access access : kernel.bindings) {
    add(access == Access::kRead ? WGPUBufferBindingType_ReadOnlyStorage
                                : WGPUBufferBindingType_Storage);
  }
  add(WGPUBufferBindingType_Uniform);
  if (kernel.plan_wgsl != nullptr) add(WGPUBufferBindingType_Storage);

  WGPUBindGroupLayoutDescriptor bindings =
      WGPU_BIND_GROUP_LAYOUT_DESCRIPTOR_INIT;
  bindings.entries = entries.data();
  bindings.entryCount = entries.size();
  return gpu_->Try(fmt::format("the bindings of {}", kernel.name), [&] {
    compiled.bindings = BindGroupLayout(
        wgpuDeviceCreateBindGroupLayout(gpu_->device(), &bindings));
    const WGPUBindGroupLayout group = compiled.bindings.get();
    WGPUPipelineLayoutDescriptor layout = WGPU_PIPELINE_LAYOUT_DESCRIPTOR_INIT;
    layout.bindGroupLayouts = &group;
    layout.bindGroupLayoutCount = 1;
    compiled.layout =
        PipelineLayout(wgpuDeviceCreatePipelineLayout(gpu_->device(), &layout));
  });
}

}  // namespace assay::webgpu
