// Turns a list of commands into one submission.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "assay/device/backend.h"
#include "assay/device/webgpu/buffers.h"
#include "assay/device/webgpu/pipelines.h"

namespace assay::webgpu {

// Buffers that every submission uses from their beginning: the queue keeps
// order, so the next may have them before the last is done.
struct Workspace {
  struct Grown {
    Buffer buffer;
    uint64_t bytes = 0;
  };
  Grown params;    // uniform
  Grown scratch;   // storage, of kernels in several passes
  Grown resolved;  // what query sets hold
  std::vector<QuerySet> queries;
};

// A submission under way, and what the host does when it is done.
struct Submission {
  struct Copy {
    const Staging* from = nullptr;
    uint64_t offset = 0;
    std::byte* to = nullptr;
    size_t bytes = 0;
  };
  struct Timed {
    std::string_view name, stage;
  };

  uint64_t number = 0;
  WGPUSubmissionIndex index = 0;
  int64_t begin_ns = 0;
  std::vector<Staging*> staging;
  std::vector<Copy> copies;
  std::vector<std::shared_ptr<void>> owners;  // of the places copied to
  std::vector<Timed> timed;
  std::vector<uint64_t> stamps;  // begin and end of each of `timed`
  std::shared_ptr<bool> done;    // where there is nothing to read
  Status failed;                 // after the queue had taken it
};

// Encodes into one command buffer, with as few passes as copies allow.
class Recording {
 public:
  struct Parts {
    Gpu* gpu;
    Pipelines* pipelines;
    StoragePool* storage;
    StagingPool* staging;
    Workspace* work;
  };
  explicit Recording(const Parts& parts) : parts_(parts), gpu_(*parts.gpu) {}
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  ~Recording();

  // Nothing of a refused recording runs: all commands are checked and encoded
  // before anything is submitted. What goes wrong afterwards is in `failed`.
  Result<Submission> Submit(std::span<const Command> commands);

 private:
  struct Bound {
    WGPUBuffer buffer = nullptr;
    uint64_t offset = 0;
    uint64_t bytes = 0;
  };
  struct Temporary {
    WGPUBuffer buffer = nullptr;
    uint64_t bytes = 0;
  };

  Status Reserve(std::span<const Command> commands);
  Status Encode(std::span<const Command> commands);
  Status Dispatch(const Command& command, const WgslPlan& plan);
  Status Bind(const Command& command, std::vector<Bound>& bound);
  bool NeedsCopy(const Command& command, size_t i) const;
  Status BindGroupOf(const Command& command, Compiled& compiled,
                     const std::vector<Bound>& bound, uint64_t scratch_bytes,
                     BindGroup& group);
  Status ReadLater(WGPUBuffer from, uint64_t offset, uint64_t bytes,
                   std::byte* to);
  void ClearTemporaries();
  Status AskForEnd();
  Status ReadStamps();
  void BeginPass(const WGPUPassTimestampWrites* stamps);
  void EndPass();

  Parts parts_;
  Gpu& gpu_;
  std::vector<WgslPlan> plans_;  // of each command
  Submission submission_;
  bool submitted_ = false;
  CommandEncoder encoder_;
  ComputePass pass_;
  std::vector<std::byte> params_;  // as they will stand in the uniform buffer
  uint64_t unread_bytes_ = 0;      // of read-backs not yet encoded
  std::vector<Temporary> temporaries_;
};

}  // namespace assay::webgpu
