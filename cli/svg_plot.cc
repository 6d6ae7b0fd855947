// Axes, curves, triangles, and the values for the pointer.
// SPDX-License-Identifier: Apache-2.0
#include "cli/svg_plot.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "assay/base/text.h"
#include "cli/svg_path.h"

namespace assay::cli {
namespace {

using A = PlotArea;

constexpr std::string_view kScript = R"(
for (const figure of document.querySelectorAll("figure[data-y]")) {
  const svg = figure.querySelector("svg");
  const cursor = svg.querySelector(".cursor");
  const output = figure.querySelector("output");
  const y = JSON.parse(figure.dataset.y);
  const names = JSON.parse(figure.dataset.names);
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * axis.width;
    let k = 0;
    axis.x.forEach((place, i) => {
      if (Math.abs(place - x) < Math.abs(axis.x[k] - x)) k = i;
    });
    cursor.setAttribute("x1", axis.x[k]);
    cursor.setAttribute("x2", axis.x[k]);
    cursor.style.visibility = "visible";
    const hz = axis.hz[k];
    const power = hz ? Math.min(3, Math.floor(Math.log10(hz) / 3)) : 0;
    const unit = ["Hz", "kHz", "MHz", "GHz"][power];
    output.textContent = +(hz / 1000 ** power).toPrecision(6) + " " + unit +
      ": " + names.map((name, i) => name + " " + (y[i][k] ?? "none")).join(
      ", ") + " " + figure.dataset.unit;
  });
  svg.addEventListener("pointerleave", () => {
    cursor.style.visibility = "hidden";
    output.textContent = "";
  });
}
)";

std::string AxesSvg(const FrequencyAxis& axis, const ValueRange& range) {
  std::string svg = fmt::format(
      "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
      A::kLeft, A::kTop, A::kRight - A::kLeft, A::kBottom - A::kTop);
  std::string lines;
  for (const Tick& tick : axis.ticks()) {
    lines += fmt::format("M{:.1f} {}V{}", tick.at, A::kTop, A::kBottom);
    if (tick.label.empty()) continue;
    svg += fmt::format(
        "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", tick.at,
        A::kBottom + 17, tick.label);
  }
  for (const Tick& tick : range.Ticks()) {
    lines += fmt::format("M{} {:.1f}H{}", A::kLeft, tick.at, A::kRight);
    svg +=
        fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
                    A::kLeft - 6, tick.at + 4.5, tick.label);
  }
  return svg + fmt::format(
                   "<path class=\"grid\" d=\"{}\"/><text x=\"{}\" y=\"{}\" "
                   "text-anchor=\"middle\">{}</text>\n",
                   lines, (A::kLeft + A::kRight) / 2, A::kHeight - 10,
                   axis.title());
}

// Ends the line at one end of the range and begins another at the other end,
// so that the last of it leads to `to` the short way.
void CrossEnds(const ValueRange& range, Dot to, std::vector<Dot>& line,
               std::string& data) {
  const Dot from = line.back();
  const bool up = to.y > from.y;  // the short way leads upwards in value
  const double turn = range.Place(range.low) - range.Place(range.high);
  const double end = up ? range.Place(range.high) : range.Place(range.low);
  const double other = up ? range.Place(range.low) : range.Place(range.high);
  const double target = up ? to.y - turn : to.y + turn;
  const double share =
      target == from.y ? 0.5 : (end - from.y) / (target - from.y);
  const double x = from.x + share * (to.x - from.x);
  line.push_back({x, end});
  data += LineData(line);
  line = {{x, other}};
}

// The curve, broken where it has no value.
std::string CurveData(const FrequencyAxis& axis, const ValueRange& range,
                      const Curve& curve, bool degrees) {
  std::string data;
  std::vector<Dot> line;
  const auto finish = [&] {
    if (!line.empty()) data += LineData(line);
    line.clear();
  };
  for (size_t k = 0; k < curve.values.size(); ++k) {
    const double value = curve.values[k];
    if (!std::isfinite(value)) {
      finish();
      continue;
    }
    const Dot dot = {axis.places()[k], range.Place(value)};
    if (degrees && !line.empty() &&
        std::abs(value - curve.values[k - 1]) > 180) {
      CrossEnds(range, dot, line, data);
    }
    line.push_back(dot);
    if (k == 0 && axis.dc_apart()) finish();
  }
  finish();
  return data;
}

