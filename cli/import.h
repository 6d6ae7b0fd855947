// Makes a layout of a Gerber file or of a picture of the metal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "assay/planar/layout.h"

namespace assay::cli {

struct ImportArgs {
  std::string board;  // Gerber RS-274X, or a black and white PNG
  std::string out;    // empty: the board is only looked at
  planar::Units units = planar::Units::kMillimetre;
  std::string pixel, er, height;  // empty: not given
  double tand = 0;
  double sigma = 0;  // 0: a perfect conductor
  double thickness = 0;
  double roughness = 0;
  bool invert = false;
  std::string crop;                // "x0:x1,y0:y1"
  std::vector<std::string> ports;  // see ParsePort
  std::vector<std::string> vias;   // "x,y,diameter"
  bool json = false;
};

// Prints what the board is and where ports could be, and writes the layout.
// Returns the exit status: 0 done, 1 error.
int RunImport(const ImportArgs& args);

template <class V>
void Describe(V& v, ImportArgs& a) {
  using planar::Units;
  v.Text("out", a.out, "where the layout goes; without it nothing is written");
  v.Enum("units", a.units,
         {{"mm", Units::kMillimetre},
          {"um", Units::kMicrometre},
          {"m", Units::kMetre},
          {"in", Units::kInch},
          {"mil", Units::kMil}},
         "the unit of every length here and in the layout");
  v.Text("pixel", a.pixel, "sides of a pixel: 0.1, or 0.1,0.2");
  v.Text("er", a.er, "relative permittivity of the dielectric");
  v.Text("height", a.height, "height of the dielectric over ground");
  v.Real("tand", a.tand, {0, 0.999}, "its loss tangent");
  v.Real("sigma", a.sigma, {}, "the metal's S/m, copper 5.8e7 (0: perfect)");
  v.Real("thickness", a.thickness, {}, "of the metal, with --sigma");
  v.Real("roughness", a.roughness, {}, "rms roughness, with --sigma");
  v.Flag("invert", a.invert, "white pixels are metal, not black ones");
  v.Text("crop", a.crop, "keep only x0:x1,y0:y1");
  v.Flag("json", a.json, "answer in JSON");
}

}  // namespace assay::cli
