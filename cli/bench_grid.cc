// The configurations that others have published figures for.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "assay/base/files.h"
#include "cli/bench.h"
#include "cli/output_folder.h"
#include "cli/whir_device.h"
#include "cli/whir_options.h"

namespace assay::cli {
namespace {

struct Block {
  int n;
  std::vector<int> folds;
  std::vector<int> rates;
};

// "GPU-Accelerated WHIR Proving on Apple Silicon" (2026-04-30), section 4:
// 29 configurations, then its extension to higher rates, with the two that its
// GPU did not finish.
std::vector<Block> Blocks() {
  return {
      {20, {1, 2, 4}, {1, 2, 3}}, {22, {1, 2, 3, 4, 6}, {1, 2, 3}},
      {24, {1, 2, 3, 4, 6}, {1}}, {22, {1, 2, 3, 4, 6}, {5}},
      {22, {1, 2}, {6}},
  };
}

// On a GPU beside the processor: all of its modes.
std::vector<whir::Offload> Modes(const Runtime& runtime) {
  using whir::Offload;
  if (const_cast<Runtime&>(runtime).device().info().kind == BackendKind::kCpu) {
    return {Offload::kNone};
  }
  return {Offload::kNone, Offload::kSteps, Offload::kFused, Offload::kGrind};
}

// Column widths of the grid's table.
void PrintGridLine(std::string_view n, std::string_view fold,
                   std::string_view rate, std::string_view reduction,
                   std::string_view rest) {
  Print(fmt::format("{:>3} {:>4} {:>4} {:>9}  {}\n", n, fold, rate, reduction,
                    rest));
  std::fflush(stdout);
}

void PrintHead(const std::vector<whir::Offload>& modes) {
  std::string rest;
  for (const whir::Offload mode : modes) {
    rest += fmt::format("{:>10} ", OffloadName(mode) + " ms");
  }
  if (modes.size() > 1) rest += fmt::format("{:>9} ", "faster");
  PrintGridLine("n", "fold", "rate", "reduction",
                rest + fmt::format("{:>9} {:>10} {:>10}", "verify ms",
                                   "proof B", "peak MiB"));
}

void PrintResult(const GridResult& result) {
  std::string rest;
  const Figures* any = nullptr;
  for (const GridCell& cell : result.cells) {
    if (!cell.figures.has_value()) {
      rest += fmt::format("{:>10} ", "-");
      continue;
    }
    any = &*cell.figures;
    rest += fmt::format("{:>10.2f} ", any->prove_ms);
  }
  if (result.cells.size() > 1) {
    rest += fmt::format("{:>9.2f} ", result.SpeedUp());
  }
  if (any != nullptr) {
    rest += fmt::format("{:>9.2f} {:>10} {:>10.0f}", any->verify_ms,
                        any->proof_bytes,
                        static_cast<double>(any->peak_bytes) / 0x1p20);
  }
  const GridRow& row = result.row;
  PrintGridLine(std::to_string(row.n), std::to_string(row.fold),
                std::to_string(row.rate), std::to_string(row.reduction), rest);
  for (const GridCell& cell : result.cells) {
    if (!cell.error.has_value()) continue;
    Print(fmt::format("      {}: {} ({})\n", cell.mode, cell.error->what,
                      cell.error->hint));
  }
}

Status WriteFiles(const std::string& folder, const GridData& data) {
  OutputFolder place(folder);
  ASSAY_TRY(place.Make());
  std::vector<AtomicWrite> files;
  for (const auto& [name, text] :
       {std::pair("whir.json", DumpJson(GridJson(data))),
        {"whir.html", GridPage(data)}}) {
    ASSAY_ASSIGN(file,
                 AtomicWrite::Prepare(
                     (std::filesystem::path(folder) / name).string(), text));
    files.push_back(std::move(file));
  }
  return CommitAll(files);
}

std::string DeviceWords(const DeviceInfo& info) {
  return fmt::format("{}, {}", info.name, info.detail);
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

Json GridJson(const GridData& data) {
  Json rows = Json::array();
  for (const GridResult& result : data.results) {
    Json modes = Json::object();
    for (const GridCell& cell : result.cells) {
      modes[cell.mode] = cell.figures.has_value()
                             ? FiguresJson(*cell.figures)
                             : Json({{"infeasible", ErrorJson(*cell.error)}});
    }
    rows.push_back({{"parameters", ParametersJson(result.parameters)},
                    {"speed_up", RoundMs(result.SpeedUp())},
                    {"modes", std::move(modes)}});
  }
  return {{"host", data.host},
          {"device", data.device},
          {"runs", data.runs},
          {"roof_bytes_per_s", data.roofs.bytes_per_s},
          {"roof_products_per_s", data.roofs.products_per_s},
          {"rows", std::move(rows)}};
}

int RunGrid(const BenchWhirArgs& args, Runtime& runtime, uint64_t seed) {
  GridData data;
  const Result<Runtime*> host = runtime.Host();
  if (!host.ok()) return Fail(host.error());
  const DeviceInfo& info = runtime.device().info();
  data.host = DeviceWords((*host)->device().info());
  if (info.kind != BackendKind::kCpu) data.device = DeviceWords(info);
  data.runs = args.runs;
  const Result<whir::Roofs> roofs = whir::MeasureRoofs(runtime.device());
  if (!roofs.ok()) return Fail(roofs.error());
  data.roofs = *roofs;

  const std::vector<whir::Offload> modes = Modes(runtime);
  if (!args.json) PrintHead(modes);
  for (const GridRow& row : GridRows(args.max_n)) {
    GridResult result;
    result.row = row;
    result.parameters = args.parameters;
    result.parameters.n = row.n;
    result.parameters.fold = row.fold;
    result.parameters.rate = row.rate;
    result.parameters.reduction = row.reduction;
    for (const whir::Offload mode : modes) {
      Result<Figures> figures =
          MeasureWhir(runtime, result.parameters, seed, args.runs, mode);
      GridCell cell;
      cell.mode = OffloadName(mode);
      if (figures.ok()) {
        cell.figures = std::move(*figures);
      } else if (figures.error().code == Code::kCancelled ||
                 figures.error().code == Code::kDeviceLost) {
        return Fail(figures.error());
      } else {
        cell.error = figures.error();
      }
      result.cells.push_back(std::move(cell));
    }
    if (!args.json) PrintResult(result);
    data.results.push_back(std::move(result));
  }
  if (args.json) PrintJson(GridJson(data));
  if (!args.out.empty()) {
    if (const Status written = WriteFiles(args.out, data); !written.ok()) {
      return Fail(written.error());
    }
    if (!args.json) {
      Print(fmt::format("files: {}/whir.json, whir.html\n", args.out));
    }
  }
  return kExitOk;
}

}  // namespace assay::cli
