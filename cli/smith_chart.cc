// Circles in the plane of reflections: z = (1 + S) / (1 - S).
// SPDX-License-Identifier: Apache-2.0
#include "cli/smith_chart.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "cli/svg_path.h"

namespace assay::cli {
namespace {

using Complex = std::complex<double>;

constexpr double kWidth = 420, kHeight = 400;
constexpr double kRadius = 172;
constexpr double kX = kWidth / 2, kY = kHeight / 2;
constexpr std::array kCircles = {0.2, 0.5, 1.0, 2.0, 5.0};

Dot Place(Complex s) {
  return {kX + kRadius * s.real(), kY - kRadius * s.imag()};
}

Complex Reflection(Complex z) { return (z - 1.0) / (z + 1.0); }

std::string GridSvg() {
  std::string lines = fmt::format("M{} {}H{}", kX - kRadius, kY, kX + kRadius);
  std::string labels;
  for (const double r : kCircles) {
    // From S = (r - 1) / (r + 1) to S = 1 and back.
    const double radius = kRadius / (r + 1);
    const Dot left = Place(Reflection(r));
    lines += fmt::format(
        "M{0:.1f} {1}a{2:.1f} {2:.1f} 0 1 0 {3:.1f} 0a{2:.1f} "
        "{2:.1f} 0 1 0 -{3:.1f} 0",
        left.x, kY, radius, 2 * radius);
    labels += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>", left.x + 2,
                          kY - 3, r);
    for (const double x : {r, -r}) {
      // The part of a circle around 1 + j/x that lies within |S| = 1.
      const Dot rim = Place(Reflection({0, x}));
      lines += fmt::format(
          "M{0:.1f} {1}A{3:.1f} {3:.1f} 0 0 {4} {2:.1f} {5:.1f}", kX + kRadius,
          kY, rim.x, kRadius / r, x > 0 ? 1 : 0, rim.y);
      const Dot label = Place(Reflection({0, x}) * 1.08);
      labels += fmt::format(
          "<text x=\"{:.1f}\" y=\"{:.1f}\" "
          "text-anchor=\"middle\">{}j{}</text>",
          label.x, label.y + 5, x > 0 ? "" : "\u2212", r);
    }
  }
  return fmt::format(
      "<circle class=\"frame\" cx=\"{0}\" cy=\"{1}\" r=\"{2}\"/><circle "
      "class=\"grid\" cx=\"{0}\" cy=\"{1}\" r=\"{2}\"/><path class=\"grid\" "
      "d=\"{3}\"/>{4}<text x=\"{5}\" y=\"{6}\">0</text><text x=\"{7}\" "
      "y=\"{6}\">\u221E</text>\n",
      kX, kY, kRadius, lines, labels, kX - kRadius - 13, kY + 5,
      kX + kRadius + 5);
}

}  // namespace

std::string SmithHtml(std::span<const SmithCurve> curves,
                      std::span<const size_t> marks) {
  std::string html = fmt::format(
      "<figure><figcaption>Reflections on the Smith chart</figcaption>\n<svg "
      "viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Smith chart\">\n{}",
      kWidth, kHeight, GridSvg());
  std::vector<LegendEntry> legend;
  for (size_t c = 0; c < curves.size(); ++c) {
    std::vector<Dot> line;
    for (const Complex& s : curves[c].values) line.push_back(Place(s));
    std::vector<Dot> triangles;
    for (const size_t k : marks) triangles.push_back(line[k]);
    html += fmt::format(
        "<path class=\"curve {0}\" d=\"{1}\"/><path "
        "class=\"marks {0}\" d=\"{2}\"/>",
        CurveClass(c), LineData(line), TriangleData(triangles));
    if (!line.empty()) {
      html += fmt::format(
          "<circle class=\"marks {}\" cx=\"{:.1f}\" "
          "cy=\"{:.1f}\" r=\"4\"/>\n",
          CurveClass(c), line[0].x, line[0].y);
    }
    legend.push_back({curves[c].name, c});
  }
  html += "</svg>\n" + LegendHtml(legend, !marks.empty());
  return html +
         "<p class=\"small\">A dot marks the lowest frequency.</p></figure>\n";
}

}  // namespace assay::cli
