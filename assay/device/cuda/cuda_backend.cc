// Runs kernels on an NVIDIA GPU, on one stream, in the order of recording.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/cuda/cuda_backend.h"

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <utility>

#include "assay/device/cuda/launch.h"
#include "assay/device/cuda/upload_ring.h"
#include "assay/device/failures.h"

namespace assay {
namespace {

// Errors after which a context is of no more use.
bool Fatal(cudaError_t error) {
  switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorDevicesUnavailable: return true;
    default: return false;
  }
}

Error Failure(cudaError_t error, std::string_view what) {
  // Clears an error that is not sticky.
  cudaGetLastError();
  if (error == cudaErrorMemoryAllocation) {
    return {Code::kOverBudget,
            fmt::format("{}: the GPU's memory is full", what),
            "lower --memory, or choose a smaller problem"};
  }
  return {Fatal(error) ? Code::kDeviceLost : Code::kInternal,
          fmt::format("{}: {}", what, cudaGetErrorString(error)),
          Fatal(error) ? "start the program anew" : ""};
}

Status Try(cudaError_t error, std::string_view what) {
  if (error == cudaSuccess) return {};
  return Failure(error, what);
}

// Makes a GPU the thread's current one for as long as it lives: a backend
// works on its own, whichever thread calls and whichever GPU that one uses.
class OnDevice {
 public:
  explicit OnDevice(int index) {
    if (cudaGetDevice(&before_) == cudaSuccess && before_ != index) {
      cudaSetDevice(index);
    } else {
      before_ = -1;
    }
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() {
    if (before_ >= 0) cudaSetDevice(before_);
  }

 private:
  int before_ = -1;
};

// A stream of any length runs in memory of one size.
constexpr size_t kMostSpans = size_t{1} << 16;
// Page-locked memory is dear to make: one allocation serves small read-backs.
constexpr size_t kLeastStaging = size_t{1} << 20;

DeviceInfo Describe(int index, const cudaDeviceProp& properties) {
  DeviceInfo info;
  info.kind = BackendKind::kCuda;
  info.index = index;
  info.name = properties.name;
  int driver = 0;
  cudaDriverGetVersion(&driver);
  info.detail =
      fmt::format("sm_{}{}, {} multiprocessors, driver {}.{}", properties.major,
                  properties.minor, properties.multiProcessorCount,
                  driver / 1000, driver % 1000 / 10);
  info.memory_bytes = properties.totalGlobalMem;
  info.lanes = properties.warpSize;
  info.threads = properties.multiProcessorCount;
  return info;
}

// Events are made once and used again.
class EventPool {
 public:
  ~EventPool() {
    for (cudaEvent_t event : free_) cudaEventDestroy(event);
  }
  Result<cudaEvent_t> Take() {
    cudaEvent_t event = nullptr;
    if (free_.empty()) {
      ASSAY_TRY(Try(cudaEventCreate(&event), "an event"));
    } else {
      event = free_.back();
      free_.pop_back();
    }
    return event;
  }
  void Give(cudaEvent_t event) { free_.push_back(event); }

 private:
  std::vector<cudaEvent_t> free_;
};

class CudaBackend final : public Backend {
 public:
  // Takes the stream over.
  CudaBackend(DeviceInfo info, int multiprocessors, cudaStream_t stream)
      : info_(std::move(info)),
        multiprocessors_(multiprocessors),
        stream_(stream),
        uploads_(stream) {}

  ~CudaBackend() override {
    const OnDevice current(info_.index);
    cudaStreamSynchronize(stream_);
    for (Submission& submission : submissions_) Forget(submission);
    if (staging_ != nullptr) cudaFreeHost(staging_);
    if (sums_ != nullptr) cudaFreeAsync(sums_, stream_);
    if (pool_ != nullptr) Trim();
    cudaStreamDestroy(stream_);
  }

