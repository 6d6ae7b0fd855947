// Shapes that the kernels of the sum-check are tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "assay/ops/fold/fold.h"
#include "assay/ops/op.h"
#include "assay/ops/sumcheck/planes.h"
#include "assay/ops/sumcheck/sumcheck.h"
#include "assay/ops/sumcheck/sumcheck_kernels.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;
using Views = std::span<const View<uint32_t>>;
using sumcheck::Order;

constexpr uint64_t kExtProduct = 16;  // multiplications

std::vector<uint32_t> Residues(uint64_t seed, size_t count, bool largest) {
  return largest ? std::vector<uint32_t>(count, BabyBear::kPrime - 1)
                 : RandomResidues(seed, count);
}

std::vector<Ext4> WeightsOf(const std::vector<uint32_t>& low,
                            const std::vector<uint32_t>& high) {
  return fold::ProductWeights(
      ExtFromPlanes(low, low.size() / 4, low.size() / 4), ExtFromWords(high));
}

OpCase PartialCase(uint32_t blocks, uint32_t log_low, uint32_t log_high,
                   bool largest = false) {
  const uint64_t low = uint64_t{1} << log_low;
  const uint64_t high = uint64_t{1} << log_high;
  const uint64_t size = low * high;
  OpCase result;
  result.name = fmt::format("{} blocks={} log_low={} log_high={}{}",
                            SumcheckPartial::kName, blocks, log_low, log_high,
                            largest ? " largest" : "");
  result.buffers = {
      Residues(1, blocks * size, largest), Residues(2, 4 * low, largest),
      Residues(3, 4 * high, largest), RandomResidues(4, 4 * blocks)};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<SumcheckPartial>(
        {views[0].raw, views[1].raw, views[2].raw, views[3].raw},
        {blocks, log_low, log_high, 0});
  };
  result.meaning = [=](Buffers& buffers) {
    const std::vector<BabyBear> table = BaseFromWords(buffers[0]);
    const std::vector<Ext4> weights = WeightsOf(buffers[1], buffers[2]);
    std::vector<Ext4> sums(blocks);
    for (size_t i = 0; i < table.size(); ++i) {
      sums[i / size] += weights[i % size] * table[i];
    }
    ExtToWords(sums, 0, buffers[3]);
  };
  result.bytes = 4 * blocks * size + 16 * (low + high + blocks);
  result.operations = blocks * (4 * size + kExtProduct * high);
  return result;
}

OpCase EvaluateCase(uint32_t log_low, uint32_t log_high, uint32_t gap,
                    bool largest = false) {
  const uint64_t low = uint64_t{1} << log_low;
  const uint64_t high = uint64_t{1} << log_high;
  const uint64_t size = low * high;
  const uint32_t stride = static_cast<uint32_t>(size) + gap;
  OpCase result;
  result.name =
      fmt::format("{} log_low={} log_high={} gap={}{}", SumcheckEvaluate::kName,
                  log_low, log_high, gap, largest ? " largest" : "");
  result.buffers = {Residues(5, 4 * size_t{stride}, largest),
                    Residues(6, 4 * low, largest),
                    Residues(7, 4 * high, largest), RandomResidues(8, 4)};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<SumcheckEvaluate>(
        {views[0].raw, views[1].raw, views[2].raw, views[3].raw},
        {stride, log_low, log_high, 0});
  };
  result.meaning = [=](Buffers& buffers) {
    const std::array sum = {
        sumcheck::Dot(ExtFromPlanes(buffers[0], stride, size),
                      WeightsOf(buffers[1], buffers[2]))};
    ExtToWords(sum, 0, buffers[3]);
  };
  result.bytes = 16 * (size + low + high + 1);
  result.operations = kExtProduct * (size + high);
  return result;
}

// Two tables whose planes lie apart by different strides.
struct Tables {
  uint32_t log_size;
  uint32_t f_gap = 0;
  uint32_t w_gap = 0;
  bool largest = false;

  uint32_t size() const { return 1u << log_size; }
  uint32_t f_stride() const { return size() + f_gap; }
  uint32_t w_stride() const { return size() + w_gap; }
  std::string Text() const {
    return fmt::format("log_size={} gaps={},{}{}", log_size, f_gap, w_gap,
                       largest ? " largest" : "");
  }
  Buffers Words() const {
    return {Residues(9, size_t{4} * f_stride(), largest),
            Residues(10, size_t{4} * w_stride(), largest),
            RandomResidues(11, 8)};
  }
};

void WriteMessage(const std::vector<Ext4>& f, const std::vector<Ext4>& w,
                  std::vector<uint32_t>& words) {
  const sumcheck::Message message = sumcheck::Round(f, w, Order::kPrefix);
  ExtToWords(std::array{message.h0, message.hinf}, 0, words);
}

