// Gives impedance, speed and losses of strips over a grounded dielectric.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "assay/planar/layout.h"

namespace assay::cli {

struct LineArgs {
  planar::Units units = planar::Units::kMillimetre;
  std::string er, height;     // empty: not given
  std::string width, strips;  // one of them: "3", or "0:3,4:7"
  double tand = 0;
  double sigma = 0;  // 0: a perfect conductor
  double thickness = 0;
  double roughness = 0;
  bool two_sided = false;
  bool ground_loss = false;
  std::string frequency;  // a list; empty: no waves
  bool json = false;
};

// Solves the cross-section and prints Z0, effective permittivity, C', L' and
// delay of a strip, of both modes of a pair, or the matrices of other strips,
// and with frequencies attenuation and phase. Returns the exit status: 0 done,
// 1 error.
int RunLine(const LineArgs& args);

template <class V>
void Describe(V& v, LineArgs& a) {
  using planar::Units;
  v.Text("er", a.er, "relative permittivity of the dielectric");
  v.Real("tand", a.tand, {0, 0.999}, "its loss tangent");
  v.Text("height", a.height, "its height over ground");
  v.Text("width", a.width, "of a single strip");
  v.Text("strips", a.strips, "edges of each strip instead: x0:x1,x0:x1");
  v.Enum("units", a.units,
         {{"mm", Units::kMillimetre},
          {"um", Units::kMicrometre},
          {"mil", Units::kMil},
          {"in", Units::kInch},
          {"inch", Units::kInch},
          {"m", Units::kMetre}},
         "the unit of every length here");
  v.Real("sigma", a.sigma, {}, "the metal's S/m, copper 5.8e7 (0: perfect)");
  v.Real("thickness", a.thickness, {}, "of the metal, with --sigma");
  v.Real("roughness", a.roughness, {}, "rms roughness, with --sigma");
  v.Flag("two-sided", a.two_sided,
         "thin metal carries equal currents on both faces, with --sigma");
  v.Flag("ground-loss", a.ground_loss,
         "a ground of the metal's conductivity instead of a perfect one");
  v.Text("frequency", a.frequency, "where to give losses: 1GHz,2.4GHz");
  v.Flag("json", a.json, "answer in JSON, lengths in metres");
}

}  // namespace assay::cli
