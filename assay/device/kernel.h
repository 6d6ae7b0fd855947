// Names a kernel once and gives it an entry for each backend.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

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

// One kernel as a backend sees it. A null entry means: not on this backend.
struct KernelRow {
  std::string_view name;  // WGSL entry point, trace label, bench row
  std::span<const Access> bindings;
  size_t param_bytes = 0;
  CpuEntry cpu;
  CudaEntry cuda;
  std::string_view wgsl;
};

// The row of kernel type K. A backend's entry that nobody defined stops the
// link with K's name. Entries of backends left out of the build are not
// referenced.
template <class K>
const KernelRow& Row() {
  static_assert(sizeof(typename K::Params) % 16 == 0,
                "parameters are shared with WGSL: pad to 16 bytes");
  static const KernelRow row = {
      K::kName,  K::kBindings, sizeof(typename K::Params), K::Cpu(),
#if defined(ASSAY_CUDA)
      K::Cuda(),
#else
      {},
#endif
#if defined(ASSAY_WEBGPU)
      K::Wgsl(),
#else
      {},
#endif
  };
  return row;
}

}  // namespace assay
