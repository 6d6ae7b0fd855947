// One pass over the frequencies.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_csv.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "cli/one_port.h"

namespace assay::cli {
namespace {

// Shortest text that reads back as the same number; no negative zero.
std::string Exact(double value) {
  return std::isfinite(value) ? fmt::format("{}", value + 0.0) : "";
}

std::string Rounded(double value) {
  if (!std::isfinite(value)) return "";
  const std::string text = fmt::format("{:.6f}", value);
  return text == "-0.000000" ? text.substr(1) : text;
}

// ",s11_X,s11_Y" for all parameters by rows.
std::string Names(size_t ports, std::string_view x, std::string_view y) {
  std::string text;
  const std::string_view between = ports > 9 ? "_" : "";
  for (size_t i = 1; i <= ports; ++i) {
    for (size_t j = 1; j <= ports; ++j) {
      text +=
          fmt::format(",s{0}{1}{2}_{3},s{0}{1}{2}_{4}", i, between, j, x, y);
    }
  }
  return text;
}

}  // namespace

std::string SweepCsv(const planar::Answer& answer) {
  const size_t ports = answer.z0.size();
  const bool one_port = ports == 1;
  std::string csv =
      "frequency_hz" + Names(ports, "re", "im") + Names(ports, "db", "deg");
  if (one_port) csv += ",r_ohm,x_ohm,l_henry,c_farad,q";
  csv += ",solved_exactly\n";
  std::vector<bool> exact(answer.hz.size());
  for (const planar::ExactPoint& point : answer.exact) {
    exact[point.index] = true;
  }
  for (size_t k = 0; k < answer.hz.size(); ++k) {
    csv += Exact(answer.hz[k]);
    for (const planar::Complex& s : answer.s[k].values) {
      csv += fmt::format(",{},{}", Exact(s.real()), Exact(s.imag()));
    }
    for (const planar::Complex& s : answer.s[k].values) {
      const double size = std::abs(s);
      csv += size > 0
                 ? fmt::format(",{},{}", Rounded(20 * std::log10(size)),
                               Rounded(std::arg(s) * 180 / std::numbers::pi))
                 : ",,";
    }
    if (one_port) {
      const PortFigures f = OnePortAt(answer.y[k](0, 0), answer.hz[k]);
      csv += fmt::format(",{},{},{},{},{}", Exact(f.resistance),
                         Exact(f.reactance), Exact(f.inductance),
                         Exact(f.capacitance),
                         std::isinf(f.quality) ? "inf" : Exact(f.quality));
    }
    csv += exact[k] ? ",1\n" : ",0\n";
  }
  return csv;
}

}  // namespace assay::cli
