// The page of `assay bench whir --grid`: plots, speed-ups, kernels.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "assay/base/text.h"
#include "cli/bench.h"
#include "cli/log_plot.h"
#include "cli/page.h"
#include "cli/svg_path.h"

namespace assay::cli {
namespace {

constexpr std::string_view kStyle = R"(
.figures { grid-template-columns: repeat(auto-fit,
  minmax(min(100%, 24rem), 1fr)); }
.wide { overflow-x: auto; }
.points th, .points td { width: auto; white-space: nowrap;
  font-variant-numeric: tabular-nums; font-size: .85rem; }
)";

std::string SayMs(double ms) { return HumanTime(ms / 1e3); }

std::string Config(const GridRow& row) {
  std::string text =
      fmt::format("n={}, fold {}, rate {}", row.n, row.fold, row.rate);
  if (row.reduction != 0) text += fmt::format(", reduction {}", row.reduction);
  return text;
}

std::vector<std::string> ModesOf(const GridData& data) {
  std::vector<std::string> modes;
  for (const GridResult& result : data.results) {
    for (const GridCell& cell : result.cells) {
      if (std::find(modes.begin(), modes.end(), cell.mode) == modes.end()) {
        modes.push_back(cell.mode);
      }
    }
  }
  return modes;
}

// Time against n at rate 1: a plot for each fold, a curve for each mode.
std::string PlotsHtml(const GridData& data) {
  std::string html;
  for (const int fold : {1, 2, 3, 4, 6}) {
    LogPlot plot;
    plot.title = fmt::format("Proving, fold {}, rate 1", fold);
    plot.x_title = "n";
    plot.x_axis = LogAxis::kPower;
    plot.tick = &SayMs;
    plot.say = &SayMs;
    for (const std::string& mode : ModesOf(data)) {
      LogCurve curve = {mode, {}};
      for (const GridResult& result : data.results) {
        const GridRow& row = result.row;
        const GridCell* cell = result.Find(mode);
        if (row.fold != fold || row.rate != 1 || row.reduction != 0 ||
            cell == nullptr || !cell->figures.has_value()) {
          continue;
        }
        curve.points.push_back(
            {static_cast<double>(row.n), cell->figures->prove_ms});
      }
      std::sort(curve.points.begin(), curve.points.end(),
                [](const LogPoint& a, const LogPoint& b) { return a.x < b.x; });
      plot.curves.push_back(std::move(curve));
    }
    html += LogPlotHtml(plot);
  }
  return "<div class=\"figures\">\n" + html + "</div>\n";
}

std::string TimesHtml(const GridData& data) {
  std::string html =
      "<div class=\"wide\"><table "
      "class=\"points\">\n<tr><th>configuration</th>";
  const std::vector<std::string> modes = ModesOf(data);
  for (const std::string& mode : modes) {
    html += fmt::format("<th>{}</th>", EscapeHtml(mode));
  }
  html += "<th>faster</th><th>proof</th></tr>\n";
  for (const GridResult& result : data.results) {
    html += fmt::format("<tr><td>{}</td>", EscapeHtml(Config(result.row)));
    uint64_t proof_bytes = 0;
    std::string why;
    for (const std::string& mode : modes) {
      const GridCell* cell = result.Find(mode);
      const bool measured = cell != nullptr && cell->figures.has_value();
      if (measured) proof_bytes = cell->figures->proof_bytes;
      if (cell != nullptr && cell->error.has_value()) why = cell->error->what;
      html += fmt::format("<td>{}</td>",
                          measured ? SayMs(cell->figures->prove_ms) : "-");
    }
    const double faster = result.SpeedUp();
    html += fmt::format(
        "<td>{}</td><td>{}</td></tr>\n",
        faster > 0 ? fmt::format("{:.2f}", faster) : "",
        proof_bytes > 0 ? HumanBytes(proof_bytes) : EscapeHtml(why));
  }
  return html + "</table></div>\n";
}

// The proof whose kernels are shown: fold 4, rate 1, the largest n.
const Figures* Shown(const GridData& data, GridRow* row) {
  const Figures* shown = nullptr;
  for (const GridResult& result : data.results) {
    if (result.row.fold != 4 || result.row.rate != 1 ||
        result.row.reduction != 0) {
      continue;
    }
    const GridCell* cell =
        data.device.empty() ? result.Find("cpu") : result.Find("fused");
    if (cell == nullptr || !cell->figures.has_value()) continue;
    shown = &*cell->figures;
    *row = result.row;
  }
  return shown;
}

std::string Of(double rate, double roof) {
  return roof > 0 ? fmt::format("{:.0f} %", 100 * rate / roof) : "";
}

std::string KernelsHtml(const GridData& data) {
  GridRow row;
  const Figures* figures = Shown(data, &row);
  if (figures == nullptr) return "";
  std::string html = fmt::format(
      "<p>{}: {} submissions, {} of them waited for, {} uploads.</p>\n"
      "<div class=\"wide\"><table class=\"points\">\n<tr><th>kernel</th>"
      "<th>device</th><th>calls</th><th>time</th><th>bytes</th><th>GB/s</th>"
      "<th>of memory</th><th>products</th><th>G/s</th><th>of "
      "arithmetic</th></tr>\n",
      Config(row), figures->traffic.submissions, figures->traffic.waits,
      figures->traffic.uploads);
  for (const KernelFigure& kernel : figures->kernels) {
    const double seconds = kernel.ms / 1e3;
    const double bytes = static_cast<double>(kernel.bytes) / seconds;
    const double products = static_cast<double>(kernel.products) / seconds;
    const bool moves = kernel.bytes > 0 && seconds > 0;
    const bool works = kernel.products > 0 && seconds > 0;
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>"
        "<td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        EscapeHtml(kernel.name), EscapeHtml(kernel.device), kernel.calls,
        SayMs(kernel.ms), moves ? HumanBytes(kernel.bytes) : "",
        moves ? fmt::format("{:.1f}", bytes / 1e9) : "",
        moves ? Of(bytes, data.roofs.bytes_per_s) : "",
        works ? fmt::format("{:.3g}", static_cast<double>(kernel.products))
              : "",
        works ? fmt::format("{:.1f}", products / 1e9) : "",
        works ? Of(products, data.roofs.products_per_s) : "");
  }
  return html + "</table></div>\n";
}

}  // namespace

