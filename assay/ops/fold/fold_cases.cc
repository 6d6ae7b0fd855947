// Shapes that the kernels of folds and weights are tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "assay/ops/fold/fold.h"
#include "assay/ops/fold/fold_kernels.h"
#include "assay/ops/op.h"
#include "assay/ops/sumcheck/planes.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;
using Views = std::span<const View<uint32_t>>;

constexpr uint64_t kExtProduct = 16;  // multiplications

std::vector<uint32_t> Residues(uint64_t seed, size_t count, bool largest) {
  return largest ? std::vector<uint32_t>(count, BabyBear::kPrime - 1)
                 : RandomResidues(seed, count);
}

OpCase BaseCase(uint32_t log_blocks, uint32_t log_size, uint32_t gap,
                bool largest = false) {
  const uint64_t size = uint64_t{1} << log_size;
  const uint64_t blocks = uint64_t{1} << log_blocks;
  const uint32_t stride = static_cast<uint32_t>(size) + gap;
  OpCase result;
  result.name =
      fmt::format("{} log_blocks={} log_size={} gap={}{}", FoldBase::kName,
                  log_blocks, log_size, gap, largest ? " largest" : "");
  result.buffers = {Residues(1, blocks * size, largest),
                    Residues(2, 4 * blocks, largest),
                    RandomResidues(3, 4 * size_t{stride})};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<FoldBase>({views[0].raw, views[1].raw, views[2].raw},
                                {log_blocks, log_size, stride, 0});
  };
  result.meaning = [=](Buffers& buffers) {
    ExtToPlanes(
        fold::FoldBase(BaseFromWords(buffers[0]), ExtFromWords(buffers[1])),
        stride, buffers[2]);
  };
  result.bytes = 4 * blocks * size + 16 * (size + blocks);
  result.operations = 4 * blocks * size;
  return result;
}

// Writes weights over, or adds them to, the first entries of four planes.
void PutWeights(std::vector<Ext4> weights, bool accumulate, size_t stride,
                std::vector<uint32_t>& words) {
  if (accumulate) {
    const std::vector<Ext4> before =
        ExtFromPlanes(words, stride, weights.size());
    for (size_t i = 0; i < weights.size(); ++i) weights[i] += before[i];
  }
  ExtToPlanes(weights, stride, words);
}

OpCase EqCase(uint32_t log_low, uint32_t log_high, bool accumulate,
              uint32_t gap, bool largest = false) {
  const uint64_t low = uint64_t{1} << log_low;
  const uint64_t high = uint64_t{1} << log_high;
  const uint32_t stride = static_cast<uint32_t>(low * high) + gap;
  OpCase result;
  result.name = fmt::format("{} log_low={} log_high={} accumulate={} gap={}{}",
                            FoldEq::kName, log_low, log_high,
                            accumulate ? 1 : 0, gap, largest ? " largest" : "");
  result.buffers = {Residues(4, 4 * low, largest),
                    Residues(5, 4 * high, largest),
                    Residues(6, 4 * size_t{stride}, largest)};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<FoldEq>(
        {views[0].raw, views[1].raw, views[2].raw},
        {log_low, log_high, stride, accumulate ? 1u : 0u});
  };
  result.meaning = [=](Buffers& buffers) {
    PutWeights(fold::ProductWeights(ExtFromPlanes(buffers[0], low, low),
                                    ExtFromWords(buffers[1])),
               accumulate, stride, buffers[2]);
  };
  result.bytes = 16 * (low * high * (accumulate ? 2 : 1) + low + high);
  result.operations = kExtProduct * low * high;
  return result;
}