std::string MarkData(const FrequencyAxis& axis, const ValueRange& range,
                     const Curve& curve, std::span<const size_t> marks) {
  std::vector<Dot> dots;
  for (const size_t k : marks) {
    const double value = curve.values[k];
    if (!(value >= range.low && value <= range.high)) continue;
    dots.push_back({axis.places()[k], range.Place(value)});
  }
  return TriangleData(dots);
}

// "[[1.5,null],[...]]", four digits a value.
std::string ValuesJson(const Plot& plot) {
  std::string json = "[";
  for (const Curve& curve : plot.curves) {
    json += json.size() > 1 ? ",[" : "[";
    for (size_t k = 0; k < curve.values.size(); ++k) {
      const double value = curve.values[k];
      if (k > 0) json += ',';
      json += std::isfinite(value) ? fmt::format("{:.4g}", value) : "null";
    }
    json += ']';
  }
  return json + "]";
}

std::string NamesJson(const Plot& plot) {
  std::string json = "[";
  for (const Curve& curve : plot.curves) {
    if (json.size() > 1) json += ',';
    json += fmt::format("\"{}\"", EscapeJson(curve.name));
  }
  return json + "]";
}

ValueRange RangeOf(const Plot& plot) {
  if (plot.degrees) return {-180, 180, 60};
  if (plot.range.has_value()) return *plot.range;
  std::vector<double> all;
  for (const Curve& curve : plot.curves) {
    all.insert(all.end(), curve.values.begin(), curve.values.end());
  }
  return ValueRange::Of(all, plot.least_span);
}

}  // namespace

std::string PlotHtml(const FrequencyAxis& axis, const Plot& plot) {
  const ValueRange range = RangeOf(plot);
  std::string html = "<figure";
  if (plot.readout) {
    html += fmt::format(" data-unit=\"{}\" data-names=\"{}\" data-y=\"{}\"",
                        EscapeHtml(plot.unit), EscapeHtml(NamesJson(plot)),
                        ValuesJson(plot));
  }
  html += fmt::format(
      "><figcaption>{0}</figcaption>\n<svg viewBox=\"0 0 {1} {2}\" "
      "role=\"img\" aria-label=\"{0} over frequency\">\n",
      EscapeHtml(plot.title), A::kWidth, A::kHeight);
  html += AxesSvg(axis, range);
  html += "<g clip-path=\"url(#area)\">";
  std::string marks;
  std::vector<LegendEntry> legend;
  for (size_t c = 0; c < plot.curves.size(); ++c) {
    html += fmt::format("<path class=\"curve {}\" d=\"{}\"/>\n", CurveClass(c),
                        CurveData(axis, range, plot.curves[c], plot.degrees));
    marks += fmt::format("<path class=\"marks {}\" d=\"{}\"/>\n", CurveClass(c),
                         MarkData(axis, range, plot.curves[c], plot.marks));
    legend.push_back({plot.curves[c].name, c});
  }
  html += "</g>";
  if (!plot.marks.empty()) html += marks;
  html += fmt::format(
      "<line class=\"cursor\" x1=\"0\" x2=\"0\" y1=\"{}\" y2=\"{}\"/></svg>\n",
      A::kTop, A::kBottom);
  html += LegendHtml(legend, !plot.marks.empty());
  if (plot.readout) html += "<output></output>";
  return html + "</figure>\n";
}

std::string ReadoutScript(const FrequencyAxis& axis,
                          std::span<const double> hz) {
  std::string places;
  std::string frequencies;
  for (size_t k = 0; k < hz.size(); ++k) {
    const char* comma = k > 0 ? "," : "";
    places += fmt::format("{}{:.1f}", comma, axis.places()[k]);
    frequencies += fmt::format("{}{:.9g}", comma, hz[k]);
  }
  return fmt::format(
      "<script>\nconst axis = {{width: {}, x: [{}], hz: [{}]}};{}</script>\n",
      A::kWidth, places, frequencies, kScript);
}

}  // namespace assay::cli
