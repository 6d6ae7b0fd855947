// Compiles kernels once, each entry point when it is first needed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "assay/device/backend.h"
#include "assay/device/webgpu/gpu.h"

namespace assay::webgpu {

struct Compiled {
  BindGroupLayout bindings;
  PipelineLayout layout;
  WGPUShaderModule module = nullptr;  // the text's, which kernels share
  std::map<std::string, ComputePipeline, std::less<>> pipelines;
};

class Pipelines {
 public:
  explicit Pipelines(Gpu& gpu) : gpu_(&gpu) {}

  // Fails with kUnsupported for a kernel without WGSL, with kInternal and the
  // compiler's first words for one that does not compile.
  Result<Compiled*> Find(const KernelRow& kernel);
  // The entry point of a kernel or of a pass, whose '.' are '_' in the text.
  Result<WGPUComputePipeline> Entry(const KernelRow& kernel, Compiled& compiled,
                                    std::string_view name);

 private:
  Result<WGPUShaderModule> Module(const KernelRow& kernel);
  Status MakeLayout(const KernelRow& kernel, Compiled& compiled);

  Gpu* gpu_;
  std::map<const char*, ShaderModule> modules_;  // by the text's place
  std::map<const KernelRow*, Compiled> kernels_;
};

}  // namespace assay::webgpu