OpCase SelectCase(uint32_t count, uint32_t log_size, bool reversed,
                  uint32_t gap, bool largest = false) {
  const uint64_t size = uint64_t{1} << log_size;
  const uint32_t stride = static_cast<uint32_t>(size) + gap;
  // Zero and one are powers that a kernel could get wrong.
  // Of a count of zero, one is there that must not be looked at.
  const uint32_t present = std::max(count, 1u);
  std::vector<uint32_t> y = Residues(7, present, largest);
  if (count > 2) {
    y[1] = 0;
    y[2] = BabyBear::kOneResidue;
  }
  OpCase result;
  result.name = fmt::format("{} count={} log_size={} reversed={} gap={}{}",
                            FoldSelect::kName, count, log_size,
                            reversed ? 1 : 0, gap, largest ? " largest" : "");
  result.buffers = {std::move(y), Residues(8, size_t{4} * present, largest),
                    Residues(9, 4 * size_t{stride}, largest)};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<FoldSelect>(
        {views[0].raw, views[1].raw, views[2].raw},
        {count, log_size, stride, reversed ? 1u : 0u});
  };
  result.meaning = [=](Buffers& buffers) {
    const std::vector<BabyBear> powers = BaseFromWords(buffers[0]);
    const std::vector<Ext4> factors = ExtFromWords(buffers[1]);
    PutWeights(fold::SelectWeights(std::span(powers).first(count),
                                   std::span(factors).first(count),
                                   static_cast<int>(log_size), reversed),
               /*accumulate=*/true, stride, buffers[2]);
  };
  result.bytes = 32 * size + 20 * uint64_t{count};
  result.operations = 4 * uint64_t{count} * size;
  return result;
}

OpCase ReverseCase(uint32_t log_size) {
  const size_t size = size_t{1} << log_size;
  OpCase result;
  result.name = fmt::format("{} log_size={}", FoldReverse::kName, log_size);
  result.buffers = {RandomResidues(10, size)};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<FoldReverse>({views[0].raw}, {log_size, {}});
  };
  result.meaning = [](Buffers& buffers) {
    std::vector<BabyBear> table = BaseFromWords(buffers[0]);
    fold::ReverseTable(table);
    BaseToWords(table, 0, buffers[0]);
  };
  result.bytes = 8 * uint64_t{size};
  return result;
}

}  // namespace

std::vector<OpCase> FoldCases(CaseSize size) {
  if (size == CaseSize::kLarge) {
    return {BaseCase(4, 16, 0),           EqCase(10, 6, false, 0),
            EqCase(10, 6, true, 0),       SelectCase(173, 16, false, 0),
            SelectCase(173, 16, true, 0), ReverseCase(20)};
  }
  std::vector<OpCase> cases;
  for (const uint32_t log_blocks : {0, 1, 4}) {
    for (const uint32_t log_size : {0, 1, 2, 3, 5, 7}) {
      cases.push_back(BaseCase(log_blocks, log_size, log_size % 2 * 3));
    }
  }
  cases.push_back(BaseCase(2, 11, 0));
  // Long sums of unreduced products.
  cases.push_back(BaseCase(6, 5, 0, /*largest=*/true));
  cases.push_back(BaseCase(11, 1, 0, /*largest=*/true));
  cases.push_back(BaseCase(14, 0, 0));
  for (const bool accumulate : {false, true}) {
    for (const auto& [log_low, log_high] : {std::pair{0, 0},
                                            {0, 3},
                                            {1, 1},
                                            {2, 0},
                                            {3, 2},
                                            {5, 4},
                                            {7, 1},
                                            {10, 2}}) {
      cases.push_back(EqCase(static_cast<uint32_t>(log_low),
                             static_cast<uint32_t>(log_high), accumulate,
                             static_cast<uint32_t>(log_high) % 2 * 5));
    }
    cases.push_back(EqCase(5, 1, accumulate, 0, /*largest=*/true));
  }
  for (const bool reversed : {false, true}) {
    for (const uint32_t count : {1, 5, 17, 33}) {
      for (const uint32_t log_size : {0, 1, 2, 3, 5, 7}) {
        cases.push_back(
            SelectCase(count, log_size, reversed, log_size % 2 * 3));
      }
    }
    cases.push_back(SelectCase(0, 3, reversed, 1));
    cases.push_back(SelectCase(5, 10, reversed, 0));
    cases.push_back(SelectCase(2, 11, reversed, 1));
    cases.push_back(SelectCase(64, 12, reversed, 0));
    cases.push_back(SelectCase(65, 13, reversed, 5));
    cases.push_back(SelectCase(3000, 2, reversed, 0, /*largest=*/true));
  }
  for (const uint32_t log_size : {0, 1, 2, 3, 5, 7, 9, 10, 11, 13}) {
    cases.push_back(ReverseCase(log_size));
  }
  return cases;
}

}  // namespace assay