  // Before anything else, once.
  Status Open() {
    const OnDevice current(info_.index);
    ASSAY_TRY(
        Try(cudaDeviceGetDefaultMemPool(&pool_, info_.index), "a memory pool"));
    uint64_t keep = UINT64_MAX;
    ASSAY_TRY(Try(
        cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep),
        "a memory pool"));
    void* sums = nullptr;
    ASSAY_TRY(Try(cudaMallocAsync(&sums, kSumBytes, stream_), "GPU memory"));
    sums_ = static_cast<std::byte*>(sums);
    ASSAY_TRY(Try(cudaMemsetAsync(sums, 0, kSumBytes, stream_), "GPU memory"));
    size_t free_bytes = 0, total_bytes = 0;
    ASSAY_TRY(Try(cudaMemGetInfo(&free_bytes, &total_bytes), "the GPU"));
    info_.memory_bytes = free_bytes;
    return {};
  }

  const DeviceInfo& Info() const override { return info_; }

  Result<RawBuffer> Allocate(size_t bytes, Role /*role*/) override {
    RawBuffer buffer;
    buffer.bytes = bytes;
    if (bytes == 0) return buffer;
    const OnDevice current(info_.index);
    void* pointer = nullptr;
    ASSAY_TRY(lost_);
    ASSAY_TRY(Noted(Try(cudaMallocAsync(&pointer, bytes, stream_),
                        fmt::format("{} bytes of GPU memory", bytes))));
    buffer.handle = reinterpret_cast<uint64_t>(pointer);
    return buffer;
  }

  void Release(RawBuffer buffer) override {
    if (buffer.handle == 0) return;
    const OnDevice current(info_.index);
    cudaFreeAsync(reinterpret_cast<void*>(buffer.handle), stream_);
  }

  Status Upload(const RawView& to, std::span<const std::byte> from) override {
    if (from.size() > to.bytes) return TooLong(from.size(), to.bytes);
    const OnDevice current(info_.index);
    ASSAY_TRY(lost_);
    return Noted(Try(uploads_.Send(At(to), from), "upload"));
  }

  Status Prepare(const KernelRow& kernel) override {
    if (kernel.cuda.launch != nullptr) return {};
    return Error{Code::kUnsupported,
                 fmt::format("kernel {} has no cuda form yet", kernel.name),
                 "--device cpu"};
  }

  Result<uint64_t> Submit(std::vector<Command> commands) override {
    const OnDevice current(info_.index);
    ASSAY_TRY(lost_);
    size_t staged = 0;
    for (const Command& command : commands) {
      if (command.kernel == nullptr)
        staged += Rounded(command.bindings[0].bytes);
    }
    ASSAY_TRY(Reserve(staged));
    Submission submission;
    ASSAY_ASSIGN(done, events_.Take());
    submission.done = done;
    submission.number = ++submitted_;
    submission.begin_ns = clock_.NowNs();
    Status failed;
    for (const Command& command : commands) {
      failed = command.kernel == nullptr ? ReadLater(command, submission)
                                         : Launch(command, submission);
      if (!failed.ok()) break;
    }
    if (failed.ok()) {
      failed = Try(cudaEventRecord(submission.done, stream_), "a submission");
    }
    if (!Noted(failed).ok()) {
      // What was launched before runs to its end; nobody reads what it left.
      cudaStreamSynchronize(stream_);
      Forget(submission);
      if (submissions_.empty()) staged_ = 0;
      if (!submission.began) return failed.error();
      failures_.Add(submitted_, failed);
      return submitted_;
    }
    submissions_.push_back(std::move(submission));
    return submitted_;
  }

  bool Done(uint64_t ticket) override {
    const OnDevice current(info_.index);
    for (const Submission& submission : submissions_) {
      if (submission.number == ticket) {
        return cudaEventQuery(submission.done) != cudaErrorNotReady;
      }
    }
    return true;
  }

  Status Wait(uint64_t ticket) override {
    const OnDevice current(info_.index);
    Finish(ticket);
    ASSAY_TRY(failures_.Of(ticket));
    return lost_;
  }

