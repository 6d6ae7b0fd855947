// The page of a sweep: what was found, that it was tested, and how.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

#include "assay/base/text.h"
#include "cli/one_port.h"
#include "cli/page.h"
#include "cli/plot_axis.h"
#include "cli/quantity.h"
#include "cli/smith_chart.h"
#include "cli/svg_path.h"
#include "cli/svg_plot.h"
#include "cli/sweep_pictures.h"
#include "cli/sweep_tables.h"

namespace assay::cli {
namespace {

using planar::Answer;
using planar::Complex;

// Below it a transmission is rounding: it has no phase.
constexpr double kNothing = 1e-12;
constexpr double kMostDecibels = 100;
constexpr size_t kMostReadout = 60'000;
constexpr size_t kSmithCurves = 8;

constexpr std::string_view kStyle = R"(
.small { font-size: .85rem; margin: .2rem 0; }
.wide { overflow-x: auto; }
thead th { font-weight: 600; }
.checks th, .figures-table th { width: auto; }
.checks td:not(:first-child) { white-space: nowrap; }
.figures-table td, .figures-table th { white-space: nowrap; }
summary { cursor: pointer; margin: .6rem 0; }
h2, h3 { break-after: avoid; } tr { break-inside: avoid; }
)";

std::vector<double> ValuesOf(const Answer& answer, size_t i, size_t j,
                             bool degrees) {
  std::vector<double> values;
  for (const planar::PortMatrix& s : answer.s) {
    const double size = std::abs(s(i, j));
    values.push_back(!degrees ? 20 * std::log10(size)
                     : size > kNothing
                         ? std::arg(s(i, j)) * 180 / std::numbers::pi
                         : std::numeric_limits<double>::quiet_NaN());
  }
  return values;
}

// The axis of decibels ends where numbers are only rounding.
void LimitDecibels(Plot& plot) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const Curve& curve : plot.curves) {
    for (const double value : curve.values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (low < high - kMostDecibels) {
    plot.range = ValueRange::Between(high - kMostDecibels, high, 1);
  }
}

// All parameters of few ports in one plot; else a plot for each driven port.
std::string ParametersHtml(const Answer& answer, const FrequencyAxis& axis) {
  const size_t ports = answer.z0.size();
  const bool together = ports <= 2;
  std::string html = "<div class=\"figures\">\n";
  for (size_t group = 0; group < (together ? 1 : ports); ++group) {
    for (const bool degrees : {false, true}) {
      Plot plot;
      plot.title = degrees ? "Phase in degrees" : "Magnitude in dB";
      if (!together) plot.title += fmt::format(", port {} driven", group + 1);
      plot.unit = degrees ? "degrees" : "dB";
      plot.degrees = degrees;
      plot.marks = ExactMarks(answer);
      plot.least_span = 1;
      plot.readout = answer.hz.size() * ports * ports <= kMostReadout;
      for (size_t j = 0; j < ports; ++j) {
        if (!together && j != group) continue;
        for (size_t i = 0; i < ports; ++i) {
          plot.curves.push_back(
              {ParameterName(i, j, ports), ValuesOf(answer, i, j, degrees)});
        }
      }
      if (!degrees) LimitDecibels(plot);
      html += PlotHtml(axis, plot);
    }
  }
  for (size_t first = 0; first < ports; first += kSmithCurves) {
    std::vector<SmithCurve> curves;
    for (size_t i = first; i < std::min(ports, first + kSmithCurves); ++i) {
      SmithCurve curve;
      curve.name = fmt::format("{} ({:.6g} \u03A9)", ParameterName(i, i, ports),
                               answer.z0[i]);
      for (const planar::PortMatrix& s : answer.s) {
        curve.values.push_back(s(i, i));
      }
      curves.push_back(std::move(curve));
    }
    html += SmithHtml(curves, ExactMarks(answer));
  }
  return html + "</div>\n";
}

std::string WarningsHtml(const Answer& answer) {
  std::string items;
  for (const auto* list : {&answer.warnings, &answer.raster.warnings}) {
    for (const std::string& warning : *list) {
      items += fmt::format("<li>{}</li>\n", EscapeHtml(warning));
    }
  }
  if (items.empty()) return "";
  return SectionHtml("Warnings",
                     fmt::format("<ul class=\"note\">\n{}</ul>\n", items));
}

std::string TitleOf(const planar::Layout& layout, const SweepNotes& notes) {
  if (!notes.title.empty()) return notes.title;
  if (layout.file.empty()) return "S-parameters of a layout";
  return "S-parameters of " +
         layout.file.substr(layout.file.find_last_of('/') + 1);
}

}  // namespace

std::string SweepReport(const planar::Layout& layout, const Answer& answer,
                        const SweepNotes& notes) {
  const FrequencyAxis axis(answer.hz);
  std::string body = PlotDefinitions() + PictureDefinitions();
  body += VerdictHtml(answer.verification);
  body += WarningsHtml(answer);
  body += SectionHtml(
      "S-parameters",
      ParametersHtml(answer, axis) + SolvedHtml(answer, !notes.planes.empty()));
  if (answer.z0.size() == 1) {
    body += SectionHtml("The one-port", OnePortHtml(answer, axis));
  }
  body += SectionHtml("Layout", LayoutHtml(layout, answer));
  const std::string fields = FieldsHtml(layout, answer);
  if (!fields.empty()) {
    body += SectionHtml(
        "Currents and charges",
        "<p>The named port is driven by 1 V behind its impedance, the others "
        "are closed by theirs. Currents are amplitudes, 0 dB is the "
        "greatest. Charges are shown at the moment when they are greatest; "
        "the highest 0.5 % share the last colour.</p>\n" +
            fields);
  }
  std::vector<Row> parameters = ParameterRows(layout, answer);
  if (!notes.planes.empty()) {
    parameters.emplace_back("reference planes", notes.planes);
  }
  parameters.insert(parameters.end(), notes.parameters.begin(),
                    notes.parameters.end());
  body += SectionHtml("Parameters",
                      TableHtml(parameters) + MovesHtml(layout, answer));
  std::vector<Row> costs = CostRows(answer);
  costs.insert(costs.end(), notes.figures.begin(), notes.figures.end());
  body += SectionHtml("Costs", TableHtml(costs) + SolutionsHtml(answer));
  body += ReadoutScript(axis, answer.hz);

  std::string style(PlotStyle());
  style += PictureStyle();
  style += kStyle;
  return PageHtml(TitleOf(layout, notes), body, style);
}

}  // namespace assay::cli
