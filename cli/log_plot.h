// Draws curves of measurements on two logarithmic axes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace assay::cli {

struct LogPoint {
  double x = 0;  // the logarithm to base 2
  double y = 0;  // above 0
};

struct LogCurve {
  std::string name;
  std::vector<LogPoint> points;  // x rises; drawn with a dot each
};

// What the numbers along x are.
enum class LogAxis {
  kBytes,  // 2^10 is "1 KiB"
  kPower,  // 2^10 is "10"
};

struct LogPlot {
  std::string title;
  std::string x_title;
  LogAxis x_axis = LogAxis::kBytes;
  // What is written for y: at the axis, in a few letters, and for the pointer.
  std::string (*tick)(double y) = nullptr;
  std::string (*say)(double y) = nullptr;
  std::vector<LogCurve> curves;  // empty ones are left out
};

// A <figure>: caption, picture, legend; the dots say their values under the
// pointer. Empty where there is no point. Pages have PlotDefinitions,
// PlotStyle (cli/svg_path.h) and LogPlotStyle once.
std::string LogPlotHtml(const LogPlot& plot);
std::string_view LogPlotStyle();

}  // namespace assay::cli
