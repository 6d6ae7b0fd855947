// Sizes that the sum of blocks is tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "assay/ops/op.h"
#include "assay/ops/xor_sum/xor_sum.h"
#include "assay/ops/xor_sum/xor_sum_kernels.h"

namespace assay {
namespace {

OpCase SumCase(uint64_t blocks) {
  OpCase result;
  result.name = fmt::format("{} blocks={}", XorSum::kName, blocks);
  result.buffers = {RandomResidues(1, static_cast<size_t>(4 * blocks)),
                    RandomResidues(2, 4)};
  result.record = [](Recorder& recorder,
                     std::span<const View<uint32_t>> views) {
    RecordXorSum(recorder, views[0].As<uint8_t>(), views[1].As<uint8_t>());
  };
  result.meaning = [](std::vector<std::vector<uint32_t>>& buffers) {
    xor_sum::Block sum;
    std::memcpy(sum.data(), buffers[1].data(), sum.size());
    sum =
        xor_sum::Add(sum, {reinterpret_cast<const uint8_t*>(buffers[0].data()),
                           4 * buffers[0].size()});
    std::memcpy(buffers[1].data(), sum.data(), sum.size());
  };
  result.bytes = 16 * blocks + 32;
  result.operations = blocks;
  return result;
}

}  // namespace

std::vector<OpCase> XorSumCases(CaseSize size) {
  if (size == CaseSize::kLarge) return {SumCase(1 << 16), SumCase(1 << 22)};
  std::vector<OpCase> cases;
  for (const uint64_t blocks : {0, 1, 2, 7, 8, 15, 31, 32, 33, 64, 100, 255,
                                256, 257, 1000, 4099, 20001, 70000}) {
    cases.push_back(SumCase(blocks));
  }
  return cases;
}

}  // namespace assay
