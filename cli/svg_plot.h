// Draws curves over frequency as inline pictures.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/plot_axis.h"

namespace assay::cli {

struct Curve {
  std::string name;            // "S21"
  std::vector<double> values;  // one a frequency; not finite: a gap
};

struct Plot {
  std::string title;
  std::string unit;  // "dB", for the values under the pointer; may be empty
  std::vector<Curve> curves;
  std::vector<size_t> marks;  // frequencies that get triangles
  double least_span = 0;      // of the values' axis
  // Values beyond are cut off.
  std::optional<ValueRange> range;
  // Degrees from -180 to 180: a step of more than half a turn goes through
  // the ends.
  bool degrees = false;
  bool readout = true;  // the values are in the page, for the pointer
};

// A <figure>: caption, picture, legend. It is complete without the script.
std::string PlotHtml(const FrequencyAxis& axis, const Plot& plot);

// A <script> that shows the values under the pointer in all figures.
std::string ReadoutScript(const FrequencyAxis& axis,
                          std::span<const double> hz);

}  // namespace assay::cli
