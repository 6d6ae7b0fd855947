// Runs kernels through WebGPU, on one queue, in the order of recording.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/webgpu/webgpu_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <utility>

#include "assay/device/failures.h"
#include "assay/device/webgpu/adapters.h"
#include "assay/device/webgpu/recording.h"
#include "assay/device/webgpu/upload_ring.h"

namespace assay {
namespace webgpu {
namespace {

// A stream of any length runs in memory of one size.
constexpr size_t kMostSpans = size_t{1} << 16;
// Uploads wait in memory of the host: so much of it.
constexpr size_t kMostPending = size_t{128} << 20;
// A long read takes staging of this size, not of its own.
constexpr size_t kReadPiece = size_t{32} << 20;

Error TooLong(size_t bytes, size_t limit) {
  return Error{
      Code::kInternal,
      fmt::format("a copy of {} bytes meets a view of {}", bytes, limit), ""};
}

class WebGpuBackend final : public Backend {
 public:
  WebGpuBackend(DeviceInfo info, std::unique_ptr<Gpu> gpu)
      : info_(std::move(info)),
        gpu_(std::move(gpu)),
        pipelines_(*gpu_),
        storage_(*gpu_),
        staging_(*gpu_),
        uploads_(*gpu_) {}

  ~WebGpuBackend() override {
    // Callbacks name staging buffers.
    if (!submissions_.empty()) gpu_->Poll(&submissions_.back().index);
    for (Submission& submission : submissions_) Forget(submission);
  }

  const DeviceInfo& Info() const override { return info_; }

  Result<RawBuffer> Allocate(size_t bytes, Role /*role*/) override {
    RawBuffer buffer;
    buffer.bytes = bytes;
    if (bytes == 0) return buffer;
    ASSAY_ASSIGN(raw, storage_.Take(bytes));
    buffer.handle = reinterpret_cast<uint64_t>(raw);
    return buffer;
  }

  void Release(RawBuffer buffer) override {
    if (buffer.handle != 0) storage_.Give(RawOf(buffer), buffer.bytes);
  }

  Status Upload(const RawView& to, std::span<const std::byte> from) override {
    if (from.size() > to.bytes) return TooLong(from.size(), to.bytes);
    size_t at = to.offset;
    // WebGPU writes whole words.
    const size_t head = std::min(from.size(), (4 - at % 4) % 4);
    ASSAY_TRY(WritePart(to.buffer, at, from.first(head)));
    from = from.subspan(head);
    at += head;
    const size_t whole = from.size() / 4 * 4;
    ASSAY_TRY(WriteWords(to.buffer, at, from.first(whole)));
    return WritePart(to.buffer, at + whole, from.subspan(whole));
  }

  Status Prepare(const KernelRow& kernel) override {
    ASSAY_ASSIGN(compiled, pipelines_.Find(kernel));
    // The entry points of a plan depend on parameters.
    if (kernel.plan_wgsl != nullptr) return {};
    ASSAY_TRY(pipelines_.Entry(kernel, *compiled, kernel.name));
    return {};
  }

  Result<uint64_t> Submit(std::vector<Command> commands) override {
    Recording recording(
        {gpu_.get(), &pipelines_, &storage_, &staging_, &work_});
    const int64_t begin_ns = clock_.NowNs();
    ASSAY_ASSIGN(submission, recording.Submit(commands));
    submission.number = ++submitted_;
    submission.begin_ns = begin_ns;
    submissions_.push_back(std::move(submission));
    return submitted_;
  }

  bool Done(uint64_t ticket) override {
    gpu_->Poll();
    for (const Submission& submission : submissions_) {
      if (submission.number > ticket) break;
      if (IsWaiting(submission) && gpu_->Alive().ok()) return false;
    }
    return true;
  }

