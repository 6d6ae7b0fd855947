// Buffers of the device, those of read-backs too, and what is kept of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "assay/base/result.h"
#include "assay/device/backend.h"
#include "assay/device/webgpu/gpu.h"

namespace assay::webgpu {

// Sizes are whole numbers of 16 bytes, so that a binding may be rounded up to
// whole vectors wherever it ends.
inline constexpr uint64_t kBufferStep = 16;

// The seam's handles are numbers.
inline WGPUBuffer RawOf(const RawBuffer& buffer) {
  return reinterpret_cast<WGPUBuffer>(buffer.handle);  // NOLINT: see above
}

// Storage buffers. What is given back is kept, for the next of the same size,
// since a driver takes milliseconds for a large one; in use and kept together
// never exceed half as much again as the most that was in use. A kept buffer
// may still be read by a submission under way: the queue keeps order.
class StoragePool {
 public:
  explicit StoragePool(Gpu& gpu) : gpu_(&gpu) {}
  ~StoragePool() { Trim(); }

  // Fails with kOverBudget, after what is kept was released to make room.
  Result<WGPUBuffer> Take(uint64_t bytes);
  void Give(WGPUBuffer buffer, uint64_t bytes);
  void Trim();

 private:
  void ReleaseOldest();
  uint64_t Limit() const { return most_bytes_ + most_bytes_ / 2; }

  struct Kept {
    WGPUBuffer buffer;
    uint64_t bytes;
  };
  Gpu* gpu_;
  std::vector<Kept> kept_;
  uint64_t kept_bytes_ = 0;
  uint64_t live_bytes_ = 0;
  uint64_t most_bytes_ = 0;
};

// A buffer that the host reads. The callback of its mapping names it: it stays
// where it is until that was called.
struct Staging {
  enum class State : uint8_t { kFree, kWaiting, kMapped, kFailed };
  Buffer buffer;
  uint64_t bytes = 0;
  uint64_t used = 0;
  State state = State::kFree;
  const std::byte* data = nullptr;  // of Open
};

class StagingPool {
 public:
  explicit StagingPool(Gpu& gpu) : gpu_(&gpu) {}
  ~StagingPool();

  // A buffer with room for `bytes`, none of it used.
  Result<Staging*> Take(uint64_t bytes);
  // Asks for the bytes that are used, as soon as what was submitted is done.
  Status Map(Staging& staging);
  // Fills `data` if the bytes have come.
  bool Open(Staging& staging) const;
  // Unmaps it. One that failed is not used again.
  void Give(Staging* staging);
  void Trim();

 private:
  Gpu* gpu_;
  std::vector<std::unique_ptr<Staging>> all_;
  std::vector<Staging*> free_;
};

}  // namespace assay::webgpu
