// Tiny kernels in WGSL for tests of the webgpu backend.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "assay/device/device.h"

namespace assay::webgpu {

// Adds `amount` to each of `count` words, with a stride of the whole grid.
struct Add {
  static constexpr std::string_view kName = "test.add";
  static constexpr std::array kBindings = {Access::kReadWrite};
  struct Params {
    uint32_t count;
    uint32_t amount;
    uint32_t pad[2];
  };
  static CpuEntry Cpu() { return {}; }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() {
    return R"(
struct Params { count: u32, amount: u32, pad0: u32, pad1: u32 }
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;
@compute @workgroup_size(64)
fn test_add(@builtin(global_invocation_id) id: vec3<u32>,
            @builtin(num_workgroups) groups: vec3<u32>) {
  for (var i = id.x; i < params.count; i += 64u * groups.x) {
    words[i] += params.amount;
  }
}
)";
  }
};

// to[i] = 2 from[i] + 1.
struct Map {
  static constexpr std::string_view kName = "test.map";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  using Params = Add::Params;
  static CpuEntry Cpu() { return {}; }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() {
    return R"(
struct Params { count: u32, amount: u32, pad0: u32, pad1: u32 }
@group(0) @binding(0) var<storage, read> from_: array<u32>;
@group(0) @binding(1) var<storage, read_write> to: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;
@compute @workgroup_size(64)
fn test_map(@builtin(global_invocation_id) id: vec3<u32>) {
  if (id.x < params.count) { to[id.x] = 2u * from_[id.x] + 1u; }
}
)";
  }
};

// out[0] = the sum of `count` words, in two passes with scratch between them.
struct Sum {
  static constexpr std::string_view kName = "test.sum";
  static constexpr std::array kBindings = {Access::kRead, Access::kReadWrite};
  using Params = Add::Params;
  static CpuEntry Cpu() { return {}; }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() {
    return R"(
struct Params { count: u32, amount: u32, pad0: u32, pad1: u32 }
@group(0) @binding(0) var<storage, read> from_: array<u32>;
@group(0) @binding(1) var<storage, read_write> sum: array<u32>;
@group(0) @binding(2) var<uniform> params: Params;
@group(0) @binding(3) var<storage, read_write> scratch: array<u32>;
@compute @workgroup_size(1)
fn test_parts(@builtin(workgroup_id) id: vec3<u32>,
              @builtin(num_workgroups) groups: vec3<u32>) {
  var part = 0u;
  for (var i = id.x; i < params.count; i += groups.x) { part += from_[i]; }
  scratch[id.x] = part;
}
@compute @workgroup_size(1)
fn test_sum() {
  var total = 0u;
  for (var i = 0u; i < arrayLength(&scratch); i++) { total += scratch[i]; }
  sum[0] = total;
}
)";
  }
  static constexpr uint32_t kParts = 16;
  static WgslPlan PlanWgsl(const Params& /*params*/) {
    return {{{"test_parts", {kParts, 1, 1}}, {"test_sum", {1, 1, 1}}},
            kParts * sizeof(uint32_t)};
  }
};

// Writes one word more than it was given.
struct Stray {
  static constexpr std::string_view kName = "test.stray";
  static constexpr std::array kBindings = {Access::kReadWrite};
  using Params = Add::Params;
  static CpuEntry Cpu() { return {}; }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() {
    return R"(
struct Params { count: u32, amount: u32, pad0: u32, pad1: u32 }
@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@group(0) @binding(1) var<uniform> params: Params;
@compute @workgroup_size(1)
fn test_stray() { words[params.count] = params.amount; }
)";
  }
};

// No WGSL.
struct Broken {
  static constexpr std::string_view kName = "test.broken";
  static constexpr std::array kBindings = {Access::kReadWrite};
  using Params = Add::Params;
  static CpuEntry Cpu() { return {}; }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() {
    return "@compute @workgroup_size(1) fn test_broken() { let x: u64 = 3lu; }";
  }
};

// WGSL, but not of this kernel.
struct Misnamed {
  static constexpr std::string_view kName = "test.misnamed";
  static constexpr std::array kBindings = {Access::kReadWrite};
  using Params = Add::Params;
  static CpuEntry Cpu() { return {}; }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() {
    return "@compute @workgroup_size(1) fn another() {}";
  }
};

// A kernel that other devices have.
struct Elsewhere {
  static constexpr std::string_view kName = "test.elsewhere";
  static constexpr std::array kBindings = {Access::kReadWrite};
  using Params = Add::Params;
  static CpuEntry Cpu() { return {}; }
  static CudaEntry Cuda() { return {}; }
  static std::string_view Wgsl() { return {}; }
};

}  // namespace assay::webgpu
