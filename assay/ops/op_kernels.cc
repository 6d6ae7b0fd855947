// Runs a case between guard words and compares every word.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "assay/base/split_mix.h"
#include "assay/number/babybear.h"
#include "assay/ops/op.h"

namespace assay {
namespace {

constexpr size_t kGuardWords = 64;
constexpr uint32_t kGuard = 0xdeadbeef;

CaseOutcome Failed(const Error& error) { return {false, error.what, error, 0}; }

// The first word that differs, guards included; empty if none does.
std::string FirstDifference(size_t index, std::span<const uint32_t> found,
                            std::span<const uint32_t> expected) {
  for (size_t i = 0; i < found.size(); ++i) {
    const bool inside = i >= kGuardWords && i < kGuardWords + expected.size();
    const uint32_t want = inside ? expected[i - kGuardWords] : kGuard;
    if (found[i] == want) continue;
    return inside ? fmt::format("buffer {} word {}: {:#x} instead of {:#x}",
                                index, i - kGuardWords, found[i], want)
                  : fmt::format("buffer {}: a stray write at word {}", index,
                                static_cast<int64_t>(i) -
                                    static_cast<int64_t>(kGuardWords));
  }
  return {};
}

}  // namespace

uint64_t BytesOf(const OpCase& op_case) {
  uint64_t bytes = 0;
  for (const std::vector<uint32_t>& buffer : op_case.buffers) {
    bytes += sizeof(uint32_t) * (buffer.size() + 2 * kGuardWords);
  }
  return bytes;
}

CaseOutcome RunCase(Device& device, const OpCase& op_case, bool compare) {
  std::vector<Buffer> buffers;
  std::vector<View<uint32_t>> views;
  for (const std::vector<uint32_t>& before : op_case.buffers) {
    std::vector<uint32_t> padded(before.size() + 2 * kGuardWords, kGuard);
    std::copy(before.begin(), before.end(), padded.begin() + kGuardWords);
    Result<Buffer> buffer =
        device.AllocateArray<uint32_t>(padded.size(), "a kernel's test");
    if (!buffer.ok()) return Failed(buffer.error());
    const View<uint32_t> all = buffer->As<uint32_t>();
    const Status uploaded =
        device.Upload(all, std::span<const uint32_t>(padded));
    if (!uploaded.ok()) return Failed(uploaded.error());
    views.push_back(all.Sub(kGuardWords, before.size()));
    buffers.push_back(std::move(*buffer));
  }

  Recorder recorder = device.Record("case");
  op_case.record(recorder, views);
  Trace trace;
  const Status run = device.Run(std::move(recorder));
  if (!run.ok()) return Failed(run.error());
  device.CollectSpans(trace);
  CaseOutcome outcome{true, {}, {}, 0};
  for (const Span& span : trace.spans()) {
    outcome.seconds += static_cast<double>(span.duration_ns) * 1e-9;
  }
  if (!compare) return outcome;

  std::vector<std::vector<uint32_t>> expected = op_case.buffers;
  op_case.meaning(expected);
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::vector<uint32_t> found(expected[i].size() + 2 * kGuardWords);
    const Status read =
        device.Read(buffers[i].As<uint32_t>(), std::span<uint32_t>(found));
    if (!read.ok()) return Failed(read.error());
    outcome.detail = FirstDifference(i, found, expected[i]);
    if (!outcome.detail.empty()) {
      outcome.passed = false;
      return outcome;
    }
  }
  return outcome;
}

std::vector<uint32_t> RandomResidues(uint64_t seed, size_t count) {
  std::vector<uint32_t> values(count);
  for (size_t i = 0; i < count; ++i) {
    values[i] = static_cast<uint32_t>(SplitMix64(seed, i) % BabyBear::kPrime);
  }
  return values;
}

}  // namespace assay
