// One pass over the frequencies.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_csv.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string_view>
#include <vector>

#include "cli/immittance.h"
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
std::string Names(char letter, size_t ports, std::string_view x,
                  std::string_view y) {
  std::string text;
  const std::string_view between = ports > 9 ? "_" : "";
  for (size_t i = 1; i <= ports; ++i) {
    for (size_t j = 1; j <= ports; ++j) {
      text += fmt::format(",{5}{0}{1}{2}_{3},{5}{0}{1}{2}_{4}", i, between, j,
                          x, y, letter);
    }
  }
  return text;
}

std::string Cartesian(const planar::PortMatrix& matrix) {
  std::string cells;
  for (const planar::Complex& value : matrix.values) {
    cells += fmt::format(",{},{}", Exact(value.real()), Exact(value.imag()));
  }
  return cells;
}

std::string Polar(const planar::PortMatrix& matrix) {
  std::string cells;
  for (const planar::Complex& value : matrix.values) {
    const double size = std::abs(value);
    cells += size > 0 ? fmt::format(
                            ",{},{}", Rounded(20 * std::log10(size)),
                            Rounded(std::arg(value) * 180 / std::numbers::pi))
                      : ",,";
  }
  return cells;
}

std::string Cells(const planar::Answer& answer, size_t k,
                  Parameters parameters) {
  if (parameters == Parameters::kS) {
    return Cartesian(answer.s[k]) + Polar(answer.s[k]);
  }
  const auto matrix = parameters == Parameters::kY ? AdmittanceAt(answer, k)
                                                   : ImpedanceAt(answer, k);
  const size_t ports = answer.z0.size();
  return matrix ? Cartesian(*matrix) : std::string(2 * ports * ports, ',');
}

char Letter(Parameters parameters) {
  switch (parameters) {
    case Parameters::kS: return 's';
    case Parameters::kY: return 'y';
    case Parameters::kZ: return 'z';
  }
  return 's';
}

}  // namespace

std::string SweepCsv(const planar::Answer& answer, Parameters parameters) {
  const size_t ports = answer.z0.size();
  const bool one_port = ports == 1;
  const char letter = Letter(parameters);
  std::string csv = "frequency_hz" + Names(letter, ports, "re", "im");
  if (letter == 's') csv += Names(letter, ports, "db", "deg");
  if (one_port) csv += ",r_ohm,x_ohm,l_henry,c_farad,q";
  csv += ",solved_exactly\n";
  std::vector<bool> exact(answer.hz.size());
  for (const planar::ExactPoint& point : answer.exact) {
    exact[point.index] = true;
  }
  for (size_t k = 0; k < answer.hz.size(); ++k) {
    csv += Exact(answer.hz[k]);
    csv += Cells(answer, k, parameters);
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
