// Finds out what is wrong with a command before it is encoded.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/webgpu/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "assay/device/webgpu/buffers.h"
#include "assay/device/webgpu/pipelines.h"

namespace assay::webgpu {
namespace {

Error Refused(const Command& command, std::string what) {
  return {Code::kInternal,
          fmt::format("kernel {}: {}", command.kernel->name, what), ""};
}

bool Overlap(const RawView& a, const RawView& b) {
  return a.buffer.handle == b.buffer.handle && a.offset < b.offset + b.bytes &&
         b.offset < a.offset + a.bytes;
}

}  // namespace

WgslPlan PlanFor(const Command& command) {
  if (command.kernel == nullptr) return {};
  if (command.kernel->plan_wgsl != nullptr) {
    return command.kernel->plan_wgsl(command.params.data());
  }
  return {{{command.kernel->name, command.groups}}, 0};
}

Status CheckCommand(const WGPULimits& limits, const Command& command,
                    const WgslPlan& plan) {
  for (const RawView& view : command.bindings) {
    if (view.offset + view.bytes <= view.buffer.bytes) continue;
    return Error{Code::kInternal,
                 fmt::format("a view ends at byte {} of a buffer of {}",
                             view.offset + view.bytes, view.buffer.bytes),
                 ""};
  }
  if (command.kernel == nullptr) return {};
  const KernelRow& kernel = *command.kernel;
  const size_t count = command.bindings.size();
  if (count != kernel.bindings.size()) {
    return Refused(command, fmt::format("{} views for {} bindings", count,
                                        kernel.bindings.size()));
  }
  for (size_t i = 0; i < count; ++i) {
    const RawView& view = command.bindings[i];
    if (view.offset % 4 != 0) {
      return Refused(command,
                     fmt::format("view {} begins at byte {}, within a word", i,
                                 view.offset));
    }
    const uint64_t most =
        std::min(limits.maxStorageBufferBindingSize, limits.maxBufferSize);
    if (RoundUp(view.bytes, kBufferStep) > most) {
      return Error{Code::kOverBudget,
                   fmt::format("kernel {}: a binding of {} bytes: this "
                               "device's largest has {}",
                               kernel.name, view.bytes, most),
                   "choose a smaller problem, or --device cpu"};
    }
    for (size_t j = 0; j < i; ++j) {
      if (kernel.bindings[i] == Access::kReadWrite &&
          kernel.bindings[j] == Access::kReadWrite &&
          Overlap(view, command.bindings[j])) {
        return Refused(command, fmt::format("writes views {} and {}, which "
                                            "overlap",
                                            j, i));
      }
    }
  }
  for (const WgslPass& pass : plan.passes) {
    for (const uint32_t groups : pass.groups) {
      if (groups <= limits.maxComputeWorkgroupsPerDimension) continue;
      return Refused(
          command,
          fmt::format("{} groups in one dimension, {} are "
                      "the most",
                      groups, limits.maxComputeWorkgroupsPerDimension));
    }
  }
  return {};
}

}  // namespace assay::webgpu
