// Shapes that the kernels of the product sum-check are tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "assay/base/split_mix.h"
#include "assay/ops/op.h"
#include "assay/ops/product_sumcheck/product_sumcheck.h"
#include "assay/ops/product_sumcheck/product_sumcheck_kernels.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;
using Views = std::span<const View<uint32_t>>;
using product_sumcheck::Columns;

std::vector<uint32_t> RandomWords(uint64_t seed, size_t count) {
  std::vector<uint32_t> words(count);
  for (size_t i = 0; i < count; ++i) {
    words[i] = static_cast<uint32_t>(SplitMix64(seed, i) >> 32);
  }
  return words;
}

// Elements of 0 and of ones only, mixed so that sums over positions do not
// cancel: products of words are as dense as they can be.
std::vector<uint32_t> DenseWords(uint64_t seed, size_t count) {
  std::vector<uint32_t> words(count);
  for (size_t i = 0; i < count; ++i) {
    const bool ones = i < 4 || SplitMix64(seed, i / 4) % 3 == 0;
    words[i] = ones ? 0xffffffff : 0;
  }
  return words;
}

std::vector<Gf2_128> Elements(std::span<const uint32_t> words) {
  std::vector<Gf2_128> elements(words.size() / 4);
  for (size_t i = 0; i < elements.size(); ++i) {
    elements[i] = {words[4 * i] | uint64_t{words[4 * i + 1]} << 32,
                   words[4 * i + 2] | uint64_t{words[4 * i + 3]} << 32};
  }
  return elements;
}

void Put(std::span<const Gf2_128> elements, size_t first,
         std::vector<uint32_t>& words) {
  std::memcpy(words.data() + 4 * first, elements.data(), elements.size_bytes());
}

// Columns that lie apart by their size and a gap.
struct Table {
  uint32_t factors;
  uint32_t log_size;
  uint32_t gap = 1;
  bool dense = false;  // elements are 0 or have every bit set

  size_t size() const { return size_t{1} << log_size; }
  size_t stride() const { return size() + gap; }
  size_t nodes() const { return factors + 1; }
  std::string Text() const {
    return fmt::format("factors={} log_size={} gap={}{}", factors, log_size,
                       gap, dense ? " dense" : "");
  }
  ProductSumcheckParams Params() const {
    return {factors, log_size, static_cast<uint32_t>(stride()), 0};
  }
  Buffers Words(size_t sums) const {
    const size_t count = 4 * (stride() * factors - gap);
    return {dense ? DenseWords(factors, count) : RandomWords(factors, count),
            RandomWords(17, 4 * sums)};
  }
  Columns Read(const std::vector<uint32_t>& words) const {
    Columns columns;
    for (size_t j = 0; j < factors; ++j) {
      columns.push_back(
          Elements(std::span(words).subspan(4 * j * stride(), 4 * size())));
    }
    return columns;
  }
  void Write(const Columns& columns, std::vector<uint32_t>& words) const {
    for (size_t j = 0; j < factors; ++j) Put(columns[j], j * stride(), words);
  }
  uint64_t Bytes() const { return uint64_t{16} * factors * size(); }
};

// R at the nodes, by its coefficients.
std::vector<Gf2_128> AtNodes(const Columns& columns) {
  const std::vector<Gf2_128> r = product_sumcheck::Round(columns);
  std::vector<Gf2_128> values;
  for (size_t k = 0; k < r.size(); ++k) {
    const bool infinity = k == product_sumcheck::kNodeInfinity;
    values.push_back(infinity ? r.back()
                              : product_sumcheck::Evaluate(
                                    r, Gf2_128::From(k < 2 ? k : k - 1)));
  }
  return values;
}

OpCase RoundCase(const Table& table) {
  OpCase result;
  result.name = fmt::format("{} {}", ProductSumcheckRound::kName, table.Text());
  result.buffers = table.Words(table.nodes());
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<ProductSumcheckRound>({views[0].raw, views[1].raw},
                                            table.Params());
  };
  result.meaning = [=](Buffers& buffers) {
    Put(AtNodes(table.Read(buffers[0])), 0, buffers[1]);
  };
  result.bytes = table.Bytes() + 16 * table.nodes();
  result.operations = table.nodes() * (table.factors - 1) * table.size() / 2;
  return result;
}

OpCase FoldCase(const Table& table, Gf2_128 r, std::string_view what) {
  OpCase result;
  result.name =
      fmt::format("{} {} r={}", ProductSumcheckFold::kName, table.Text(), what);
  result.buffers = table.Words(table.nodes());
  ProductSumcheckFold::Params params = {table.Params(), {}};
  std::memcpy(params.r, &r, sizeof(params.r));
  result.record = [params](Recorder& recorder, Views views) {
    recorder.Dispatch<ProductSumcheckFold>({views[0].raw, views[1].raw},
                                           params);
  };
  result.meaning = [=](Buffers& buffers) {
    Columns columns = table.Read(buffers[0]);
    for (auto& column : columns) product_sumcheck::Bind(column, r);
    table.Write(columns, buffers[0]);
    if (table.log_size < 2) return;
    const std::vector<Gf2_128> values = AtNodes(columns);
    Put(std::span(values).subspan(1), 1, buffers[1]);
  };
  result.bytes = table.Bytes() * 3 / 2;
  result.operations = table.factors * (table.factors + 1) * table.size() / 4;
  return result;
}