OpCase RoundCase(const Tables& tables) {
  OpCase result;
  result.name = fmt::format("{} {}", SumcheckRound::kName, tables.Text());
  result.buffers = tables.Words();
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<SumcheckRound>(
        {views[0].raw, views[1].raw, views[2].raw},
        {tables.f_stride(), tables.w_stride(), tables.log_size, 0});
  };
  result.meaning = [=](Buffers& buffers) {
    WriteMessage(ExtFromPlanes(buffers[0], tables.f_stride(), tables.size()),
                 ExtFromPlanes(buffers[1], tables.w_stride(), tables.size()),
                 buffers[2]);
  };
  result.bytes = uint64_t{32} * tables.size() + 32;
  result.operations = kExtProduct * tables.size();
  return result;
}

// In place: only the first half of each plane is written.
OpCase FoldCase(const Tables& tables, std::string_view what, const Ext4& r) {
  OpCase result;
  result.name =
      fmt::format("{} {} r={}", SumcheckFold::kName, tables.Text(), what);
  result.buffers = tables.Words();
  SumcheckFold::Params params = {
      tables.f_stride(), tables.w_stride(), tables.log_size, 0, {}};
  for (int l = 0; l < 4; ++l) params.r[l] = r.c[l].residue;
  result.record = [params](Recorder& recorder, Views views) {
    recorder.Dispatch<SumcheckFold>({views[0].raw, views[1].raw, views[2].raw},
                                    params);
  };
  result.meaning = [=](Buffers& buffers) {
    auto f = ExtFromPlanes(buffers[0], tables.f_stride(), tables.size());
    auto w = ExtFromPlanes(buffers[1], tables.w_stride(), tables.size());
    sumcheck::Bind(f, r, Order::kPrefix);
    sumcheck::Bind(w, r, Order::kPrefix);
    ExtToPlanes(f, tables.f_stride(), buffers[0]);
    ExtToPlanes(w, tables.w_stride(), buffers[1]);
    if (f.size() > 1) WriteMessage(f, w, buffers[2]);
  };
  result.bytes = uint64_t{48} * tables.size() + 32;
  result.operations = kExtProduct * (tables.size() + tables.size() / 2);
  return result;
}

Ext4 RandomExt(uint64_t seed) {
  return ExtFromWords(RandomResidues(seed, 4)).front();
}

}  // namespace

std::vector<OpCase> SumcheckCases(CaseSize size) {
  if (size == CaseSize::kLarge) {
    const Tables tables = {.log_size = 16};
    return {PartialCase(16, 10, 6), EvaluateCase(10, 6, 0), RoundCase(tables),
            FoldCase(tables, "random", RandomExt(1))};
  }
  std::vector<OpCase> cases;
  for (const uint32_t blocks : {1, 2, 16}) {
    for (const auto& [log_low, log_high] :
         {std::pair{0, 0}, {0, 3}, {1, 1}, {2, 0}, {3, 2}, {5, 0}, {7, 1}}) {
      cases.push_back(PartialCase(blocks, static_cast<uint32_t>(log_low),
                                  static_cast<uint32_t>(log_high)));
    }
  }
  cases.push_back(PartialCase(3, 4, 3));
  cases.push_back(PartialCase(4, 10, 4));
  cases.push_back(PartialCase(5, 9, 3));
  cases.push_back(PartialCase(64, 3, 6));
  cases.push_back(PartialCase(2, 8, 1, /*largest=*/true));
  for (const auto& [log_low, log_high] :
       {std::pair{0, 0}, {0, 2}, {1, 0}, {2, 1}, {3, 0}, {5, 2}, {7, 3}}) {
    cases.push_back(EvaluateCase(static_cast<uint32_t>(log_low),
                                 static_cast<uint32_t>(log_high), 0));
    cases.push_back(EvaluateCase(static_cast<uint32_t>(log_low),
                                 static_cast<uint32_t>(log_high), 3));
  }
  cases.push_back(EvaluateCase(6, 1, 0, /*largest=*/true));
  cases.push_back(EvaluateCase(10, 5, 3));
  cases.push_back(EvaluateCase(4, 9, 0));
  for (const uint32_t log_size : {1, 2, 3, 4, 5, 7, 14}) {
    const Tables tables = {.log_size = log_size, .f_gap = 1, .w_gap = 6};
    cases.push_back(RoundCase(tables));
    cases.push_back(FoldCase(tables, "random", RandomExt(log_size)));
  }
  for (const uint32_t log_size : {1, 6}) {
    const Tables tables = {.log_size = log_size};
    cases.push_back(FoldCase(tables, "zero", Ext4::Zero()));
    cases.push_back(FoldCase(tables, "one", Ext4::One()));
  }
  const Tables largest = {.log_size = 6, .largest = true};
  Ext4 r;
  for (BabyBear& c : r.c) c = BabyBear::FromResidue(BabyBear::kPrime - 1);
  cases.push_back(RoundCase(largest));
  cases.push_back(FoldCase(largest, "largest", r));
  return cases;
}

}  // namespace assay
