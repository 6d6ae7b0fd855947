// Shapes that the kernels of played rounds are tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "assay/base/split_mix.h"
#include "assay/ops/op.h"
#include "assay/ops/product_rounds/product_rounds.h"
#include "assay/ops/product_rounds/product_rounds_kernels.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;
using Views = std::span<const View<uint32_t>>;
using product_sumcheck::Columns;

constexpr uint64_t kSeed = 0x123456789abcdef;

Gf2_128 ElementAt(uint64_t seed, uint64_t i) {
  return {SplitMix64(seed, 2 * i), SplitMix64(seed, 2 * i + 1)};
}

std::vector<uint32_t> Words(std::span<const Gf2_128> elements) {
  std::vector<uint32_t> words(4 * elements.size());
  std::memcpy(words.data(), elements.data(), elements.size_bytes());
  return words;
}
std::vector<Gf2_128> Elements(const std::vector<uint32_t>& words) {
  std::vector<Gf2_128> elements(words.size() / 4);
  std::memcpy(static_cast<void*>(elements.data()), words.data(),
              4 * words.size());
  return elements;
}

// Columns that lie apart by their size and a gap.
struct Shape {
  uint32_t factors;
  uint32_t log_size;
  uint32_t gap = 3;

  size_t size() const { return size_t{1} << log_size; }
  size_t stride() const { return size() + gap; }
  std::string Text() const {
    return fmt::format("factors={} log_size={} gap={}", factors, log_size, gap);
  }
  ProductRoundsTable Table() const {
    return {factors, log_size, static_cast<uint32_t>(stride()), 0};
  }
  std::vector<Gf2_128> Random() const {
    std::vector<Gf2_128> elements(stride() * factors - gap);
    for (size_t i = 0; i < elements.size(); ++i) {
      elements[i] = ElementAt(factors, i);
    }
    return elements;
  }
  Columns Read(const std::vector<Gf2_128>& elements) const {
    Columns columns;
    for (size_t j = 0; j < factors; ++j) {
      const auto column = std::span(elements).subspan(j * stride(), size());
      columns.emplace_back(column.begin(), column.end());
    }
    return columns;
  }
  uint64_t Bytes() const { return uint64_t{16} * factors * size(); }
};

// A transcript in the middle of a proof, `pending` challenges not yet bound.
std::vector<Gf2_128> Transcript(const Shape& shape, uint32_t pending,
                                uint32_t round) {
  std::array<uint8_t, product_rounds::kStatementBytes> statement;
  for (size_t i = 0; i < statement.size(); ++i) {
    const size_t in_sum = i - product_rounds::kSumInStatement;
    statement[i] =
        in_sum < 16 ? 0 : static_cast<uint8_t>(SplitMix64(shape.factors, i));
  }
  auto transcript = product_rounds::Begin(shape.log_size - pending + round,
                                          shape.factors, statement);
  for (uint32_t k = 0; k < pending; ++k) {
    transcript[product_rounds::kChallenges + k] = ElementAt(99, k);
  }
  if (round == 0) return transcript;
  // A round of other columns brings the text into its later form.
  Columns columns(shape.factors, {Gf2_128::One(), ElementAt(7, 1)});
  auto earlier = transcript;
  product_rounds::Play(earlier, columns, 0, 1, round - 1);
  std::copy_n(earlier.begin(), product_rounds::kChallenges, transcript.begin());
  return transcript;
}

OpCase PlayCase(const Shape& shape, uint32_t bound, uint32_t measured) {
  const uint32_t round = bound == 0 ? 0 : 4;
  OpCase result;
  result.name =
      fmt::format("{} {} bound={} measured={}", ProductRoundsPlay::kName,
                  shape.Text(), bound, measured);
  result.buffers = {Words(shape.Random()),
                    Words(Transcript(shape, bound, round))};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<ProductRoundsPlay>(
        {views[0].raw, views[1].raw},
        {shape.Table(), bound, measured, round, 0});
  };
  result.meaning = [=](Buffers& buffers) {
    auto elements = Elements(buffers[0]);
    auto transcript = Elements(buffers[1]);
    Columns columns = shape.Read(elements);
    product_rounds::Play(transcript, columns, bound, measured, round);
    for (size_t j = 0; j < columns.size(); ++j) {
      std::copy(
          columns[j].begin(), columns[j].end(),
          elements.begin() + static_cast<std::ptrdiff_t>(j * shape.stride()));
    }
    buffers = {Words(elements), Words(transcript)};
  };
  result.bytes = shape.Bytes() + (bound == 0 ? 0 : shape.Bytes() >> bound);
  return result;
}

