// Coefficients of potential and inductances of a grid of pixels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "assay/ops/green/images.h"

namespace assay::green {

struct Grid {
  int nx = 1, ny = 1;     // pixels
  double dx = 1, dy = 1;  // metres
};

// Entry i * ny + j belongs to two pixels, or two currents of one direction,
// i and j pixels apart: the grid is invariant under shifts (spec 4).
struct Tables {
  Grid grid;
  std::vector<double> p;       // 1/F: potential of a unit charge
  std::vector<double> p_imag;  // its imaginary part, empty without loss
  std::vector<double> lxx;     // H: between currents along x
  std::vector<double> lyy;
  // (1/mu0) dL/dh: squares of ground that two currents share, for its loss by
  // the incremental-inductance rule (spec 6). Empty unless asked for.
  std::vector<double> gxx;
  std::vector<double> gyy;

  size_t At(int i, int j) const {
    return static_cast<size_t>(i) * static_cast<size_t>(grid.ny) +
           static_cast<size_t>(j);
  }
};

// What the tables are made from.
struct Kernel {
  Series scalar;
  Series vector;
  FarForm form = FarForm::kMultipole;
};

// Tables of the right size, all zero. Bytes: 24 nx ny, 8 more with dielectric
// loss, 16 more with `ground` loss.
Tables EmptyTables(const Grid& grid, bool lossy, bool ground = false);

// Fills the entries with `begin` <= i < `end`. Ranges may be filled in any
// order and at the same time. One Average of each series an entry, four more
// means with ground loss.
void FillTables(const Kernel& kernel, int begin, int end, Tables& tables);

// A rectangle of horizontal current: sides along and across the current.
struct CurrentCell {
  double x = 0, y = 0;  // centre
  double along = 0, across = 0;
};

// The inductance of two parallel currents that fill their cells evenly: along
// x with `along_x`, along y without (spec 4, unequal rectangles included).
double MutualInductance(const Kernel& kernel, const CurrentCell& a,
                        const CurrentCell& b, bool along_x);

// Two upright sheets between ground and height h, in parallel planes.
struct SheetPair {
  double width1 = 0, width2 = 0;
  double lateral = 0;     // offset of their middles within the planes
  double separation = 0;  // of the planes; 0: the same plane
};

// The inductance of currents that rise evenly in both sheets, the ground's
// image (of the same direction) included: spec 7.
double SheetInductance(const SheetPair& pair, double h,
                       FarForm form = FarForm::kMultipole);

// The same of two upright filaments `distance` apart; of one wire where
// `distance` is its radius. Precondition: distance > 0.
double FilamentInductance(double distance, double h);

}  // namespace assay::green
