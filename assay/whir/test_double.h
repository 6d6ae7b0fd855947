// A device apart from the host that counts, fails and lies when it is told to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "assay/device/cpu/cpu_backend.h"
#include "assay/runtime/runtime.h"

namespace assay::whir {

// What a double has been asked for, and what it is to do about it.
struct Script {
  int allocations = 0;
  int submissions = 0;
  int waits = 0;
  int uploads = 0;
  // The call from which on it fails, counted from 0; -1: it never does.
  int fail_allocation = -1;
  int fail_submission = -1;
  int fail_wait = -1;
  Code code = Code::kDeviceLost;
  // The submission whose first read-back has a bit flipped.
  int lie = -1;
  bool lie_in_reads = false;  // those beside submissions, likewise
};

// The processor's kernels; buffers have handles in the place of pointers.
class DoubleBackend final : public Backend {
 public:
  DoubleBackend(BackendKind kind, Script* script)
      : near_(MakeCpuBackend(1)), info_(near_->Info()), script_(script) {
    info_.kind = kind;
    info_.name = "double";
    info_.unified_memory = false;
  }

  const DeviceInfo& Info() const override { return info_; }
  Result<RawBuffer> Allocate(size_t bytes, Role role) override {
    ASSAY_TRY(At(script_->allocations++, script_->fail_allocation));
    ASSAY_ASSIGN(buffer, near_->Allocate(bytes, role));
    buffers_[++last_] = buffer;
    return RawBuffer{last_, nullptr, bytes};
  }
  void Release(RawBuffer buffer) override {
    near_->Release(buffers_.at(buffer.handle));
    buffers_.erase(buffer.handle);
  }
  Status Upload(const RawView& to, std::span<const std::byte> from) override {
    ++script_->uploads;
    return near_->Upload(Near(to), from);
  }
  Status Prepare(const KernelRow& kernel) override {
    return near_->Prepare(kernel);
  }
  Result<uint64_t> Submit(std::vector<Command> commands) override {
    const int number = script_->submissions++;
    ASSAY_TRY(At(number, script_->fail_submission));
    std::byte* first = nullptr;
    std::shared_ptr<void> owner;
    for (Command& command : commands) {
      for (RawView& view : command.bindings) view = Near(view);
      if (command.kernel == nullptr && first == nullptr) {
        first = command.destination;
        owner = command.owner;
      }
    }
    auto ticket = near_->Submit(std::move(commands));
    if (number == script_->lie && first != nullptr) *first ^= std::byte{1};
    return ticket;
  }
  bool Done(uint64_t ticket) override { return near_->Done(ticket); }
  Status Wait(uint64_t ticket) override {
    ASSAY_TRY(At(script_->waits++, script_->fail_wait));
    return near_->Wait(ticket);
  }
  Status Read(const RawView& from, std::span<std::byte> to) override {
    ASSAY_TRY(near_->Read(Near(from), to));
    if (script_->lie_in_reads && !to.empty()) to[0] ^= std::byte{1};
    return {};
  }
  void Timestamps(Trace& trace) override {
    Trace all;
    near_->Timestamps(all);
    for (Span span : all.spans()) {
      span.device = info_.name;
      trace.Add(std::move(span));
    }
  }
  void Trim() override { near_->Trim(); }

 private:
  Status At(int number, int fails) const {
    if (fails < 0 || number < fails) return {};
    return Error{script_->code, "the double was told to fail", ""};
  }
  RawView Near(RawView view) const {
    view.buffer = buffers_.at(view.buffer.handle);
    return view;
  }

  std::unique_ptr<Backend> near_;
  DeviceInfo info_;
  Script* script_;
  std::map<uint64_t, RawBuffer> buffers_;
  uint64_t last_ = 0;
};

inline std::unique_ptr<Runtime> OpenDouble(
    Script* script, uint64_t limit_bytes = uint64_t{1} << 32,
    BackendKind kind = BackendKind::kCuda) {
  return Runtime::Over(std::make_unique<Device>(
      std::make_unique<DoubleBackend>(kind, script), limit_bytes));
}

}  // namespace assay::whir
