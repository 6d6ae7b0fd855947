// A cpu whose memory the host does not see, like that of other devices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "assay/device/cpu/cpu_backend.h"
#include "assay/runtime/runtime.h"

namespace assay::binary {

// The same kernels; buffers have handles in the place of pointers.
class FarBackend final : public Backend {
 public:
  FarBackend(std::unique_ptr<Backend> near, DeviceInfo info)
      : near_(std::move(near)), info_(std::move(info)) {}

  const DeviceInfo& Info() const override { return info_; }
  Result<RawBuffer> Allocate(size_t bytes, Role role) override {
    ASSAY_ASSIGN(buffer, near_->Allocate(bytes, role));
    buffers_[++last_] = buffer;
    return RawBuffer{last_, nullptr, bytes};
  }
  void Release(RawBuffer buffer) override {
    near_->Release(buffers_.at(buffer.handle));
    buffers_.erase(buffer.handle);
  }
  Status Upload(const RawView& to, std::span<const std::byte> from) override {
    uploaded_bytes += from.size();
    return near_->Upload(Near(to), from);
  }
  Status Prepare(const KernelRow& kernel) override {
    return near_->Prepare(kernel);
  }
  Result<uint64_t> Submit(std::vector<Command> commands) override {
    for (Command& command : commands) {
      for (RawView& view : command.bindings) view = Near(view);
    }
    return near_->Submit(std::move(commands));
  }
  bool Done(uint64_t ticket) override { return near_->Done(ticket); }
  Status Wait(uint64_t ticket) override { return near_->Wait(ticket); }
  Status Read(const RawView& from, std::span<std::byte> to) override {
    return near_->Read(Near(from), to);
  }
  void Timestamps(Trace& trace) override { near_->Timestamps(trace); }
  void Trim() override { near_->Trim(); }

  uint64_t uploaded_bytes = 0;

 private:
  RawView Near(RawView view) const {
    view.buffer = buffers_.at(view.buffer.handle);
    return view;
  }

  std::unique_ptr<Backend> near_;
  DeviceInfo info_;
  std::map<uint64_t, RawBuffer> buffers_;
  uint64_t last_ = 0;
};

}  // namespace assay::binary
