// Layouts that planar benches sweep, made in code.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "assay/planar/layout.h"

namespace assay::cli {

// A layout with its band and what others are known to have taken for it.
struct BenchCase {
  std::string name;
  std::string words;
  planar::Layout layout;
  double from_hz = 0, to_hz = 0;
  size_t points = 41;
  std::string published;
};

// Copper on 1.6 mm FR4 in pixels of 0.5 mm, a port on the west and one on the
// east side:
//   seed     a sheet of 39 x 28 pixels, 2157 unknowns as the seed's, 21 points
//   sheet    a full sheet of 76 x 76 pixels, 0.1 to 6 GHz
//   large    a full sheet of 224 x 224 pixels, 0.1 to 2 GHz
//   blocks   random blocks of 4 x 4 pixels on 320 x 320, 60 % metal, many
//            resonances, 0.1 to 3 GHz
std::vector<BenchCase> BenchCases();

// Full sheets from 1000 to 250 000 unknowns, 11 points from 0.1 to 1 GHz.
std::vector<BenchCase> GrowthCases();

}  // namespace assay::cli
