// Page-locked memory through which uploads pass while the host goes on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>

#include "assay/base/parallel.h"

namespace assay {

// The driver copies pageable memory through a page-locked buffer of its own,
// with one thread, and stops the stream first. Here several threads fill one
// slot while the engine empties others, and what is small only joins a queue.
// 16 MiB, allocated slot by slot when first used.
class UploadRing {
 public:
  explicit UploadRing(cudaStream_t stream) : stream_(stream) {}
  // Precondition: the stream has run dry.
  ~UploadRing();
  UploadRing(const UploadRing&) = delete;
  UploadRing& operator=(const UploadRing&) = delete;

  // Copies `from`, which may change afterwards, and queues its way to `to`.
  cudaError_t Send(void* to, std::span<const std::byte> from);

 private:
  static constexpr size_t kSlotBytes = size_t{2} << 20;
  static constexpr size_t kSlots = 8;
  struct Slot {
    std::byte* data = nullptr;
    cudaEvent_t sent = nullptr;
  };

  // Goes on to the next slot, once it is free.
  cudaError_t Turn();
  void Copy(std::byte* to, std::span<const std::byte> from);

  cudaStream_t stream_;
  std::array<Slot, kSlots> slots_;
  size_t slot_ = 0;
  size_t used_ = kSlotBytes;  // of the slot: none is there yet
  std::unique_ptr<Threads> threads_;
};

}  // namespace assay
