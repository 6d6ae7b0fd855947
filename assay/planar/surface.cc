// The impedance of a metal surface against frequency.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/surface.h"

#include <cmath>

#include "assay/ops/green/images.h"

namespace assay::planar {
namespace {

using Complex = std::complex<double>;

Complex Coth(Complex x) {
  if (x.real() > 20) return 1;
  if (std::abs(x) < 1e-4) return 1.0 / x + x / 3.0;
  return 1.0 / std::tanh(x);
}

}  // namespace

Complex SurfaceImpedance(const Conductor& conductor, double omega) {
  if (conductor.sigma == 0) return 0;
  const double delta = std::sqrt(2 / (omega * green::kMu0 * conductor.sigma));
  // Two faces share the metal: half the thickness and half the impedance.
  const double faces = conductor.two_sided ? 2 : 1;
  const Complex impedance =
      Complex(1, 1) / (faces * conductor.sigma * delta) *
      Coth(Complex(1, 1) * conductor.thickness / (faces * delta));
  const double ratio = conductor.roughness / delta;
  const double rough = 1 + 2 / green::kPi * std::atan(1.4 * ratio * ratio);
  return {impedance.real() * rough, impedance.imag()};
}

Complex GroundImpedance(const Conductor& conductor, double omega) {
  Conductor ground = conductor;
  ground.two_sided = false;
  ground.roughness = 0;
  return SurfaceImpedance(ground, omega);
}

}  // namespace assay::planar
