// Prints what is known of a line, for people and as JSON.
// SPDX-License-Identifier: Apache-2.0
#include "cli/line_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>
#include <string_view>

#include "assay/planar/dispersion.h"

namespace assay::cli {
namespace {

using planar::LineMode;
using planar::LineModel;
using planar::LineWave;
using planar::Strip;

// The effective permittivity with dispersion, for a single strip.
double Dispersed(const Line& line, const LineMode& mode, double hz) {
  const double h = line.substrate.h;
  const double width = line.strips[0].x1 - line.strips[0].x0;
  return planar::DispersedPermittivity(line.substrate.er, width / h, h, hz,
                                       mode.Permittivity());
}

double Decibels(double nepers) { return nepers * 20 / std::log(10); }

// Of the pair as a coupler at its best, not below what rounding leaves.
double Coupling(double even, double odd) {
  return 20 * std::log10(std::max(1e-9, (even - odd) / (even + odd)));
}

std::string WaveText(const Line& line, const NamedMode& named, double hz) {
  const LineWave wave =
      WaveAt(named.mode, line.conductor, hz, line.ground_loss);
  std::string text = fmt::format(
      "{:.4g} dB/m, {:.6g} rad/m, Z0 {:.5g} {} {:.2g}j ohm",
      Decibels(wave.gamma.real()), wave.gamma.imag(), wave.impedance.real(),
      wave.impedance.imag() < 0 ? "-" : "+", std::abs(wave.impedance.imag()));
  if (line.strips.size() == 1) {
    text += fmt::format("; eps_eff with dispersion {:.5g}",
                        Dispersed(line, named.mode, hz));
  }
  return text;
}

std::string RowText(std::string_view label, const double* values, size_t count,
                    double scale) {
  std::string text(label);
  for (size_t i = 0; i < count; ++i) {
    text += fmt::format("{:>12.6g}", values[i] * scale);
  }
  return text + "\n";
}

std::vector<double> Real(const std::vector<std::complex<double>>& values) {
  std::vector<double> real;
  for (const std::complex<double>& value : values) {
    real.push_back(value.real());
  }
  return real;
}

Json MatrixJson(const std::vector<double>& values, size_t n) {
  Json rows = Json::array();
  for (size_t i = 0; i < n; ++i) {
    rows.push_back(std::vector<double>(values.begin() + long(i * n),
                                       values.begin() + long((i + 1) * n)));
  }
  return rows;
}

Json ModeJson(const Line& line, const NamedMode& named) {
  const LineMode& m = named.mode;
  Json json = {{"mode", named.name},
               {"z0_ohm", m.Impedance()},
               {"eps_eff", m.Permittivity()},
               {"capacitance_f_per_m", m.capacitance.real()},
               {"inductance_h_per_m", m.inductance},
               {"delay_s_per_m", m.Delay()}};
  if (line.hz.empty()) return json;
  json["waves"] = Json::array();
  for (const double hz : line.hz) {
    const LineWave wave = WaveAt(m, line.conductor, hz, line.ground_loss);
    Json entry = {{"frequency_hz", hz},
                  {"alpha_np_per_m", wave.gamma.real()},
                  {"alpha_db_per_m", Decibels(wave.gamma.real())},
                  {"beta_rad_per_m", wave.gamma.imag()},
                  {"z0_ohm", {wave.impedance.real(), wave.impedance.imag()}}};
    if (line.strips.size() == 1) {
      entry["eps_eff_with_dispersion"] = Dispersed(line, m, hz);
    }
    json["waves"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace

void PrintLine(const Line& line, const LineModel& model,
               const std::vector<NamedMode>& modes) {
  std::vector<Row> rows;
  for (const NamedMode& named : modes) {
    const std::string mode =
        modes.size() == 1 ? "" : std::string(named.name) + " ";
    const LineMode& m = named.mode;
    rows.emplace_back(mode + "Z0", fmt::format("{:.5g} ohm", m.Impedance()));
    rows.emplace_back(mode + "eps_eff",
                      fmt::format("{:.5g}", m.Permittivity()));
    rows.emplace_back(mode + "C'",
                      fmt::format("{:.5g} pF/m", m.capacitance.real() * 1e12));
    rows.emplace_back(mode + "L'",
                      fmt::format("{:.5g} nH/m", m.inductance * 1e9));
    rows.emplace_back(mode + "delay",
                      fmt::format("{:.5g} ps/mm", m.Delay() * 1e9));
  }
  if (modes.size() == 2) {
    const double even = modes[0].mode.Impedance();
    const double odd = modes[1].mode.Impedance();
    rows.emplace_back("Z differential", fmt::format("{:.5g} ohm", 2 * odd));
    rows.emplace_back("Z common", fmt::format("{:.5g} ohm", even / 2));
    rows.emplace_back("coupling",
                      fmt::format("{:.4g} dB", Coupling(even, odd)));
  }
  for (const double hz : line.hz) {
    for (const NamedMode& named : modes) {
      rows.emplace_back(
          fmt::format("{}{:.6g} GHz",
                      modes.size() == 1 ? "" : std::string(named.name) + " ",
                      hz * 1e-9),
          WaveText(line, named, hz));
    }
  }
  if (!rows.empty()) PrintRows(rows);
  if (model.strips == 1) return;
  const std::vector<double> capacitance = Real(model.capacitance);
  const size_t n = model.strips;
  for (size_t i = 0; i < n; ++i) {
    Print(RowText(i == 0 ? "C' pF/m " : "        ", &capacitance[i * n], n,
                  1e12));
  }
  for (size_t i = 0; i < n; ++i) {
    Print(RowText(i == 0 ? "L' nH/m " : "        ", &model.inductance[i * n], n,
                  1e9));
  }
}

Json LineJson(const Line& line, const LineModel& model,
              const std::vector<NamedMode>& modes) {
  Json strips = Json::array(), list = Json::array();
  for (const Strip& strip : line.strips) {
    strips.push_back({strip.x0, strip.x1});
  }
  for (const NamedMode& named : modes) {
    list.push_back(ModeJson(line, named));
  }
  return {{"er", line.substrate.er},
          {"height_m", line.substrate.h},
          {"strips_m", std::move(strips)},
          {"modes", std::move(list)},
          {"capacitance_f_per_m",
           MatrixJson(Real(model.capacitance), model.strips)},
          {"inductance_h_per_m", MatrixJson(model.inductance, model.strips)}};
}

}  // namespace assay::cli