  Status Wait(uint64_t ticket) override {
    while (!submissions_.empty() && submissions_.front().number <= ticket) {
      Submission submission = std::move(submissions_.front());
      submissions_.pop_front();
      failures_.Add(submission.number, Finish(submission));
      Forget(submission);
    }
    ASSAY_TRY(failures_.Of(ticket));
    return gpu_->Loss();
  }

  Status Read(const RawView& from, std::span<std::byte> to) override {
    if (to.size() > from.bytes) return TooLong(to.size(), from.bytes);
    for (size_t at = 0; at < to.size(); at += kReadPiece) {
      const size_t bytes = std::min(kReadPiece, to.size() - at);
      Command command;
      command.bindings = {{from.buffer, from.offset + at, bytes}};
      command.destination = to.data() + at;
      ASSAY_ASSIGN(ticket, Submit({std::move(command)}));
      ASSAY_TRY(Wait(ticket));
    }
    return {};
  }

  void Timestamps(Trace& trace) override {
    const int64_t shift_ns = trace.NowNs() - clock_.NowNs();
    for (Span& span : spans_) {
      span.start_ns += shift_ns;
      trace.Add(std::move(span));
    }
    spans_.clear();
  }

  void Trim() override {
    work_ = {};
    uploads_.Trim();
    staging_.Trim();
    storage_.Trim();
  }

  void Lose() { gpu_->Lose(); }
  void FailAfter(int calls) { gpu_->FailAfter(calls); }

 private:
  // A word of which not all is written keeps the rest.
  Status WritePart(const RawBuffer& buffer, size_t at,
                   std::span<const std::byte> from) {
    if (from.empty()) return {};
    std::array<std::byte, 4> word = {};
    const size_t first = at / 4 * 4;
    // Behind a buffer's end nobody looks.
    if (at != first || at + from.size() < buffer.bytes) {
      const size_t bytes = std::min<size_t>(4, buffer.bytes - first);
      ASSAY_TRY(Read({buffer, first, bytes}, std::span(word).first(bytes)));
    }
    std::copy(from.begin(), from.end(), word.begin() + (at - first));
    return WriteWords(buffer, first, word);
  }

  Status WriteWords(const RawBuffer& buffer, size_t at,
                    std::span<const std::byte> from) {
    if (from.size() >= UploadRing::kLeastBytes) {
      return uploads_.Write(RawOf(buffer), at, from);
    }
    while (!from.empty()) {
      const size_t bytes = std::min(from.size(), kMostPending);
      ASSAY_TRY(gpu_->Try("an upload", [&] {
        wgpuQueueWriteBuffer(gpu_->queue(), RawOf(buffer), at, from.data(),
                             bytes);
      }));
      pending_ += bytes;
      if (pending_ >= kMostPending) ASSAY_TRY(Flush());
      at += bytes;
      from = from.subspan(bytes);
    }
    return {};
  }

  Status Flush() {
    pending_ = 0;
    WGPUSubmissionIndex index = 0;
    ASSAY_TRY(gpu_->Try("an upload", [&] {
      index = wgpuQueueSubmitForIndex(gpu_->queue(), 0, nullptr);
    }));
    gpu_->Poll(&index);
    return gpu_->Alive();
  }

  static bool IsWaiting(const Submission& submission) {
    if (!submission.failed.ok()) return false;
    if (submission.done != nullptr) return !*submission.done;
    return std::any_of(submission.staging.begin(), submission.staging.end(),
                       [](const Staging* staging) {
                         return staging->state == Staging::State::kWaiting;
                       });
  }

  Status Finish(const Submission& submission) {
    Status status = submission.failed;
    do {
      if (status.ok()) status = gpu_->Alive();
      // Also where it failed: staging is used again once callbacks have come.
      gpu_->Poll(&submission.index);
    } while (status.ok() && IsWaiting(submission));
    ASSAY_TRY(status);
    pending_ = 0;
    ASSAY_TRY(gpu_->Probe());
    for (Staging* staging : submission.staging) {
      if (staging_.Open(*staging)) continue;
      return Error{Code::kInternal, "a read-back failed", ""};
    }
    for (const Submission::Copy& copy : submission.copies) {
      std::memcpy(copy.to, copy.from->data + copy.offset, copy.bytes);
    }
    Collect(submission);
    return {};
  }

