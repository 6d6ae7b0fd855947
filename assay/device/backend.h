// The eleven functions that a backend implements.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/base/trace.h"
#include "assay/device/kernel.h"

namespace assay {

enum class BackendKind : uint8_t { kCpu, kCuda, kWebGpu };
std::string_view BackendName(BackendKind kind);

// What a device is and what it can hold.
struct DeviceInfo {
  BackendKind kind = BackendKind::kCpu;
  int index = 0;
  std::string name;                         // marketing or processor name
  std::string detail;                       // driver, vector target, threads
  uint64_t memory_bytes = 0;                // free for us when opened
  uint64_t max_binding_bytes = UINT64_MAX;  // larger matrices go in panels
  int lanes = 1;  // 32-bit vector lanes (cpu) or warp size
  int threads = 1;
  size_t view_alignment = 1;    // of views that kernels bind, in bytes
  bool unified_memory = false;  // host reads device buffers in place
};

enum class Role : uint8_t { kDevice, kUpload, kReadback };

// A buffer as a backend knows it; `data` is host-visible on cpu only.
struct RawBuffer {
  uint64_t handle = 0;
  std::byte* data = nullptr;
  size_t bytes = 0;
};

// Part of a buffer.
struct RawView {
  RawBuffer buffer;
  size_t offset = 0;
  size_t bytes = 0;
};

// One recorded command: a kernel, or a copy to a read-back place.
struct Command {
  const KernelRow* kernel = nullptr;  // null: read back bindings[0]
  std::vector<RawView> bindings;
  std::vector<std::byte> params;
  std::array<uint32_t, 3> groups = {1, 1, 1};
  std::byte* destination = nullptr;  // read-back: filled by wait
  std::shared_ptr<void> owner;       // of the destination, held until then
  std::string_view stage;            // empty: no span, where spans cost time
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual const DeviceInfo& Info() const = 0;
  // Contents are undefined. Fails with kOverBudget.
  virtual Result<RawBuffer> Allocate(size_t bytes, Role role) = 0;
  virtual void Release(RawBuffer buffer) = 0;
  virtual Status Upload(const RawView& to, std::span<const std::byte> from) = 0;
  // Compiles or looks up a kernel; idempotent.
  virtual Status Prepare(const KernelRow& kernel) = 0;
  // Runs the commands in order; returns a ticket number. Fails only where
  // nothing ran: what goes wrong once a kernel may have begun is Wait's.
  virtual Result<uint64_t> Submit(std::vector<Command> commands) = 0;
  virtual bool Done(uint64_t ticket) = 0;
  // Says of this ticket, each time alike, whether its work was done and its
  // read-backs have come, whoever waited before and for what.
  virtual Status Wait(uint64_t ticket) = 0;
  // Copies a buffer to the host, after everything submitted before.
  virtual Status Read(const RawView& from, std::span<std::byte> to) = 0;
  // Appends the spans of finished submissions. Backends may drop what comes
  // after many thousands that nobody asked for.
  virtual void Timestamps(Trace& trace) = 0;
  // Gives pooled memory back.
  virtual void Trim() = 0;
};

}  // namespace assay
