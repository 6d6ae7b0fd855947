// The figures of a one-port, its resonances, and how they are shown.
// SPDX-License-Identifier: Apache-2.0
#include "cli/one_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "assay/planar/network.h"
#include "cli/quantity.h"
#include "cli/svg_plot.h"

namespace assay::cli {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kTableRows = 21;

std::string Cell(double value, std::string_view unit) {
  if (std::isinf(value)) return "<td>\u221E</td>";
  if (std::isnan(value)) return "<td>\u2013</td>";
  return fmt::format("<td>{}</td>", QuantityText(value, unit));
}

std::string FiguresTable(std::span<const double> hz,
                         std::span<const PortFigures> figures) {
  std::string html =
      "<div class=\"wide\"><table class=\"figures-table\"><thead><tr>"
      "<th>frequency</th><th>R</th><th>X</th><th>L</th><th>C</th><th>Q</th>"
      "</tr></thead>\n";
  const size_t rows = std::min(kTableRows, hz.size());
  for (size_t row = 0; row < rows; ++row) {
    const size_t k = rows < 2 ? 0 : row * (hz.size() - 1) / (rows - 1);
    const PortFigures& f = figures[k];
    html += fmt::format("<tr><td>{}</td>{}{}{}{}{}</tr>\n", HertzText(hz[k]),
                        Cell(f.resistance, "\u03A9"),
                        Cell(f.reactance, "\u03A9"), Cell(f.inductance, "H"),
                        Cell(f.capacitance, "F"), Cell(f.quality, ""));
  }
  return html + "</table></div>\n";
}

// One figure over frequency in the unit that fits; nothing where it has none.
std::string FigurePlot(const FrequencyAxis& axis, const planar::Answer& answer,
                       const std::string& title, std::string_view unit,
                       std::vector<Curve> curves) {
  std::vector<double> all;
  for (const Curve& curve : curves) {
    for (const double value : curve.values) {
      if (std::isfinite(value)) all.push_back(value);
    }
  }
  if (all.empty()) return "";
  const ValueRange whole = ValueRange::OfMost(all, 0);
  const Prefix prefix =
      PrefixOf(std::max(std::abs(whole.low), std::abs(whole.high)));
  for (Curve& curve : curves) {
    for (double& value : curve.values) value /= prefix.scale;
  }
  Plot plot;
  plot.unit = std::string(prefix.name) + std::string(unit);
  plot.title = plot.unit.empty() ? title : title + " in " + plot.unit;
  plot.curves = std::move(curves);
  plot.marks = ExactMarks(answer);
  plot.range = ValueRange::Between(whole.low / prefix.scale,
                                   whole.high / prefix.scale, 0);
  return PlotHtml(axis, plot);
}

}  // namespace

PortFigures OnePortAt(planar::Complex y, double hz) {
  if (y == planar::Complex(0)) return {kNone, kNone, kNone, kNone, kNone};
  if (!(hz > 0)) return {(1.0 / y).real(), kNone, kNone, kNone, kNone};
  const planar::OnePort one = planar::OnePortFigures(y, hz);
  const double reactance = (1.0 / y).imag();
  return {one.resistance, reactance, reactance > 0 ? one.inductance : kNone,
          reactance < 0 ? one.capacitance : kNone, one.quality};
}

std::vector<Resonance> Resonances(const planar::Answer& answer) {
  std::vector<Resonance> found;
  for (size_t k = 1; k < answer.hz.size(); ++k) {
    const planar::Complex y0 = answer.y[k - 1](0, 0);
    const planar::Complex y1 = answer.y[k](0, 0);
    // The susceptance has the other sign of the reactance.
    if (!(answer.hz[k - 1] > 0) || !(y0.imag() * y1.imag() < 0)) continue;
    const bool parallel = y1.imag() > y0.imag();
    const double from = parallel ? y0.imag() : (1.0 / y0).imag();
    const double to = parallel ? y1.imag() : (1.0 / y1).imag();
    const double share = from / (from - to);
    found.push_back(
        {answer.hz[k - 1] + share * (answer.hz[k] - answer.hz[k - 1]),
         parallel});
  }
  return found;
}

std::string OnePortHtml(const planar::Answer& answer,
                        const FrequencyAxis& axis) {
  std::vector<PortFigures> figures;
  Curve resistance = {"R", {}};
  Curve reactance = {"X", {}};
  Curve inductance = {"L", {}};
  Curve capacitance = {"C", {}};
  Curve quality = {"Q", {}};
  for (size_t k = 0; k < answer.hz.size(); ++k) {
    const PortFigures f = OnePortAt(answer.y[k](0, 0), answer.hz[k]);
    figures.push_back(f);
    resistance.values.push_back(f.resistance);
    reactance.values.push_back(f.reactance);
    inductance.values.push_back(f.inductance);
    capacitance.values.push_back(f.capacitance);
    quality.values.push_back(f.quality);
  }
  std::string html;
  const std::vector<Resonance> resonances = Resonances(answer);
  constexpr size_t kMostNamed = 12;
  for (size_t k = 0; k < std::min(resonances.size(), kMostNamed); ++k) {
    html += fmt::format("{}{} ({})", k > 0 ? ", " : "<p>Resonances: ",
                        HertzText(resonances[k].hz),
                        resonances[k].parallel ? "parallel" : "series");
  }
  if (resonances.size() > kMostNamed) html += ", and more";
  html += resonances.empty()
              ? "<p>No resonance between these frequencies.</p>\n"
              : ".</p>\n";
  html += "<div class=\"figures\">\n";
  html += FigurePlot(axis, answer, "Resistance", "\u03A9", {resistance});
  html += FigurePlot(axis, answer, "Reactance", "\u03A9", {reactance});
  html += FigurePlot(axis, answer, "Inductance", "H", {inductance});
  html += FigurePlot(axis, answer, "Capacitance", "F", {capacitance});
  html += FigurePlot(axis, answer, "Quality", "", {quality});
  html += "</div>\n";
  return html + FiguresTable(answer.hz, figures);
}

}  // namespace assay::cli
