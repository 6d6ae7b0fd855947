// Runs kernels on the processor, in program order.
// SPDX-License-Identifier: Apache-2.0
#include "assay/device/cpu/cpu_backend.h"

#include <fmt/format.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "assay/base/memory.h"
#include "assay/device/cpu/host_pool.h"

namespace assay {
namespace {

// A stream of any length runs in memory of one size, though nobody collects
// its spans.
constexpr size_t kMostSpans = size_t{1} << 16;

std::string ProcessorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) {
      const size_t colon = line.find(": ");
      if (colon != std::string::npos) return line.substr(colon + 2);
    }
  }
  return "processor";
}

// Highway's AVX3_DL does not ask for the 52-bit multiply that our kernels for
// it use; where a hypervisor hides it, the next target serves.
void DisableTargetsWithoutIfma() {
#if HWY_ARCH_X86
  if (__builtin_cpu_supports("avx512ifma") == 0) {
    hwy::DisableTargets(HWY_AVX3_DL | (HWY_AVX3_DL - 1));
  }
#endif
}

// The best vector target that this build and this processor share.
int64_t BestTarget() {
  const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  return targets & ~(targets - 1);
}

int LanesOf(int64_t target) {
#if HWY_ARCH_X86
  if (target <= HWY_AVX3) return 16;
  if (target == HWY_AVX2) return 8;
#endif
  return target == HWY_SCALAR || target == HWY_EMU128 ? 1 : 4;
}

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(int threads)
      : threads_(threads), info_(DescribeCpu(threads_.count())) {}

  const DeviceInfo& Info() const override { return info_; }

  Result<RawBuffer> Allocate(size_t bytes, Role /*role*/) override {
    ASSAY_ASSIGN(data, pool_.Take(bytes));
    return RawBuffer{reinterpret_cast<uint64_t>(data), data, bytes};
  }

  void Release(RawBuffer buffer) override {
    pool_.Give(buffer.data, buffer.bytes);
  }

  Status Upload(const RawView& to, std::span<const std::byte> from) override {
    if (from.size() > to.bytes) return TooLong(from.size(), to.bytes);
    if (from.empty()) return {};  // its pointer may be null
    std::memcpy(to.buffer.data + to.offset, from.data(), from.size());
    return {};
  }

  Status Prepare(const KernelRow& kernel) override {
    if (kernel.cpu.run != nullptr) return {};
    return Error{Code::kInternal,
                 fmt::format("kernel {} has no cpu form", kernel.name), ""};
  }

  Result<uint64_t> Submit(std::vector<Command> commands) override {
    std::vector<CpuArgs::Binding> bindings;
    for (const Command& command : commands) {
      bindings.clear();
      for (const RawView& view : command.bindings) {
        bindings.push_back({view.buffer.data + view.offset, view.bytes});
      }
      if (command.kernel == nullptr) {
        if (bindings[0].bytes > 0) {
          std::memcpy(command.destination, bindings[0].data, bindings[0].bytes);
        }
        continue;
      }
      const int64_t start_ns = clock_.NowNs();
      command.kernel->cpu.run(
          CpuArgs(bindings, command.params.data(), threads_));
      if (spans_.size() == kMostSpans) continue;
      spans_.push_back({std::string(command.kernel->name),
                        std::string(command.stage), start_ns,
                        clock_.NowNs() - start_ns, "cpu"});
    }
    return ++submitted_;
  }

  bool Done(uint64_t /*ticket*/) override { return true; }
  Status Wait(uint64_t /*ticket*/) override { return {}; }

  Status Read(const RawView& from, std::span<std::byte> to) override {
    if (to.size() > from.bytes) return TooLong(to.size(), from.bytes);
    if (to.empty()) return {};
    std::memcpy(to.data(), from.buffer.data + from.offset, to.size());
    return {};
  }

  void Timestamps(Trace& trace) override {
    // Both clocks run at the same rate; only their zeros differ.
    const int64_t shift_ns = trace.NowNs() - clock_.NowNs();
    for (Span& span : spans_) {
      span.start_ns += shift_ns;
      trace.Add(std::move(span));
    }
    spans_.clear();
  }

  void Trim() override { pool_.Trim(); }

 private:
  static Error TooLong(size_t bytes, size_t limit) {
    return Error{
        Code::kInternal,
        fmt::format("a copy of {} bytes meets a view of {}", bytes, limit), ""};
  }

  Threads threads_;
  DeviceInfo info_;
  HostPool pool_;
  Trace clock_;
  std::vector<Span> spans_;
  uint64_t submitted_ = 0;
};

}  // namespace

DeviceInfo DescribeCpu(int threads) {
  DisableTargetsWithoutIfma();
  const int count = threads > 0 ? threads : HardwareThreads();
  DeviceInfo info;
  info.kind = BackendKind::kCpu;
  info.name = ProcessorName();
  info.detail = fmt::format("{}, {} thread{}", hwy::TargetName(BestTarget()),
                            count, count == 1 ? "" : "s");
  info.memory_bytes = AvailableBytes();
  info.lanes = LanesOf(BestTarget());
  info.threads = count;
  info.unified_memory = true;
  return info;
}

std::vector<std::string> ListCpuTargets() {
  DisableTargetsWithoutIfma();
  std::vector<std::string> names;
  int64_t left = hwy::SupportedTargets() & HWY_TARGETS;
  while (left != 0) {  // the best is the lowest bit
    const int64_t target = left & ~(left - 1);
    names.emplace_back(hwy::TargetName(target));
    left &= ~target;
  }
  return names;
}

Status ChooseCpuTarget(std::string_view name) {
  hwy::SetSupportedTargetsForTest(0);
  if (name.empty()) return {};
  const int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  for (int64_t left = targets; left != 0; left &= left - 1) {
    const int64_t target = left & ~(left - 1);
    if (hwy::TargetName(target) != name) continue;
    hwy::SetSupportedTargetsForTest(target);
    return {};
  }
  return Error{Code::kInvalidInput,
               fmt::format("there is no vector target {} here", name),
               fmt::format("{}", fmt::join(ListCpuTargets(), ", "))};
}

std::unique_ptr<Backend> MakeCpuBackend(int threads) {
  return std::make_unique<CpuBackend>(threads);
}

}  // namespace assay