  Status Read(const RawView& from, std::span<std::byte> to) override {
    if (to.size() > from.bytes) return TooLong(to.size(), from.bytes);
    const OnDevice current(info_.index);
    ASSAY_TRY(lost_);
    ASSAY_TRY(Noted(Try(cudaMemcpyAsync(to.data(), At(from), to.size(),
                                        cudaMemcpyDeviceToHost, stream_),
                        "read")));
    return Noted(Try(cudaStreamSynchronize(stream_), "read"));
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
    const OnDevice current(info_.index);
    cudaStreamSynchronize(stream_);
    cudaMemPoolTrimTo(pool_, 0);
  }

 private:
  struct Copy {
    size_t offset = 0;
    std::byte* to = nullptr;
    size_t bytes = 0;
    std::shared_ptr<void> owner;
  };
  struct Timed {
    cudaEvent_t begin = nullptr, end = nullptr;
    std::string_view name, stage;
  };
  struct Submission {
    uint64_t number = 0;
    int64_t begin_ns = 0;
    cudaEvent_t done = nullptr;
    bool began = false;  // a kernel may have run
    std::vector<Copy> copies;
    std::vector<Timed> timed;
  };

  static size_t Rounded(size_t bytes) { return (bytes + 255) / 256 * 256; }
  static void* At(const RawView& view) {
    return reinterpret_cast<void*>(view.buffer.handle + view.offset);
  }
  static Error TooLong(size_t bytes, size_t limit) {
    return Error{
        Code::kInternal,
        fmt::format("a copy of {} bytes meets a view of {}", bytes, limit), ""};
  }

  // A lost context stays lost, whatever its later calls say.
  Status Noted(Status status) {
    if (!status.ok() && status.error().code == Code::kDeviceLost && lost_.ok())
      lost_ = status;
    return status;
  }

  // Up to a ticket, in the order of submission.
  void Finish(uint64_t ticket) {
    while (!submissions_.empty() && submissions_.front().number <= ticket) {
      Submission submission = std::move(submissions_.front());
      submissions_.pop_front();
      Status status = lost_;
      if (status.ok()) {
        status =
            Noted(Try(cudaEventSynchronize(submission.done), "a submission"));
      }
      if (status.ok()) {
        for (const Copy& copy : submission.copies) {
          std::memcpy(copy.to, staging_ + copy.offset, copy.bytes);
        }
        Collect(submission);
      }
      failures_.Add(submission.number, status);
      Forget(submission);
      if (submissions_.empty()) staged_ = 0;
    }
  }

  // Page-locked memory for read-backs: copies into it do not stop the host.
  Status Reserve(size_t bytes) {
    if (staged_ + bytes <= staging_bytes_) return {};
    // What is under way writes to the old one.
    if (!submissions_.empty()) Finish(submissions_.back().number);
    ASSAY_TRY(lost_);
    if (bytes <= staging_bytes_) return {};
    if (staging_ != nullptr) cudaFreeHost(staging_);
    staging_ = nullptr;
    staging_bytes_ = 0;
    const size_t size = std::max(kLeastStaging, Rounded(bytes + bytes / 2));
    void* pointer = nullptr;
    ASSAY_TRY(Try(cudaMallocHost(&pointer, size), "page-locked memory"));
    staging_ = static_cast<std::byte*>(pointer);
    staging_bytes_ = size;
    return {};
  }

  Status ReadLater(const Command& command, Submission& submission) {
    const RawView& view = command.bindings[0];
    ASSAY_TRY(Try(cudaMemcpyAsync(staging_ + staged_, At(view), view.bytes,
                                  cudaMemcpyDeviceToHost, stream_),
                  "read-back"));
    submission.copies.push_back(
        {staged_, command.destination, view.bytes, command.owner});
    staged_ += Rounded(view.bytes);
    return {};
  }