  // The first dispatch began when it was submitted, as far as the host can
  // tell; the rest are apart as the device's clock says. Without such a clock
  // there is one span, of all of them, on the host's.
  void Collect(const Submission& submission) {
    if (submission.timed.empty() || spans_.size() >= kMostSpans) return;
    if (submission.stamps.empty()) {
      const bool alone = submission.timed.size() == 1;
      spans_.push_back(
          {alone ? std::string(submission.timed[0].name) : "webgpu.submission",
           std::string(submission.timed[0].stage), submission.begin_ns,
           clock_.NowNs() - submission.begin_ns, "webgpu, host's clock"});
      return;
    }
    const auto ns = [&](uint64_t from, uint64_t to) {
      return static_cast<int64_t>(
          static_cast<double>(static_cast<int64_t>(to - from)) *
          gpu_->ns_per_tick());
    };
    const std::vector<uint64_t>& stamps = submission.stamps;
    for (size_t i = 0; i < submission.timed.size(); ++i) {
      spans_.push_back({std::string(submission.timed[i].name),
                        std::string(submission.timed[i].stage),
                        submission.begin_ns + ns(stamps[0], stamps[2 * i]),
                        ns(stamps[2 * i], stamps[2 * i + 1]), "webgpu"});
    }
  }

  void Forget(const Submission& submission) {
    for (Staging* staging : submission.staging) staging_.Give(staging);
  }

  DeviceInfo info_;
  std::unique_ptr<Gpu> gpu_;
  Pipelines pipelines_;
  StoragePool storage_;
  StagingPool staging_;
  UploadRing uploads_;
  Workspace work_;
  Trace clock_;
  std::deque<Submission> submissions_;
  Failures failures_;
  std::vector<Span> spans_;
  uint64_t submitted_ = 0;
  size_t pending_ = 0;  // uploaded since a submission was waited for
};

}  // namespace
}  // namespace webgpu

std::vector<DeviceInfo> ListWebGpuDevices() {
  std::vector<DeviceInfo> devices;
  for (webgpu::FoundAdapter& found : webgpu::FindAdapters()) {
    devices.push_back(std::move(found.info));
  }
  return devices;
}

Result<std::unique_ptr<Backend>> MakeWebGpuBackend(int index,
                                                   WebGpuClock best) {
  std::vector<webgpu::FoundAdapter> found = webgpu::FindAdapters();
  if (found.empty()) {
    return Error{Code::kNoDevice, "no adapter for WebGPU: no driver answers",
                 "install one for Vulkan, or choose --device cpu"};
  }
  if (index < 0 || static_cast<size_t>(index) >= found.size()) {
    return Error{Code::kNoDevice,
                 fmt::format("there is no webgpu adapter {}", index),
                 fmt::format("webgpu:0 to webgpu:{}", found.size() - 1)};
  }
  webgpu::FoundAdapter& chosen = found[static_cast<size_t>(index)];
  ASSAY_ASSIGN(gpu, webgpu::Gpu::Open(chosen.adapter.get(),
                                      static_cast<webgpu::Clock>(best)));
  return std::unique_ptr<Backend>(std::make_unique<webgpu::WebGpuBackend>(
      std::move(chosen.info), std::move(gpu)));
}

void LoseWebGpuDevice(Backend& backend) {
  static_cast<webgpu::WebGpuBackend&>(backend).Lose();
}

void FailWebGpuCall(Backend& backend, int calls) {
  static_cast<webgpu::WebGpuBackend&>(backend).FailAfter(calls);
}

}  // namespace assay
