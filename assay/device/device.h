// One machine: buffers, a recorder, tickets and a budget.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/base/result.h"
#include "assay/base/trace.h"
#include "assay/device/backend.h"
#include "assay/device/budget.h"

namespace assay {

class Device;

// Part of a buffer as elements of T. Valid while the buffer lives.
template <class T>
struct View {
  RawView raw;

  size_t size() const { return raw.bytes / sizeof(T); }
  View Sub(size_t first, size_t count) const {
    View part = *this;
    part.raw.offset += first * sizeof(T);
    part.raw.bytes = count * sizeof(T);
    return part;
  }
  template <class U>
  View<U> As() const {
    return View<U>{raw};
  }
};

// Bytes on a device with a label. Movable; released on destruction. Must not
// outlive its Device.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { *this = std::move(other); }
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer() { Reset(); }

  void Reset();
  explicit operator bool() const { return device_ != nullptr; }
  size_t bytes() const { return raw_.bytes; }
  template <class T>
  View<T> As() const {
    return View<T>{RawView{raw_, 0, raw_.bytes}};
  }
  // The bytes in place where the device shares the host's memory; otherwise
  // null.
  std::byte* host_data() const { return raw_.data; }

 private:
  friend class Device;
  Device* device_ = nullptr;
  RawBuffer raw_;
  std::string label_;
};

// Bytes that arrive on the host when the ticket has been waited for.
template <class T>
class Readback {
 public:
  explicit Readback(size_t count)
      : values_(std::make_shared<std::vector<T>>(count)) {}
  // Precondition: the submission has been waited for.
  const std::vector<T>& values() const { return *values_; }
  const T& operator*() const { return values_->front(); }

 private:
  friend class Recorder;
  std::shared_ptr<std::vector<T>> values_;
};

// An ordered list of dispatches. A dispatch sees the writes of those before.
class Recorder {
 public:
  explicit Recorder(std::string_view stage) : stage_(stage) {}

  // `groups` counts workgroups on GPUs; the cpu walks the whole dispatch from
  // its parameters.
  template <class K>
  void Dispatch(std::initializer_list<RawView> bindings,
                const typename K::Params& params,
                std::array<uint32_t, 3> groups = {1, 1, 1}) {
    static_assert(std::is_trivially_copyable_v<typename K::Params>);
    Command command;
    command.kernel = &Row<K>();
    command.bindings.assign(bindings);
    command.params.resize(sizeof(params));
    std::memcpy(command.params.data(), &params, sizeof(params));
    command.groups = groups;
    command.stage = stage_;
    commands_.push_back(std::move(command));
  }

  template <class T>
  Readback<T> Read(const View<T>& view) {
    Readback<T> readback(view.size());
    Command command;
    command.bindings = {view.raw};
    command.destination =
        reinterpret_cast<std::byte*>(readback.values_->data());
    // Also where nobody waits for the ticket.
    command.owner = readback.values_;
    command.stage = stage_;
    commands_.push_back(std::move(command));
    return readback;
  }

  std::string_view stage() const { return stage_; }
  size_t size() const { return commands_.size(); }

 private:
  friend class Device;
  std::string_view stage_;  // a literal
  std::vector<Command> commands_;
};

// A submission under way.
class Ticket {
 public:
  bool Done() const;
  // False where the submission failed before anything of it ran: buffers hold
  // what they held.
  bool Began() const { return device_ != nullptr && failed_.ok(); }
  // The only place that may suspend.
  Status Wait();

 private:
  friend class Device;
  Device* device_ = nullptr;
  uint64_t number_ = 0;
  Status failed_;
};

class Device {
 public:
  Device(std::unique_ptr<Backend> backend, uint64_t limit_bytes);
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceInfo& info() const { return backend_->Info(); }
  const Budget& budget() const { return budget_; }
  Budget& budget() { return budget_; }

  // Fails with kOverBudget, naming the label, before anything is allocated.
  Result<Buffer> Allocate(size_t bytes, std::string_view label,
                          Role role = Role::kDevice);
  template <class T>
  Result<Buffer> AllocateArray(size_t count, std::string_view label) {
    return Allocate(count * sizeof(T), label);
  }
  template <class T>
  Status Upload(const View<T>& to, std::span<const T> from) {
    return backend_->Upload(to.raw, std::as_bytes(from));
  }
  template <class T>
  Status Read(const View<T>& from, std::span<T> to) {
    return backend_->Read(from.raw, std::as_writable_bytes(to));
  }

  Recorder Record(std::string_view stage) const { return Recorder(stage); }
  // One submission. Errors surface in Ticket::Wait.
  Ticket Submit(Recorder recorder);
  // Submits and waits.
  Status Run(Recorder recorder);

  uint64_t submissions() const { return submissions_; }
  // Moves the spans of finished submissions to `trace`.
  void CollectSpans(Trace& trace) { backend_->Timestamps(trace); }
  void Trim() { backend_->Trim(); }

 private:
  friend class Buffer;
  friend class Ticket;
  std::unique_ptr<Backend> backend_;
  Budget budget_;
  uint64_t submissions_ = 0;
};

}  // namespace assay