OpCase CloseCase(const Shape& shape, uint32_t bound) {
  const uint32_t round = bound == 0 ? 0 : 4;
  OpCase result;
  result.name = fmt::format("{} {} bound={}", ProductRoundsClose::kName,
                            shape.Text(), bound);
  result.buffers = {Words(shape.Random()),
                    Words(Transcript(shape, bound, round))};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<ProductRoundsClose>(
        {views[0].raw, views[1].raw}, {shape.Table(), bound, round, {0, 0}});
  };
  result.meaning = [=](Buffers& buffers) {
    auto transcript = Elements(buffers[1]);
    product_rounds::Close(transcript, shape.Read(Elements(buffers[0])), bound,
                          round);
    buffers[1] = Words(transcript);
  };
  result.bytes = shape.Bytes();
  return result;
}

OpCase GenerateCase(const Shape& shape) {
  OpCase result;
  result.name =
      fmt::format("{} {}", ProductRoundsGenerate::kName, shape.Text());
  result.buffers = {Words(shape.Random())};
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<ProductRoundsGenerate>(
        {views[0].raw}, {shape.Table(),
                         static_cast<uint32_t>(kSeed),
                         static_cast<uint32_t>(kSeed >> 32),
                         {0, 0}});
  };
  result.meaning = [=](Buffers& buffers) {
    auto elements = Elements(buffers[0]);
    for (size_t j = 0; j < shape.factors; ++j) {
      for (size_t i = 0; i < shape.size(); ++i) {
        elements[j * shape.stride() + i] =
            ElementAt(kSeed, j * shape.size() + i);
      }
    }
    buffers[0] = Words(elements);
  };
  result.bytes = shape.Bytes();
  return result;
}

// All rounds, from the first one on.
OpCase WholeCase(const Shape& shape) {
  OpCase result;
  result.name = fmt::format("product_rounds {}", shape.Text());
  result.buffers = {Words(shape.Random()), Words(Transcript(shape, 0, 0))};
  result.record = [=](Recorder& recorder, Views views) {
    RecordProductRounds(recorder, views[0].raw, views[1].raw, shape.Table());
  };
  result.meaning = [](Buffers&) {};
  result.bytes = shape.Bytes() * 8 / 3;
  return result;
}

}  // namespace

std::vector<OpCase> ProductRoundsCases(CaseSize size) {
  std::vector<OpCase> cases;
  if (size == CaseSize::kLarge) {
    for (const uint32_t factors : {1, 2, 3, 4, 6}) {
      cases.push_back(WholeCase({factors, 14, 36}));
    }
    return cases;
  }
  // What each number of columns takes: bound and measured.
  struct Form {
    uint32_t factors, bound, measured;
  };
  for (const Form& form : {Form{1, 0, 2},
                           {1, 2, 2},
                           {2, 0, 3},
                           {2, 3, 2},
                           {2, 2, 2},
                           {3, 0, 2},
                           {3, 2, 2},
                           {4, 0, 1},
                           {4, 1, 2},
                           {4, 2, 2},
                           {5, 0, 1},
                           {5, 1, 1},
                           {6, 0, 1},
                           {6, 1, 1}}) {
    // A part of a tile, one or two, and several.
    for (const uint32_t log_size : {5, 9, 12}) {
      cases.push_back(
          PlayCase({form.factors, log_size}, form.bound, form.measured));
    }
  }
  for (uint32_t factors = 1; factors <= product_sumcheck::kMaxFactors;
       ++factors) {
    for (const uint32_t log_size : {1, 3, 6}) {
      cases.push_back(CloseCase({factors, log_size}, 0));
    }
    for (const uint32_t bound : {1, 2, 3}) {
      cases.push_back(CloseCase({factors, 8}, bound));
    }
    cases.push_back(CloseCase({factors, MostCloseLogSize(factors), 0}, 0));
    cases.push_back(GenerateCase({factors, 5}));
  }
  return cases;
}

}  // namespace assay
