// The impedance of a metal surface against frequency.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>

#include "assay/planar/mesh.h"

namespace assay::planar {

// Ohms a square at angular frequency `omega` > 0 (spec 6): with the skin depth
// delta = sqrt(2 / (omega mu0 sigma)) and thickness t,
//   one-sided (1+j)/(sigma delta) coth((1+j) t/delta),
//   two-sided (1+j)/(2 sigma delta) coth((1+j) t/(2 delta)).
// Both tend to 1/(sigma t) at low frequencies. Roughness Rq multiplies the
// real part by 1 + 2/pi atan(1.4 (Rq/delta)^2) (Hammerstad). 0 for a perfect
// conductor.
std::complex<double> SurfaceImpedance(const Conductor& conductor, double omega);

// The same for a ground of the metal's conductivity and thickness, smooth and
// with current on its upper face alone.
std::complex<double> GroundImpedance(const Conductor& conductor, double omega);

}  // namespace assay::planar
