// Turns points into the lines and marks of a picture.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace assay::cli {

// In the units of a picture, y downwards.
struct Dot {
  double x = 0, y = 0;
};

// `line` without the points that lie within a few hundredths of a unit of
// what remains: a curve of many points stays a small file.
std::vector<Dot> Simplified(std::span<const Dot> line);

// A path's data: a line through the points, simplified, or a ring around a lone
// one; and triangles around points.
std::string LineData(std::span<const Dot> line);
std::string TriangleData(std::span<const Dot> points);

// One colour and dash each, by number: `class="curve c3"`.
std::string CurveClass(size_t number);

struct LegendEntry {
  std::string name;
  size_t number = 0;  // of the curve's class
};

// Names beside samples of their curves, and what triangles mean where there
// are some.
std::string LegendHtml(std::span<const LegendEntry> entries, bool triangles);

// What every page with plots has once: their style, and what they refer to.
std::string_view PlotStyle();
std::string PlotDefinitions();

}  // namespace assay::cli