OpCase GridCase(const Table& table) {
  const size_t sums = table.nodes() * table.nodes();
  OpCase result;
  result.name = fmt::format("{} {}", ProductSumcheckGrid::kName, table.Text());
  result.buffers = table.Words(sums);
  result.record = [=](Recorder& recorder, Views views) {
    recorder.Dispatch<ProductSumcheckGrid>({views[0].raw, views[1].raw},
                                           table.Params());
  };
  result.meaning = [=](Buffers& buffers) {
    Put(product_sumcheck::Grid(table.Read(buffers[0])), 0, buffers[1]);
  };
  result.bytes = table.Bytes() + 16 * sums;
  result.operations = sums * (table.factors - 1) * table.size() / 4;
  return result;
}

OpCase FoldGridCase(const Table& table, Gf2_128 r, Gf2_128 s,
                    std::string_view what) {
  const size_t sums = table.nodes() * table.nodes();
  OpCase result;
  result.name = fmt::format("{} {} r={}", ProductSumcheckFoldGrid::kName,
                            table.Text(), what);
  result.buffers = table.Words(sums);
  ProductSumcheckFoldGrid::Params params = {table.Params(), {}, {}};
  std::memcpy(params.r, &r, sizeof(params.r));
  std::memcpy(params.s, &s, sizeof(params.s));
  result.record = [params](Recorder& recorder, Views views) {
    recorder.Dispatch<ProductSumcheckFoldGrid>({views[0].raw, views[1].raw},
                                               params);
  };
  result.meaning = [=](Buffers& buffers) {
    Columns columns = table.Read(buffers[0]);
    for (auto& column : columns) {
      product_sumcheck::Bind(column, r);
      product_sumcheck::Bind(column, s);
    }
    table.Write(columns, buffers[0]);
    if (table.log_size < 4) return;
    const std::vector<Gf2_128> grid = product_sumcheck::Grid(columns);
    Put(std::span(grid).subspan(1), 1, buffers[1]);
  };
  result.bytes = table.Bytes() * 5 / 4;
  result.operations = table.factors * 3 * table.size() / 4 +
                      sums * (table.factors - 1) * table.size() / 16;
  return result;
}

Gf2_128 RandomElement(uint64_t seed) {
  return {SplitMix64(seed, 0), SplitMix64(seed, 1)};
}

}  // namespace

std::vector<OpCase> ProductSumcheckCases(CaseSize size) {
  const Gf2_128 r = RandomElement(1);
  const Gf2_128 s = RandomElement(2);
  std::vector<OpCase> cases;
  if (size == CaseSize::kLarge) {
    for (const uint32_t factors : {1, 2, 3, 4, 6}) {
      const Table table = {.factors = factors, .log_size = 16, .gap = 36};
      cases.push_back(RoundCase(table));
      cases.push_back(FoldCase(table, r, "random"));
      if (factors > kMostGridFactors) continue;
      cases.push_back(GridCase(table));
      cases.push_back(FoldGridCase(table, r, s, "random"));
    }
    return cases;
  }
  for (uint32_t factors = 1; factors <= product_sumcheck::kMaxFactors;
       ++factors) {
    for (const uint32_t log_size : {1, 2, 3, 4, 5, 7}) {
      const Table table = {factors, log_size};
      cases.push_back(RoundCase(table));
      cases.push_back(FoldCase(table, r, "random"));
      if (factors > kMostGridFactors || log_size < 2) continue;
      cases.push_back(GridCase(table));
      cases.push_back(FoldGridCase(table, r, s, "random"));
    }
    const Gf2_128 ones = {~uint64_t{0}, ~uint64_t{0}};
    for (const uint32_t log_size : {3, 6}) {
      const Table dense = {
          .factors = factors, .log_size = log_size, .gap = 0, .dense = true};
      cases.push_back(RoundCase(dense));
      cases.push_back(FoldCase(dense, Gf2_128::Zero(), "zero"));
      cases.push_back(FoldCase(dense, ones, "ones"));
      if (factors > kMostGridFactors) continue;
      cases.push_back(GridCase(dense));
      cases.push_back(FoldGridCase(dense, r, ones, "ones"));
    }
  }
  // More than one chunk of positions.
  for (const uint32_t factors : {1, 2, 3}) {
    const Table table = {factors, 14};
    cases.push_back(RoundCase(table));
    cases.push_back(FoldCase(table, r, "random"));
    if (factors > kMostGridFactors) continue;
    cases.push_back(GridCase(table));
    cases.push_back(FoldGridCase(table, r, s, "random"));
  }
  return cases;
}

}  // namespace assay
