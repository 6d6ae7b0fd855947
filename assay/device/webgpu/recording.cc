// Turns a list of commands into one submission.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/webgpu/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "assay/device/webgpu/checks.h"

namespace assay::webgpu {
namespace {

// Queries of one set; a multiple of 32, whose bytes are where a resolve may
// begin.
constexpr uint32_t kQueries = 256;
// Read-backs are cut into pieces: mapped memory is dear.
constexpr uint64_t kMostPiece = uint64_t{64} << 20;

// Makes room for `bytes`; contents are lost where it grows.
Status Grow(Gpu& gpu, Workspace::Grown& grown, uint64_t bytes,
            WGPUBufferUsage usage) {
  if (bytes <= grown.bytes) return {};
  WGPUBufferDescriptor descriptor = WGPU_BUFFER_DESCRIPTOR_INIT;
  descriptor.size = RoundUp(bytes + bytes / 2, 4096);
  descriptor.usage = usage;
  ASSAY_TRY(gpu.Try(fmt::format("{} bytes of scratch", bytes), [&] {
    grown.buffer = Buffer(wgpuDeviceCreateBuffer(gpu.device(), &descriptor));
  }));
  grown.bytes = descriptor.size;
  return {};
}

}  // namespace

Recording::~Recording() {
  pass_.Reset();
  for (const Temporary& temporary : temporaries_) {
    parts_.storage->Give(temporary.buffer, temporary.bytes);
  }
  if (submitted_) return;
  for (Staging* staging : submission_.staging) parts_.staging->Give(staging);
}

Result<Submission> Recording::Submit(std::span<const Command> commands) {
  for (const Command& command : commands) {
    plans_.push_back(PlanFor(command));
    ASSAY_TRY(CheckCommand(gpu_.limits(), command, plans_.back()));
  }
  ASSAY_TRY(Reserve(commands));
  Status encoded;
  CommandBuffer buffer;
  const Status finished = gpu_.Try("a recording", [&] {
    encoder_ =
        CommandEncoder(wgpuDeviceCreateCommandEncoder(gpu_.device(), nullptr));
    encoded = Encode(commands);
    EndPass();
    ClearTemporaries();
    if (encoded.ok()) encoded = ReadStamps();
    // An encoder that is dropped unfinished is no error.
    if (!encoded.ok()) return;
    buffer = CommandBuffer(wgpuCommandEncoderFinish(encoder_.get(), nullptr));
    if (!params_.empty()) {
      wgpuQueueWriteBuffer(gpu_.queue(), parts_.work->params.buffer.get(), 0,
                           params_.data(), params_.size());
    }
  });
  ASSAY_TRY(encoded);
  ASSAY_TRY(finished);
  const WGPUCommandBuffer raw = buffer.get();
  // wgpu-native ends the process when a submission is not valid: everything
  // that can be wrong with one was found out above.
  const Status submitted = gpu_.Try("a submission", [&] {
    submission_.index = wgpuQueueSubmitForIndex(gpu_.queue(), 1, &raw);
    submitted_ = true;
  });
  if (!submitted_) return submitted.error();
  submission_.failed = submitted.ok() ? AskForEnd() : submitted;
  return std::move(submission_);
}

// Callbacks that tell of the end of what was submitted.
Status Recording::AskForEnd() {
  for (Staging* staging : submission_.staging) {
    ASSAY_TRY(parts_.staging->Map(*staging));
  }
  if (!submission_.staging.empty()) return {};
  submission_.done = std::make_shared<bool>(false);
  WGPUQueueWorkDoneCallbackInfo callback =
      WGPU_QUEUE_WORK_DONE_CALLBACK_INFO_INIT;
  callback.mode = WGPUCallbackMode_AllowProcessEvents;
  callback.callback = [](WGPUQueueWorkDoneStatus, WGPUStringView, void* to,
                         void*) {
    auto* done = static_cast<std::shared_ptr<bool>*>(to);
    **done = true;
    delete done;
  };
  return gpu_.Try("a submission", [&] {
    // Its own share of the flag: nobody else may be left to hold it.
    callback.userdata1 = new std::shared_ptr<bool>(submission_.done);
    wgpuQueueOnSubmittedWorkDone(gpu_.queue(), callback);
  });
}

// Sizes first: buffers that bind groups name must not grow later.
Status Recording::Reserve(std::span<const Command> commands) {
  uint64_t params = 0, scratch = 0, timed = 0;
  const uint64_t step = gpu_.limits().minUniformBufferOffsetAlignment;
  for (size_t i = 0; i < commands.size(); ++i) {
    const Command& command = commands[i];
    if (command.kernel == nullptr) {
      unread_bytes_ += RoundUp(command.bindings[0].bytes, 4) + 4;
      continue;
    }
    params += RoundUp(command.params.size(), step);
    scratch = std::max(scratch, plans_[i].scratch_bytes);
    if (!command.stage.empty()) ++timed;
  }
  params_.reserve(params);
  ASSAY_TRY(Grow(gpu_, parts_.work->params, params,
                 WGPUBufferUsage_Uniform | WGPUBufferUsage_CopyDst));
  ASSAY_TRY(Grow(gpu_, parts_.work->scratch,
                 RoundUp(std::max<uint64_t>(scratch, 1), kBufferStep),
                 WGPUBufferUsage_Storage));
  if (gpu_.clock() == Clock::kHost) return {};
  submission_.stamps.resize(2 * timed);
  unread_bytes_ += 2 * timed * sizeof(uint64_t);
  const uint64_t sets = (2 * timed + kQueries - 1) / kQueries;
  ASSAY_TRY(Grow(gpu_, parts_.work->resolved,
                 sets * kQueries * sizeof(uint64_t),
                 WGPUBufferUsage_QueryResolve | WGPUBufferUsage_CopySrc));
  WGPUQuerySetDescriptor descriptor = WGPU_QUERY_SET_DESCRIPTOR_INIT;
  descriptor.type = WGPUQueryType_Timestamp;
  descriptor.count = kQueries;
  return gpu_.Try("time stamps", [&] {
    while (parts_.work->queries.size() < sets) {
      parts_.work->queries.emplace_back(
          wgpuDeviceCreateQuerySet(gpu_.device(), &descriptor));
    }
  });
}

Status Recording::Encode(std::span<const Command> commands) {
  for (size_t i = 0; i < commands.size(); ++i) {
    const Command& command = commands[i];
    if (command.kernel != nullptr) {
      ASSAY_TRY(Dispatch(command, plans_[i]));
      continue;
    }
    const RawView& view = command.bindings[0];
    ASSAY_TRY(ReadLater(RawOf(view.buffer), view.offset, view.bytes,
                        command.destination));
    submission_.owners.push_back(command.owner);
  }
  return {};
}

Status Recording::Dispatch(const Command& command, const WgslPlan& plan) {
  const KernelRow& kernel = *command.kernel;
  ASSAY_ASSIGN(compiled, parts_.pipelines->Find(kernel));
  std::vector<WGPUComputePipeline> pipelines;
  for (const WgslPass& pass : plan.passes) {
    ASSAY_ASSIGN(pipeline,
                 parts_.pipelines->Entry(kernel, *compiled, pass.entry));
    pipelines.push_back(pipeline);
  }
  std::vector<Bound> bound;
  ASSAY_TRY(Bind(command, bound));
  BindGroup group;
  ASSAY_TRY(BindGroupOf(command, *compiled, bound, plan.scratch_bytes, group));
  const auto params_at = static_cast<uint32_t>(params_.size());
  params_.insert(params_.end(), command.params.begin(), command.params.end());
  params_.resize(
      RoundUp(params_.size(), gpu_.limits().minUniformBufferOffsetAlignment));

  const auto stamp = static_cast<uint32_t>(2 * submission_.timed.size());
  const bool timed = !command.stage.empty();
  if (timed) submission_.timed.push_back({kernel.name, command.stage});
  const bool stamped = timed && gpu_.clock() != Clock::kHost;
  WGPUPassTimestampWrites stamps = WGPU_PASS_TIMESTAMP_WRITES_INIT;
  if (stamped) {
    stamps.querySet = parts_.work->queries[stamp / kQueries].get();
    stamps.beginningOfPassWriteIndex = stamp % kQueries;
    stamps.endOfPassWriteIndex = stamp % kQueries + 1;
  }
  const bool of_its_own = stamped && gpu_.clock() == Clock::kAtPasses;
  if (of_its_own) EndPass();
  BeginPass(of_its_own ? &stamps : nullptr);
  const WGPUComputePassEncoder pass = pass_.get();
  const bool inside = stamped && gpu_.clock() == Clock::kInPasses;
  if (inside) {
    wgpuComputePassEncoderWriteTimestamp(pass, stamps.querySet,
                                         stamps.beginningOfPassWriteIndex);
  }
  for (size_t i = 0; i < pipelines.size(); ++i) {
    const auto& [x, y, z] = plan.passes[i].groups;
    wgpuComputePassEncoderSetPipeline(pass, pipelines[i]);
    wgpuComputePassEncoderSetBindGroup(pass, 0, group.get(), 1, &params_at);
    wgpuComputePassEncoderDispatchWorkgroups(pass, x, y, z);
  }
  if (inside) {
    wgpuComputePassEncoderWriteTimestamp(pass, stamps.querySet,
                                         stamps.endOfPassWriteIndex);
  }
  // What comes after is not this dispatch's time.
  if (of_its_own) EndPass();
  // What was written to copies goes to where it belongs.
  for (size_t i = 0; i < bound.size(); ++i) {
    const RawView& view = command.bindings[i];
    if (kernel.bindings[i] != Access::kReadWrite ||
        bound[i].buffer == RawOf(view.buffer) || view.bytes == 0) {
      continue;
    }
    EndPass();
    wgpuCommandEncoderCopyBufferToBuffer(encoder_.get(), bound[i].buffer, 0,
                                         RawOf(view.buffer), view.offset,
                                         RoundUp(view.bytes, 4));
  }
  return {};
}

// Whether a view can not be bound where it is. WebGPU wants offsets that are
// multiples of 32 to 256, and no buffer both read and written in a dispatch,
// not even in different places.
bool Recording::NeedsCopy(const Command& command, size_t i) const {
  const RawView& view = command.bindings[i];
  if (view.offset % gpu_.limits().minStorageBufferOffsetAlignment != 0) {
    return true;
  }
  if (command.kernel->bindings[i] == Access::kReadWrite) return false;
  for (size_t j = 0; j < command.bindings.size(); ++j) {
    if (command.kernel->bindings[j] == Access::kReadWrite &&
        command.bindings[j].buffer.handle == view.buffer.handle) {
      return true;
    }
  }
  return false;
}

Status Recording::Bind(const Command& command, std::vector<Bound>& bound) {
  for (size_t i = 0; i < command.bindings.size(); ++i) {
    const RawView& view = command.bindings[i];
    // A binding can not be empty, either.
    const uint64_t bytes =
        RoundUp(std::max<uint64_t>(view.bytes, 1), kBufferStep);
    if (view.bytes != 0 && !NeedsCopy(command, i)) {
      bound.push_back({RawOf(view.buffer), view.offset, bytes});
      continue;
    }
    ASSAY_ASSIGN(copy, parts_.storage->Take(bytes));
    temporaries_.push_back({copy, bytes});
    bound.push_back({copy, 0, bytes});
    if (view.bytes == 0) continue;
    EndPass();
    wgpuCommandEncoderCopyBufferToBuffer(encoder_.get(), RawOf(view.buffer),
                                         view.offset, copy, 0,
                                         RoundUp(view.bytes, 4));
  }
  return {};
}

// Copies may hold what nobody but their owners may see, and the pool gives them
// to anyone: they are empty when the submission ends.
void Recording::ClearTemporaries() {
  for (const Temporary& temporary : temporaries_) {
    wgpuCommandEncoderClearBuffer(encoder_.get(), temporary.buffer, 0,
                                  temporary.bytes);
  }
}

Status Recording::BindGroupOf(const Command& command, Compiled& compiled,
                              const std::vector<Bound>& bound,
                              uint64_t scratch_bytes, BindGroup& group) {
  std::vector<WGPUBindGroupEntry> entries;
  const auto add = [&](WGPUBuffer buffer, uint64_t offset, uint64_t bytes) {
    WGPUBindGroupEntry entry = WGPU_BIND_GROUP_ENTRY_INIT;
    entry.binding = static_cast<uint32_t>(entries.size());
    entry.buffer = buffer;
    entry.offset = offset;
    entry.size = bytes;
    entries.push_back(entry);
  };
  for (const Bound& one : bound) add(one.buffer, one.offset, one.bytes);
  add(parts_.work->params.buffer.get(), 0, command.params.size());
  if (command.kernel->plan_wgsl != nullptr) {
    add(parts_.work->scratch.buffer.get(), 0,
        RoundUp(std::max<uint64_t>(scratch_bytes, 1), kBufferStep));
  }
  WGPUBindGroupDescriptor descriptor = WGPU_BIND_GROUP_DESCRIPTOR_INIT;
  descriptor.layout = compiled.bindings.get();
  descriptor.entries = entries.data();
  descriptor.entryCount = entries.size();
  group = BindGroup(wgpuDeviceCreateBindGroup(gpu_.device(), &descriptor));
  return {};
}

Status Recording::ReadLater(WGPUBuffer from, uint64_t offset, uint64_t bytes,
                            std::byte* to) {
  EndPass();
  while (bytes > 0) {
    // Copies are of whole words.
    const uint64_t first = offset / 4 * 4;
    const uint64_t piece = std::min(bytes, kMostPiece - 4);
    const uint64_t copied = RoundUp(offset + piece, 4) - first;
    if (submission_.staging.empty() ||
        submission_.staging.back()->used + copied >
            submission_.staging.back()->bytes) {
      ASSAY_ASSIGN(staging, parts_.staging->Take(std::max(
                                copied, std::min(unread_bytes_, kMostPiece))));
      submission_.staging.push_back(staging);
    }
    Staging& staging = *submission_.staging.back();
    wgpuCommandEncoderCopyBufferToBuffer(encoder_.get(), from, first,
                                         staging.buffer.get(), staging.used,
                                         copied);
    submission_.copies.push_back(
        {&staging, staging.used + (offset - first), to, piece});
    // Maps begin and end at multiples of 8.
    staging.used += RoundUp(copied, 8);
    unread_bytes_ -= std::min(unread_bytes_, copied);
    offset += piece;
    bytes -= piece;
    to += piece;
  }
  return {};
}

Status Recording::ReadStamps() {
  if (submission_.stamps.empty()) return {};
  const auto count = static_cast<uint32_t>(submission_.stamps.size());
  const WGPUBuffer resolved = parts_.work->resolved.buffer.get();
  for (uint32_t first = 0; first < count; first += kQueries) {
    wgpuCommandEncoderResolveQuerySet(
        encoder_.get(), parts_.work->queries[first / kQueries].get(), 0,
        std::min(kQueries, count - first), resolved,
        uint64_t{first} * sizeof(uint64_t));
  }
  return ReadLater(resolved, 0, count * sizeof(uint64_t),
                   reinterpret_cast<std::byte*>(submission_.stamps.data()));
}

void Recording::BeginPass(const WGPUPassTimestampWrites* stamps) {
  if (pass_) return;
  WGPUComputePassDescriptor descriptor = WGPU_COMPUTE_PASS_DESCRIPTOR_INIT;
  descriptor.timestampWrites = stamps;
  pass_ = ComputePass(
      wgpuCommandEncoderBeginComputePass(encoder_.get(), &descriptor));
}

void Recording::EndPass() {
  if (!pass_) return;
  wgpuComputePassEncoderEnd(pass_.get());
  pass_.Reset();
}

}  // namespace assay::webgpu
