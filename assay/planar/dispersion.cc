// Closed forms of one microstrip: its static values and how they disperse.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/dispersion.h"

#include <cmath>

#include "assay/ops/green/images.h"

namespace assay::planar {

double StaticPermittivity(double er, double w_over_h) {
  const double u = w_over_h;
  const double fourth = std::pow(u, 4);
  const double a =
      1 + std::log((fourth + std::pow(u / 52, 2)) / (fourth + 0.432)) / 49 +
      std::log(1 + std::pow(u / 18.1, 3)) / 18.7;
  const double b = 0.564 * std::pow((er - 0.9) / (er + 3), 0.053);
  return (er + 1) / 2 + (er - 1) / 2 * std::pow(1 + 10 / u, -a * b);
}

double StaticImpedance(double er, double w_over_h) {
  const double u = w_over_h;
  const double f =
      6 + (2 * green::kPi - 6) * std::exp(-std::pow(30.666 / u, 0.7528));
  const double wave_impedance = std::sqrt(green::kMu0 / green::kEps0);
  return wave_impedance / (2 * green::kPi) *
         std::log(f / u + std::sqrt(1 + 4 / (u * u))) /
         std::sqrt(StaticPermittivity(er, u));
}

double DispersedPermittivity(double er, double w_over_h, double h, double hz,
                             double static_permittivity) {
  const double u = w_over_h;
  const double fn = hz * 1e-9 * h * 1e3;  // GHz mm
  const double p1 = 0.27488 +
                    (0.6315 + 0.525 / std::pow(1 + 0.0157 * fn, 20)) * u -
                    0.065683 * std::exp(-8.7513 * u);
  const double p2 = 0.33622 * (1 - std::exp(-0.03442 * er));
  const double p3 =
      0.0363 * std::exp(-4.6 * u) * (1 - std::exp(-std::pow(fn / 38.7, 4.97)));
  const double p4 = 1 + 2.751 * (1 - std::exp(-std::pow(er / 15.916, 8)));
  const double p = p1 * p2 * std::pow((0.1844 + p3 * p4) * fn, 1.5763);
  return er - (er - static_permittivity) / (1 + p);
}

}  // namespace assay::planar
