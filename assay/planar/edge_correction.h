// Correct the self terms of cells at the metal's edge.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <vector>

#include "assay/planar/mesh.h"

namespace assay::planar {

// What is added to the diagonals of P (a cell each) and L (an edge each).
struct EdgeCorrection {
  std::vector<std::complex<double>> potential;
  std::vector<double> inductance;
};

// Uniform pulses miss the singularity of charge and current at an edge. With
// D_n the pixel's size normal to an exposed side, D_t along it, and
//   c = 0.2319 / (1 + 0.588 (D_n/h)^1.224)
// (spec 5, fitted over er 1 to 10.2, w/h 0.5 to 10):
//   P_ii -= c / (2 pi eps0 (1+er)/2 D_t) for each exposed side,
//   L_ee -= s/2 c mu0 len/(2 pi) for a current parallel to the side, s the
//   number of its two pixels that are exposed there.
// A side through which a port enters is not exposed.
EdgeCorrection CorrectEdges(const Mesh& mesh);

}  // namespace assay::planar