const GridCell* GridResult::Find(std::string_view mode) const {
  for (const GridCell& cell : cells) {
    if (cell.mode == mode) return &cell;
  }
  return nullptr;
}

const GridCell* GridResult::Best() const {
  const GridCell* best = nullptr;
  for (const GridCell& cell : cells) {
    if (cell.mode == "cpu" || !cell.figures.has_value()) continue;
    if (best == nullptr || cell.figures->prove_ms < best->figures->prove_ms) {
      best = &cell;
    }
  }
  return best;
}

double GridResult::SpeedUp() const {
  const GridCell* cpu = Find("cpu");
  const GridCell* best = Best();
  if (cpu == nullptr || best == nullptr || !cpu->figures.has_value()) return 0;
  return cpu->figures->prove_ms / best->figures->prove_ms;
}

std::string GridPage(const GridData& data) {
  std::vector<Row> machine = {{"processor", data.host}};
  if (!data.device.empty()) machine.emplace_back("device", data.device);
  machine.emplace_back(
      "memory, reading",
      fmt::format("{:.1f} GB/s", data.roofs.bytes_per_s / 1e9));
  machine.emplace_back(
      "arithmetic, permuting",
      fmt::format("{:.1f} G products/s", data.roofs.products_per_s / 1e9));
  machine.emplace_back("medians of", std::to_string(data.runs));
  std::string body = PlotDefinitions();
  body += SectionHtml("Machine", TableHtml(machine));
  body += SectionHtml("Time", PlotsHtml(data));
  body += SectionHtml("Every configuration", TimesHtml(data));
  body += SectionHtml("Kernels", KernelsHtml(data));
  body += SectionHtml(
      "How it was measured",
      "<p>Evaluations and proof in the host's memory, by the host's clock; "
      "each proof was verified. Kernels by the clock of the device, in a run "
      "of their own. fused: all on the device in as few submissions as the "
      "transcript allows; gpu: each kernel a submission that is waited for; "
      "grind: only searches of witnesses there. faster: the processor's time "
      "by that of the fastest mode.</p>\n");
  std::string style(PlotStyle());
  style += LogPlotStyle();
  style += kStyle;
  return PageHtml("WHIR proofs, measured", body, style);
}

}  // namespace assay::cli
