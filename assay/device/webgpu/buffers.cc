// Buffers of the device, those of read-backs too, and what is kept of them.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/webgpu/buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace assay::webgpu {
namespace {

constexpr uint64_t kLeastStaging = uint64_t{64} << 10;
// Larger ones are rare, and memory of the host that nobody counts.
constexpr uint64_t kMostKeptStaging = uint64_t{16} << 20;

Result<WGPUBuffer> Create(Gpu& gpu, uint64_t bytes, WGPUBufferUsage usage) {
  if (bytes > gpu.limits().maxBufferSize) {
    return Error{Code::kOverBudget,
                 fmt::format("a buffer of {} bytes: this device's largest has "
                             "{}",
                             bytes, gpu.limits().maxBufferSize),
                 "choose a smaller problem, or --device cpu"};
  }
  WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
  descriptor.size = bytes;
  descriptor.usage = usage;
  Buffer buffer;
  ASSAY_TRY(gpu.Try(fmt::format("a buffer of {} bytes", bytes), [&] {
    buffer = Buffer(wgpuDeviceCreateBuffer(gpu.device(), &descriptor));
  }));
  return buffer.Take();
}

}  // namespace

Result<WGPUBuffer> StoragePool::Take(uint64_t bytes) {
  const uint64_t size = RoundUp(std::max<uint64_t>(bytes, 1), kBufferStep);
  const auto same =
      std::find_if(kept_.begin(), kept_.end(),
                   [&](const Kept& kept) { return kept.bytes == size; });
  live_bytes_ += size;
  most_bytes_ = std::max(most_bytes_, live_bytes_);
  if (same != kept_.end()) {
    const WGPUBuffer buffer = same->buffer;
    kept_.erase(same);
    kept_bytes_ -= size;
    return buffer;
  }
  while (!kept_.empty() && live_bytes_ + kept_bytes_ > Limit()) {
    ReleaseOldest();
  }
  constexpr WGPUBufferUsage kUsage = WGPUBufferUsage_Storage |
                                     WGPUBufferUsage_CopySrc |
                                     WGPUBufferUsage_CopyDst;
  Result<WGPUBuffer> buffer = Create(*gpu_, size, kUsage);
  if (!buffer.ok() && buffer.error().code == Code::kOverBudget &&
      !kept_.empty()) {
    Trim();
    buffer = Create(*gpu_, size, kUsage);
  }
  if (!buffer.ok()) live_bytes_ -= size;
  return buffer;
}

void StoragePool::Give(WGPUBuffer buffer, uint64_t bytes) {
  const uint64_t size = RoundUp(std::max<uint64_t>(bytes, 1), kBufferStep);
  live_bytes_ -= size;
  kept_.push_back({buffer, size});
  kept_bytes_ += size;
}

void StoragePool::ReleaseOldest() {
  kept_bytes_ -= kept_.front().bytes;
  wgpuBufferRelease(kept_.front().buffer);
  kept_.erase(kept_.begin());
}

void StoragePool::Trim() {
  while (!kept_.empty()) ReleaseOldest();
  most_bytes_ = live_bytes_;
  // Memory goes back when the device has been asked what is done.
  gpu_->Poll();
}

StagingPool::~StagingPool() {
  for (std::unique_ptr<Staging>& staging : all_) {
    // On a lost device the callback that names it may still come.
    if (staging->state == Staging::State::kWaiting) {
      [[maybe_unused]] const Staging* left = staging.release();
    }
  }
}

Result<Staging*> StagingPool::Take(uint64_t bytes) {
  const auto fits = std::find_if(
      free_.begin(), free_.end(),
      [&](const Staging* staging) { return staging->bytes >= bytes; });
  if (fits != free_.end()) {
    Staging* staging = *fits;
    free_.erase(fits);
    staging->used = 0;
    return staging;
  }
  const uint64_t size = std::max(kLeastStaging, std::bit_ceil(bytes));
  ASSAY_ASSIGN(
      buffer,
      Create(*gpu_, size, WGPUBufferUsage_MapRead | WGPUBufferUsage_CopyDst));
  auto staging = std::make_unique<Staging>();
  staging->buffer = Buffer(buffer);
  staging->bytes = size;
  all_.push_back(std::move(staging));
  return all_.back().get();
}

Status StagingPool::Map(Staging& staging) {
  WGPUBufferMapCallbackInfo callback = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = &staging;
  callback.callback = [](WGPUMapAsyncStatus status, WGPUStringView, void* to,
                         void*) {
    static_cast<Staging*>(to)->state = status == WGPUMapAsyncStatus_Success
                                           ? Staging::State::kMapped
                                           : Staging::State::kFailed;
  };
  return gpu_->Try("a read-back", [&] {
    staging.state = Staging::State::kWaiting;
    wgpuBufferMapAsync(staging.buffer.get(), WGPUMapMode_Read, 0, staging.used,
                       callback);
  });
}

bool StagingPool::Open(Staging& staging) const {
  if (staging.state != Staging::State::kMapped) return false;
  staging.data = static_cast<const std::byte*>(
      wgpuBufferGetConstMappedRange(staging.buffer.get(), 0, staging.used));
  return staging.data != nullptr;
}

void StagingPool::Give(Staging* staging) {
  if (staging->state == Staging::State::kMapped) {
    wgpuBufferUnmap(staging->buffer.get());
    staging->state = Staging::State::kFree;
  }
  // A callback that may still come names it.
  if (staging->state == Staging::State::kWaiting) return;
  if (staging->state == Staging::State::kFree &&
      staging->bytes <= kMostKeptStaging) {
    free_.push_back(staging);
    return;
  }
  std::erase_if(all_, [&](const auto& one) { return one.get() == staging; });
}

void StagingPool::Trim() {
  for (const Staging* staging : free_) {
    std::erase_if(all_, [&](const auto& one) { return one.get() == staging; });
  }
  free_.clear();
}

}  // namespace assay::webgpu
