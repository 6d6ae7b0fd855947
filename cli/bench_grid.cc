// The configurations that others have published figures for.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/bench.h"
#include "cli/whir_options.h"

namespace assay::cli {
namespace {

struct Block {
  int n;
  std::vector<int> folds;
  std::vector<int> rates;
};

// "GPU-Accelerated WHIR Proving on Apple Silicon" (2026-04-30), section 4:
// 29 configurations, then its extension to higher rates.
std::vector<Block> Blocks() {
  return {
      {20, {1, 2, 4}, {1, 2, 3}},
      {22, {1, 2, 3, 4, 6}, {1, 2, 3}},
      {24, {1, 2, 3, 4, 6}, {1}},
      {22, {1, 2, 3, 4}, {5}},
      {22, {2}, {6}},
  };
}

// Column widths of the grid's table.
void PrintGridLine(std::string_view n, std::string_view fold,
                   std::string_view rate, std::string_view reduction,
                   std::string_view rest) {
  Print(fmt::format("{:>3} {:>4} {:>4} {:>9}  {}\n", n, fold, rate, reduction,
                    rest));
  std::fflush(stdout);
}

}  // namespace

std::vector<GridRow> GridRows(int max_n) {
  std::vector<GridRow> rows;
  for (const Block& block : Blocks()) {
    if (block.n > max_n) continue;
    for (const int fold : block.folds) {
      for (const int rate : block.rates) {
        rows.push_back({block.n, fold, rate, 0});
        // The published runs shrink the first domain by min(fold, 3); for
        // fold 1 that is the default.
        if (fold > 1) {
          rows.push_back({block.n, fold, rate, std::min(fold, 3)});
        }
      }
    }
  }
  return rows;
}

int RunGrid(const BenchWhirArgs& args, Runtime& runtime, uint64_t seed) {
  Json rows = Json::array();
  if (!args.json) {
    PrintGridLine(
        "n", "fold", "rate", "reduction",
        fmt::format("{:>10} {:>10} {:>10} {:>9} {:>10} {:>10}", "prove ms",
                    "least ms", "cpu ms", "verify ms", "proof B", "peak MiB"));
  }
  for (const GridRow& row : GridRows(args.max_n)) {
    whir::Parameters parameters = args.parameters;
    parameters.n = row.n;
    parameters.fold = row.fold;
    parameters.rate = row.rate;
    parameters.reduction = row.reduction;
    const Result<Figures> figures =
        MeasureWhir(runtime, parameters, seed, args.runs);
    if (!figures.ok() && figures.error().code == Code::kCancelled) {
      return Fail(figures.error());
    }
    if (args.json) {
      Json json = figures.ok() ? FiguresJson(*figures) : Json::object();
      json["parameters"] = ParametersJson(parameters);
      if (!figures.ok()) json["infeasible"] = ErrorJson(figures.error());
      rows.push_back(std::move(json));
      continue;
    }
    std::string rest;
    if (figures.ok()) {
      rest = fmt::format(
          "{:>10.1f} {:>10.1f} {:>10.1f} {:>9.2f} {:>10} {:>10.0f}",
          figures->prove_ms, figures->prove_min_ms, figures->prove_cpu_ms,
          figures->verify_ms, figures->proof_bytes,
          static_cast<double>(figures->peak_bytes) / 0x1p20);
    } else {
      rest =
          fmt::format("- {} ({})", figures.error().what, figures.error().hint);
    }
    PrintGridLine(std::to_string(row.n), std::to_string(row.fold),
                  std::to_string(row.rate), std::to_string(row.reduction),
                  rest);
  }
  if (args.json) {
    PrintJson({{"device", runtime.device().info().name},
               {"runs", args.runs},
               {"rows", std::move(rows)}});
  }
  return kExitOk;
}

}  // namespace assay::cli
