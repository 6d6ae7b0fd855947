// Decades upwards, powers of two to the right.
// SPDX-License-Identifier: Apache-2.0
#include "cli/log_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "assay/base/text.h"
#include "cli/plot_axis.h"
#include "cli/svg_path.h"

namespace assay::cli {
namespace {

using A = PlotArea;

constexpr int kMostNames = 8;  // at the lower axis

constexpr std::string_view kStyle = R"(
.dot { fill: var(--c); stroke: none; }
)";

// Ends of both axes, as logarithms.
struct Frame {
  double left = std::numeric_limits<double>::infinity();
  double right = -left;
  double low = left;
  double high = -left;

  bool empty() const { return !(left <= right); }
  Dot Place(const LogPoint& point) const {
    return {
        A::kLeft + (A::kRight - A::kLeft) * (point.x - left) / (right - left),
        A::kBottom - (A::kBottom - A::kTop) * (std::log10(point.y) - low) /
                         (high - low)};
  }
};

Frame FrameOf(const LogPlot& plot) {
  Frame frame;
  for (const LogCurve& curve : plot.curves) {
    for (const LogPoint& point : curve.points) {
      frame.left = std::min(frame.left, point.x);
      frame.right = std::max(frame.right, point.x);
      frame.low = std::min(frame.low, std::log10(point.y));
      frame.high = std::max(frame.high, std::log10(point.y));
    }
  }
  if (frame.empty()) return frame;
  if (frame.left == frame.right) {
    frame.left -= 1;
    frame.right += 1;
  }
  // Whole decades.
  frame.low = std::floor(frame.low + 1e-9);
  frame.high = std::max(std::ceil(frame.high - 1e-9), frame.low + 1);
  return frame;
}

std::string SayX(LogAxis axis, double x) {
  if (axis == LogAxis::kPower) return fmt::format("{:.4g}", x);
  constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB"};
  const auto unit =
      std::min(static_cast<size_t>(std::max(x, 0.0) / 10), kUnits.size() - 1);
  return fmt::format("{:.4g} {}", std::exp2(x - 10 * static_cast<double>(unit)),
                     kUnits[unit]);
}

// Lines at every power of ten and, where these are few, at twice and five
// times as much.
std::string GridSvg(const LogPlot& plot, const Frame& frame) {
  std::string svg = fmt::format(
      "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
      A::kLeft, A::kTop, A::kRight - A::kLeft, A::kBottom - A::kTop);
  std::string lines;
  const bool fine = frame.high - frame.low <= 2;
  for (int decade = static_cast<int>(frame.low); decade <= frame.high;
       ++decade) {
    for (const int digit : {1, 2, 5}) {
      const double value = digit * std::pow(10, decade);
      if (std::log10(value) > frame.high + 1e-9) break;
      if (digit > 1 && !fine) break;
      const Dot at = frame.Place({frame.left, value});
      lines += fmt::format("M{} {:.1f}H{}", A::kLeft, at.y, A::kRight);
      svg += fmt::format(
          "<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>",
          A::kLeft - 6, at.y + 4.5, EscapeHtml(plot.tick(value)));
    }
  }
  const int first = static_cast<int>(std::ceil(frame.left - 1e-9));
  const int last = static_cast<int>(std::floor(frame.right + 1e-9));
  int step = plot.x_axis == LogAxis::kBytes ? 5 : 1;
  while ((last - first) / step >= kMostNames) {
    step = plot.x_axis == LogAxis::kBytes ? step + 5 : step * 2;
  }
  for (int x = first; x <= last; ++x) {
    if (x % step != 0) continue;
    const Dot at = frame.Place({static_cast<double>(x), 1});
    lines += fmt::format("M{:.1f} {}V{}", at.x, A::kTop, A::kBottom);
    svg += fmt::format(
        "<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", at.x,
        A::kBottom + 17, SayX(plot.x_axis, x));
  }
  return svg + fmt::format(
                   "<path class=\"grid\" d=\"{}\"/><text x=\"{}\" y=\"{}\" "
                   "text-anchor=\"middle\">{}</text>\n",
                   lines, (A::kLeft + A::kRight) / 2, A::kHeight - 10,
                   EscapeHtml(plot.x_title));
}

}  // namespace

std::string LogPlotHtml(const LogPlot& plot) {
  const Frame frame = FrameOf(plot);
  if (frame.empty()) return "";
  std::string html = fmt::format(
      "<figure><figcaption>{0}</figcaption>\n<svg viewBox=\"0 0 {1} {2}\" "
      "role=\"img\" aria-label=\"{0}\">\n",
      EscapeHtml(plot.title), A::kWidth, A::kHeight);
  html += GridSvg(plot, frame);
  std::vector<LegendEntry> legend;
  std::string dots;
  for (const LogCurve& curve : plot.curves) {
    if (curve.points.empty()) continue;
    const size_t number = legend.size();
    legend.push_back({curve.name, number});
    std::vector<Dot> line;
    for (const LogPoint& point : curve.points) {
      line.push_back(frame.Place(point));
      dots += fmt::format(
          "<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\">"
          "<title>{}, {}: {}</title></circle>\n",
          CurveClass(number), line.back().x, line.back().y,
          EscapeHtml(curve.name), SayX(plot.x_axis, point.x),
          EscapeHtml(plot.say(point.y)));
    }
    html += fmt::format("<path class=\"curve {}\" d=\"{}\"/>\n",
                        CurveClass(number), LineData(line));
  }
  return html + dots + "</svg>\n" + LegendHtml(legend, false) + "</figure>\n";
}

std::string_view LogPlotStyle() { return kStyle; }

}  // namespace assay::cli
