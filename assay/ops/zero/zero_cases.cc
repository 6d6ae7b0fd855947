// Sizes that the kernel of zeros is tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "assay/ops/op.h"
#include "assay/ops/zero/zero_kernels.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;

// The buffer is some words longer than what is overwritten.
OpCase ZeroCase(uint64_t bytes) {
  OpCase result;
  result.name = fmt::format("{} bytes={}", ZeroBytes::kName, bytes);
  result.buffers = {RandomResidues(1, static_cast<size_t>(bytes / 4 + 5))};
  result.record = [bytes](Recorder& recorder,
                          std::span<const View<uint32_t>> views) {
    recorder.Dispatch<ZeroBytes>(
        {views[0].raw},
        {static_cast<uint32_t>(bytes), static_cast<uint32_t>(bytes >> 32), {}});
  };
  result.meaning = [bytes](Buffers& buffers) {
    auto* data = reinterpret_cast<uint8_t*>(buffers[0].data());
    std::fill_n(data, bytes, uint8_t{0});
  };
  result.bytes = bytes + 4;
  return result;
}

}  // namespace

std::vector<OpCase> ZeroCases(CaseSize size) {
  if (size == CaseSize::kLarge) {
    return {ZeroCase(1 << 20), ZeroCase(1 << 26)};
  }
  std::vector<OpCase> cases;
  for (const uint64_t bytes :
       {0, 1, 3, 4, 15, 16, 17, 33, 4096, 4099, 20000, (1 << 21) + 7}) {
    cases.push_back(ZeroCase(bytes));
  }
  return cases;
}

}  // namespace assay
