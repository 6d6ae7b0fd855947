// Mapped memory that large uploads pass through, piece by piece.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "assay/base/result.h"
#include "assay/device/webgpu/gpu.h"

namespace assay::webgpu {

// The host fills a piece while the device takes those before. A write by the
// queue makes memory of its own for every call, whose pages the system has to
// find first, and copies nothing before the next submission.
class UploadRing {
 public:
  // Uploads of fewer bytes are better written by the queue.
  static constexpr size_t kLeastBytes = size_t{1} << 20;

  explicit UploadRing(Gpu& gpu) : gpu_(&gpu) {}
  UploadRing(const UploadRing&) = delete;
  UploadRing& operator=(const UploadRing&) = delete;
  ~UploadRing() { Trim(); }

  // Copies whole words to `buffer` from byte `at` on, a multiple of 4, after
  // everything submitted before. `from` is free afterwards. Takes 16 MiB of
  // the host's memory until Trim.
  Status Write(WGPUBuffer buffer, uint64_t at, std::span<const std::byte> from);

  void Trim();

 private:
  static constexpr size_t kPieces = 4;
  static constexpr size_t kPieceBytes = size_t{4} << 20;

  // The callback of a mapping names its piece.
  struct Piece {
    enum class State : uint8_t { kMapped, kWaiting, kFailed };
    Buffer buffer;
    State state = State::kMapped;
    WGPUSubmissionIndex index = 0;
  };

  // The next piece of the ring, mapped.
  Result<Piece*> Next();
  Status Send(Piece& piece, WGPUBuffer buffer, uint64_t at,
              std::span<const std::byte> from);

  Gpu* gpu_;
  std::array<std::unique_ptr<Piece>, kPieces> pieces_;
  size_t next_ = 0;
};

}  // namespace assay::webgpu
