// Buffers under a budget, and submissions.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/device.h"

#include <fmt/format.h>

#include <utility>

namespace assay {

std::string_view BackendName(BackendKind kind) {
  switch (kind) {
    case BackendKind::kCpu: return "cpu";
    case BackendKind::kCuda: return "cuda";
    case BackendKind::kWebGpu: return "webgpu";
  }
  return "unknown";
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    Reset();
    device_ = std::exchange(other.device_, nullptr);
    raw_ = std::exchange(other.raw_, RawBuffer{});
    label_ = std::move(other.label_);
  }
  return *this;
}

void Buffer::Reset() {
  if (device_ == nullptr) return;
  device_->budget_.Give(label_, raw_.bytes);
  device_->backend_->Release(raw_);
  device_ = nullptr;
  raw_ = RawBuffer{};
}

bool Ticket::Done() const {
  return device_ == nullptr || !failed_.ok() ||
         device_->backend_->Done(number_);
}

Status Ticket::Wait() {
  if (!failed_.ok() || device_ == nullptr) return failed_;
  return device_->backend_->Wait(number_);
}

Device::Device(std::unique_ptr<Backend> backend, uint64_t limit_bytes)
    : backend_(std::move(backend)), budget_(limit_bytes) {}

Result<Buffer> Device::Allocate(size_t bytes, std::string_view label,
                                Role role) {
  if (!budget_.Fits(bytes)) {
    return Error{
        Code::kOverBudget,
        fmt::format("{} needs {} bytes; {} of {} are in use", label, bytes,
                    budget_.live_bytes(), budget_.limit_bytes()),
        "raise --memory or choose a smaller problem"};
  }
  ASSAY_ASSIGN(raw, backend_->Allocate(bytes, role));
  budget_.Take(label, raw.bytes);
  Buffer buffer;
  buffer.device_ = this;
  buffer.raw_ = raw;
  buffer.label_ = label;
  return buffer;
}

Ticket Device::Submit(Recorder recorder) {
  Ticket ticket;
  ticket.device_ = this;
  for (const Command& command : recorder.commands_) {
    if (command.kernel == nullptr) continue;
    Status prepared = backend_->Prepare(*command.kernel);
    if (!prepared.ok()) {
      ticket.failed_ = std::move(prepared);
      return ticket;
    }
  }
  Result<uint64_t> number = backend_->Submit(std::move(recorder.commands_));
  if (number.ok()) {
    ticket.number_ = *number;
    ++submissions_;
  } else {
    ticket.failed_ = number.error();
  }
  return ticket;
}

Status Device::Run(Recorder recorder) {
  return Submit(std::move(recorder)).Wait();
}

}  // namespace assay
