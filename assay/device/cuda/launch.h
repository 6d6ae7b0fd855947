// What a kernel's cuda entry gets and how it launches.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "assay/device/kernel.h"

namespace assay {

// Bound memory of the device in the order of kBindings, parameters in the
// host's memory, and the stream to launch on. An entry only launches: it
// neither waits nor allocates; the backend asks for errors afterwards.
// `sums` is memory of the stream, kSumBytes of it, all zero between launches:
// blocks of a grid meet there, and the last of them leaves zeros. Kernels of a
// stream follow each other, so one such memory serves them all.
inline constexpr size_t kSumBytes = size_t{1} << 16;

struct CudaArgs {
  struct Binding {
    std::byte* data = nullptr;
    size_t bytes = 0;
  };

  std::span<const Binding> bindings;
  const void* params = nullptr;
  std::array<uint32_t, 3> groups = {1, 1, 1};
  int multiprocessors = 1;
  cudaStream_t stream = nullptr;
  std::byte* sums = nullptr;

  template <class T>
  T* Get(size_t i) const {
    return reinterpret_cast<T*>(bindings[i].data);
  }
  template <class T>
  size_t Count(size_t i) const {
    return bindings[i].bytes / sizeof(T);
  }
  template <class T>
  T* Sums() const {
    static_assert(sizeof(T) <= kSumBytes);
    return reinterpret_cast<T*>(sums);
  }
  template <class P>
  const P& Params() const {
    return *static_cast<const P*>(params);
  }
};

}  // namespace assay
