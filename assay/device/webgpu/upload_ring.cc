// Fills mapped pieces in turn and submits the copies out of them.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/webgpu/upload_ring.h"

#include <algorithm>
#include <cstring>

namespace assay::webgpu {

Status UploadRing::Write(WGPUBuffer buffer, uint64_t at,
                         std::span<const std::byte> from) {
  while (!from.empty()) {
    const size_t bytes = std::min(from.size(), kPieceBytes);
    ASSAY_ASSIGN(piece, Next());
    ASSAY_TRY(Send(*piece, buffer, at, from.first(bytes)));
    at += bytes;
    from = from.subspan(bytes);
  }
  return {};
}

void UploadRing::Trim() {
  for (std::unique_ptr<Piece>& piece : pieces_) {
    if (piece == nullptr) continue;
    if (piece->state == Piece::State::kWaiting) gpu_->Poll(&piece->index);
    // On a lost device the callback that names it may still come.
    if (piece->state == Piece::State::kWaiting) {
      [[maybe_unused]] const Piece* left = piece.release();
    }
    piece.reset();
  }
}

Result<UploadRing::Piece*> UploadRing::Next() {
  std::unique_ptr<Piece>& piece = pieces_[next_++ % kPieces];
  if (piece == nullptr || piece->state == Piece::State::kFailed) {
    WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
    descriptor.size = kPieceBytes;
    descriptor.usage = WGPUBufferUsage_MapWrite | WGPUBufferUsage_CopySrc;
    descriptor.mappedAtCreation = 1;
    auto made = std::make_unique<Piece>();
    ASSAY_TRY(gpu_->Try("memory for uploads", [&] {
      made->buffer =
          Buffer(wgpuDeviceCreateBuffer(gpu_->device(), &descriptor));
    }));
    piece = std::move(made);
  }
  while (piece->state == Piece::State::kWaiting) {
    ASSAY_TRY(gpu_->Alive());
    gpu_->Poll(&piece->index);
  }
  // Looking at mapped memory of a lost device would end the process.
  ASSAY_TRY(gpu_->Probe());
  if (piece->state == Piece::State::kFailed) {
    return Error{Code::kInternal, "memory for uploads could not be mapped", ""};
  }
  return piece.get();
}

Status UploadRing::Send(Piece& piece, WGPUBuffer buffer, uint64_t at,
                        std::span<const std::byte> from) {
  void* mapped = wgpuBufferGetMappedRange(piece.buffer.get(), 0, from.size());
  if (mapped == nullptr) {
    return Error{Code::kInternal, "memory for uploads is not mapped", ""};
  }
  std::memcpy(mapped, from.data(), from.size());
  piece.state = Piece::State::kFailed;  // until all below has worked
  CommandBuffer commands;
  ASSAY_TRY(gpu_->Try("an upload", [&] {
    wgpuBufferUnmap(piece.buffer.get());
    const CommandEncoder encoder(
        wgpuDeviceCreateCommandEncoder(gpu_->device(), nullptr));
    wgpuCommandEncoderCopyBufferToBuffer(encoder.get(), piece.buffer.get(), 0,
                                         buffer, at, from.size());
    commands = CommandBuffer(wgpuCommandEncoderFinish(encoder.get(), nullptr));
  }));
  WGPUBufferMapCallbackInfo callback = WGPU_BUFFER_MAP_CALLBACK_INFO_INIT;
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.userdata1 = &piece;
  callback.callback = [](WGPUMapAsyncStatus status, WGPUStringView, void* to,
                         void*) {
    static_cast<Piece*>(to)->state = status == WGPUMapAsyncStatus_Success
                                         ? Piece::State::kMapped
                                         : Piece::State::kFailed;
  };
  const WGPUCommandBuffer raw = commands.get();
  return gpu_->Try("an upload", [&] {
    piece.state = Piece::State::kWaiting;
    piece.index = wgpuQueueSubmitForIndex(gpu_->queue(), 1, &raw);
    wgpuBufferMapAsync(piece.buffer.get(), WGPUMapMode_Write, 0, kPieceBytes,
                       callback);
  });
}

}  // namespace assay::webgpu
