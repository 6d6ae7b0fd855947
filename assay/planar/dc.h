// Solve a mesh at zero frequency, where only resistance is left.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/mesh.h"
#include "assay/planar/network.h"

namespace assay::planar {

// What stands for the surface resistance of a perfect conductor at DC, ohms a
// square: Y has no limit there, but S has, and it is met to 1e-7.
inline constexpr double kPerfectOhms = 1e-6;

// The answer at DC: no charge moves and no flux drives.
struct DcAnswer {
  std::vector<std::complex<double>> y;  // ports x ports by rows, real
  // Unknowns x ports: currents at 1 V on one port and 0 V on the others.
  std::vector<std::complex<double>> currents;
  double asymmetry = 0;  // as SolveReport's
  // Greatest current that stays in a cell, over the greatest that flows.
  double unbalance = 0;
};

// The limit of spec 2 as omega goes to 0: R I + D^T phi = B V, D I = 0, with
// squares of the metal's 1/(sigma t) in R, barrels of vias included. Islands
// carry no current. One sparse factor of as many rows as cells, which works as
// NodalFactor does. Precondition: the mesh is numbered. Fails with kInternal
// where the nodal matrix can not be factored.
Result<DcAnswer> SolveDc(const Mesh& mesh);

// S at DC of a layout without losses, freed of what kPerfectOhms and rounding
// left: the limit is real, symmetric and orthogonal, and this is the nearest
// such matrix (Newton-Schulz). Precondition: `s` is near to it.
PortMatrix LosslessLimit(const PortMatrix& s);

}  // namespace assay::planar