  Status Launch(const Command& command, Submission& submission) {
    ASSAY_TRY(Prepare(*command.kernel));
    std::vector<CudaArgs::Binding> bindings;
    for (const RawView& view : command.bindings) {
      bindings.push_back({static_cast<std::byte*>(At(view)), view.bytes});
    }
    const auto launch = [&] {
      submission.began = true;
      command.kernel->cuda.launch({bindings, command.params.data(),
                                   command.groups, multiprocessors_, stream_,
                                   sums_});
      return Try(cudaGetLastError(), command.kernel->name);
    };
    // Two events cost the host as much as the launch does.
    if (command.stage.empty()) return launch();
    ASSAY_ASSIGN(begin, events_.Take());
    ASSAY_ASSIGN(end, events_.Take());
    submission.timed.push_back(
        {begin, end, command.kernel->name, command.stage});
    ASSAY_TRY(Try(cudaEventRecord(begin, stream_), command.kernel->name));
    ASSAY_TRY(launch());
    return Try(cudaEventRecord(end, stream_), command.kernel->name);
  }

  // Spans of a submission: the first began when it was submitted, as far as
  // the host can tell; the rest are apart as the device's clock says.
  void Collect(const Submission& submission) {
    for (const Timed& timed : submission.timed) {
      float from_ms = 0, length_ms = 0;
      // A time that is not known is no span.
      if (spans_.size() >= kMostSpans ||
          cudaEventElapsedTime(&from_ms, submission.timed.front().begin,
                               timed.begin) != cudaSuccess ||
          cudaEventElapsedTime(&length_ms, timed.begin, timed.end) !=
              cudaSuccess) {
        return;
      }
      spans_.push_back(
          {std::string(timed.name), std::string(timed.stage),
           submission.begin_ns + static_cast<int64_t>(double{from_ms} * 1e6),
           static_cast<int64_t>(double{length_ms} * 1e6), "cuda"});
    }
  }

  void Forget(const Submission& submission) {
    for (const Timed& timed : submission.timed) {
      events_.Give(timed.begin);
      events_.Give(timed.end);
    }
    if (submission.done != nullptr) events_.Give(submission.done);
  }

  DeviceInfo info_;
  int multiprocessors_;
  cudaStream_t stream_;
  cudaMemPool_t pool_ = nullptr;
  std::byte* sums_ = nullptr;
  UploadRing uploads_;
  EventPool events_;
  Trace clock_;
  std::deque<Submission> submissions_;
  Failures failures_;
  Status lost_;
  std::vector<Span> spans_;
  uint64_t submitted_ = 0;
  std::byte* staging_ = nullptr;
  size_t staging_bytes_ = 0;
  size_t staged_ = 0;
};

}  // namespace

std::vector<DeviceInfo> ListCudaDevices() {
  int count = 0;
  std::vector<DeviceInfo> devices;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return devices;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, i) == cudaSuccess) {
      devices.push_back(Describe(i, properties));
    }
  }
  return devices;
}

Result<std::unique_ptr<Backend>> MakeCudaBackend(int index) {
  int count = 0;
  const cudaError_t counted = cudaGetDeviceCount(&count);
  if (counted != cudaSuccess || count == 0) {
    cudaGetLastError();
    return Error{
        Code::kNoDevice,
        fmt::format("no NVIDIA GPU: {}", counted != cudaSuccess
                                             ? cudaGetErrorString(counted)
                                             : "the driver lists none"),
        "--device cpu"};
  }
  if (index < 0 || index >= count) {
    return Error{Code::kNoDevice, fmt::format("there is no GPU {}", index),
                 fmt::format("cuda:0 to cuda:{}", count - 1)};
  }
  cudaDeviceProp properties;
  const OnDevice current(index);
  ASSAY_TRY(Try(cudaGetDeviceProperties(&properties, index), "the GPU"));
  cudaStream_t stream = nullptr;
  ASSAY_TRY(Try(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking),
                "a stream"));
  auto backend = std::make_unique<CudaBackend>(
      Describe(index, properties), properties.multiProcessorCount, stream);
  ASSAY_TRY(backend->Open());
  return std::unique_ptr<Backend>(std::move(backend));
}

}  // namespace assay
