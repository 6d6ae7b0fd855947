// Names a kernel once and gives it an entry for each backend.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "assay/base/parallel.h"

namespace assay {

enum class Access : uint8_t { kRead, kReadWrite };

// What a cpu entry gets: bound bytes in the order of kBindings, parameters
// and the threads to use. The entry walks the whole dispatch itself.
class CpuArgs {
 public:
  struct Binding {
    std::byte* data = nullptr;
    size_t bytes = 0;
  };

  CpuArgs(std::span<const Binding> bindings, const void* params,
          const Threads& threads)
      : bindings_(bindings), params_(params), threads_(&threads) {}

  template <class T>
  std::span<T> Get(size_t i) const {
    return {reinterpret_cast<T*>(bindings_[i].data),
            bindings_[i].bytes / sizeof(T)};
  }
  template <class P>
  const P& Params() const {
    return *static_cast<const P*>(params_);
  }
  const Threads& threads() const { return *threads_; }

 private:
  std::span<const Binding> bindings_;
  const void* params_;
  const Threads* threads_;
};

struct CpuEntry {
  void (*run)(const CpuArgs&) = nullptr;
};

// A cuda entry launches on the stream behind `queue`; device/cuda/launch.h
// says how.
struct CudaArgs;
struct CudaEntry {
  void (*launch)(const CudaArgs&) = nullptr;
};

// A WGSL entry is the text of ops/X/X_webgpu.wgsl with what it includes; an
// empty one means: not on webgpu. The entry point is kName with '_' for '.'.
// In group 0, binding i is kBindings[i], and binding N, after the last of
// them, the Params as a uniform. A view is bound rounded up to 16 bytes; one
// that WebGPU can not bind where it is (its offset, or its buffer is also
// written through another view) is bound as a copy, one that begins within a
// word is refused. docs/webgpu.md says more.
//
// A kernel without a plan is one pass over the groups that were recorded.
// Otherwise K::PlanWgsl(params) names its passes: entry points of the same
// text that run one after the other, each seeing what those before wrote, with
// the same bindings and parameters. Binding N + 1 is then `scratch_bytes` of
// var<storage, read_write>, if not 0; its contents before are undefined.
struct WgslPass {
  std::string_view entry;
  std::array<uint32_t, 3> groups = {1, 1, 1};  // each at most 65535
};
struct WgslPlan {
  std::vector<WgslPass> passes;
  uint64_t scratch_bytes = 0;
};

// The plan of kernel type K, as a function of its parameters, or null.
template <class K>
constexpr WgslPlan (*PlanOf())(const void* params) {
  if constexpr (requires(const typename K::Params& p) { K::PlanWgsl(p); }) {
    return [](const void* params) {
      return K::PlanWgsl(*static_cast<const typename K::Params*>(params));
    };
  } else {
    return nullptr;
  }
}

// One kernel as a backend sees it. A null entry means: not on this backend.
struct KernelRow {
  std::string_view name;  // trace label, bench row, WGSL entry point
  std::span<const Access> bindings;
  size_t param_bytes = 0;
  CpuEntry cpu;
  CudaEntry cuda;
  std::string_view wgsl;
  WgslPlan (*plan_wgsl)(const void* params) = nullptr;
};

// The row of kernel type K. A backend's entry that nobody defined stops the
// link with K's name. With ASSAY_ALL_ROWS rows name the entries of backends
// left out of the build, too, which cmake/AssayAbsent.cmake defines as null:
// objects then are the same in every build.
template <class K>
const KernelRow& Row() {
  static_assert(sizeof(typename K::Params) % 16 == 0,
                "parameters are shared with WGSL: pad to 16 bytes");
  static const KernelRow row = {
      K::kName,  K::kBindings, sizeof(typename K::Params), K::Cpu(),
#if defined(ASSAY_CUDA) || defined(ASSAY_ALL_ROWS)
      K::Cuda(),
#else
      {},
#endif
#if defined(ASSAY_WEBGPU) || defined(ASSAY_ALL_ROWS)
      K::Wgsl(), PlanOf<K>(),
#else
      {},       nullptr,
#endif
  };
  return row;
}

}  // namespace assay
