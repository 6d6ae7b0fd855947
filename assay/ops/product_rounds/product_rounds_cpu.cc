// Rounds on the cpu: their meaning, for trying what was recorded.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/base/split_mix.h"
#include "assay/ops/product_rounds/product_rounds.h"
#include "assay/ops/product_rounds/product_rounds_kernels.h"

namespace assay {
namespace {

using product_sumcheck::Columns;

uint64_t StrideOf(const ProductRoundsTable& table) {
  return table.stride_low | uint64_t{table.stride_high} << 32;
}

// The table in `elements`, column by column.
Columns ReadColumns(const ProductRoundsTable& table,
                    std::span<const Gf2_128> elements) {
  Columns columns;
  for (uint32_t j = 0; j < table.factors; ++j) {
    const auto column =
        elements.subspan(j * StrideOf(table), size_t{1} << table.log_size);
    columns.emplace_back(column.begin(), column.end());
  }
  return columns;
}

void Play(const CpuArgs& args) {
  const auto& p = args.Params<ProductRoundsPlay::Params>();
  const auto elements = args.Get<Gf2_128>(0);
  Columns columns = ReadColumns(p.table, elements);
  product_rounds::Play(args.Get<Gf2_128>(1), columns, p.bound, p.measured,
                       p.round);
  for (size_t j = 0; j < columns.size(); ++j) {
    std::copy(
        columns[j].begin(), columns[j].end(),
        elements.begin() + static_cast<std::ptrdiff_t>(j * StrideOf(p.table)));
  }
}

void Close(const CpuArgs& args) {
  const auto& p = args.Params<ProductRoundsClose::Params>();
  product_rounds::Close(args.Get<Gf2_128>(1),
                        ReadColumns(p.table, args.Get<Gf2_128>(0)), p.bound,
                        p.round);
}

void Generate(const CpuArgs& args) {
  const auto& p = args.Params<ProductRoundsGenerate::Params>();
  const auto elements = args.Get<Gf2_128>(0);
  const uint64_t seed = p.seed_low | uint64_t{p.seed_high} << 32;
  const size_t size = size_t{1} << p.table.log_size;
  for (size_t j = 0; j < p.table.factors; ++j) {
    Gf2_128* column = elements.data() + j * StrideOf(p.table);
    args.threads().For(size, 4096, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const uint64_t c = j * size + i;
        column[i] = {SplitMix64(seed, 2 * c), SplitMix64(seed, 2 * c + 1)};
      }
    });
  }
}

}  // namespace

CpuEntry ProductRoundsPlay::Cpu() { return {Play}; }
CpuEntry ProductRoundsClose::Cpu() { return {Close}; }
CpuEntry ProductRoundsGenerate::Cpu() { return {Generate}; }

}  // namespace assay
