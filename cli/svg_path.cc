// Paths with one decimal, and the style of curves.
// SPDX-License-Identifier: Apache-2.0
#include "cli/svg_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "assay/base/text.h"
#include "cli/plot_axis.h"

namespace assay::cli {
namespace {

constexpr double kFlat = 0.07;  // a deviation that nobody sees
constexpr size_t kColours = 8;
constexpr size_t kDashes = 4;

constexpr std::string_view kStyle = R"(
:root { --c0: #1f5fbf; --c1: #c05000; --c2: #1a7f37; --c3: #8a3fb8;
  --c4: #0b7c86; --c5: #c01848; --c6: #7a5c1e; --c7: #5a5f66;
  --panel: #8881; }
@media screen and (prefers-color-scheme: dark) {
  :root { --c0: #7fb0ff; --c1: #ffa057; --c2: #5fd07a; --c3: #cf9bf5;
    --c4: #4fd0dc; --c5: #ff7a9c; --c6: #d6b56a; --c7: #b6bcc4; } }
body { max-width: 62rem; }
.figures { display: grid; gap: 1rem 1.5rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); }
figure { margin: 0; max-width: 32rem; min-width: 0; break-inside: avoid; }
figcaption { font-weight: 500; }
.frame { fill: var(--panel); stroke: none; }
.grid { stroke: var(--line); stroke-width: 1; fill: none; }
.curve { fill: none; stroke-width: 1.8; stroke-linejoin: round; }
.marks { stroke: none; }
.c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); }
.c3 { --c: var(--c3); } .c4 { --c: var(--c4); } .c5 { --c: var(--c5); }
.c6 { --c: var(--c6); } .c7 { --c: var(--c7); }
.curve { stroke: var(--c); } .marks { fill: var(--c); }
.d1 { stroke-dasharray: 8 4; } .d2 { stroke-dasharray: 2 3; }
.d3 { stroke-dasharray: 9 3 2 3; }
.cursor { stroke: currentColor; stroke-width: 1; visibility: hidden; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0 1rem;
  margin: .1rem 0 0; padding: 0; font-size: .85rem; }
.legend svg { width: 2rem; height: .8rem; margin-right: .35rem; }
output { display: block; min-height: 1.3em; font-size: .85rem;
  font-variant-numeric: tabular-nums; }
@media print { output, .cursor { display: none; } }
svg.defs { position: absolute; width: 0; height: 0; }
)";

double Deviation(const Dot& p, const Dot& a, const Dot& b) {
  const double dx = b.x - a.x;
  const double dy = b.y - a.y;
  const double square = dx * dx + dy * dy;
  const double along =
      square > 0
          ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0)
          : 0;
  return std::hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

// Tenths, without a trailing ".0" or a negative zero.
std::string Coordinate(double value) {
  const auto tenths = static_cast<int64_t>(std::llround(value * 10));
  const int64_t size = std::abs(tenths);
  std::string text = fmt::format("{}{}", tenths < 0 ? "-" : "", size / 10);
  if (size % 10 != 0) text += fmt::format(".{}", size % 10);
  return text;
}

}  // namespace

std::vector<Dot> Simplified(std::span<const Dot> line) {
  // Splits each stretch at the point that lies farthest from its chord.
  std::vector<uint8_t> kept(line.size());
  std::vector<std::pair<size_t, size_t>> stretches;
  if (!line.empty()) {
    kept.front() = kept.back() = 1;
    stretches.emplace_back(0, line.size() - 1);
  }
  while (!stretches.empty()) {
    const auto [first, last] = stretches.back();
    stretches.pop_back();
    double most = kFlat;
    size_t at = first;
    for (size_t k = first + 1; k < last; ++k) {
      const double deviation = Deviation(line[k], line[first], line[last]);
      if (deviation <= most) continue;
      most = deviation;
      at = k;
    }
    if (at == first) continue;
    kept[at] = 1;
    stretches.emplace_back(first, at);
    stretches.emplace_back(at, last);
  }
  std::vector<Dot> out;
  for (size_t k = 0; k < line.size(); ++k) {
    if (kept[k]) out.push_back(line[k]);
  }
  return out;
}

std::string LineData(std::span<const Dot> line) {
  std::string data;
  for (const Dot& dot : Simplified(line)) {
    data += fmt::format("{}{} {}", data.empty() ? "M" : "L", Coordinate(dot.x),
                        Coordinate(dot.y));
  }
  // A lone point is a ring: a line of no length would not be seen.
  if (line.size() == 1) {
    return fmt::format("M{} {}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0",
                       Coordinate(line[0].x - 3), Coordinate(line[0].y));
  }
  return data;
}

std::string TriangleData(std::span<const Dot> points) {
  std::string data;
  for (const Dot& dot : points) {
    data += fmt::format("M{} {}l4 7h-8z", Coordinate(dot.x),
                        Coordinate(dot.y - 4.5));
  }
  return data;
}

std::string CurveClass(size_t number) {
  return fmt::format("c{} d{}", number % kColours, number % kDashes);
}

std::string LegendHtml(std::span<const LegendEntry> entries, bool triangles) {
  std::string html = "<ul class=\"legend\">";
  for (const LegendEntry& entry : entries) {
    html += fmt::format(
        "<li><svg viewBox=\"0 0 32 12\"><path class=\"curve {}\" "
        "d=\"M0 6h32\"/></svg>{}</li>",
        CurveClass(entry.number), EscapeHtml(entry.name));
  }
  if (triangles) {
    html +=
        "<li><svg viewBox=\"0 0 32 12\"><path class=\"marks c7\" "
        "d=\"M16 2l4 7h-8z\"/></svg>solved exactly</li>";
  }
  return html + "</ul>\n";
}

std::string_view PlotStyle() { return kStyle; }

std::string PlotDefinitions() {
  using A = PlotArea;
  return fmt::format(
      "<svg class=\"defs\" aria-hidden=\"true\"><clipPath id=\"area\"><rect "
      "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath></svg>\n",
      A::kLeft, A::kTop - 1, A::kRight - A::kLeft + 1,
      A::kBottom - A::kTop + 2);
}

}  // namespace assay::cli
