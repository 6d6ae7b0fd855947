// Closed forms of one microstrip: its static values and how they disperse.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace assay::planar {

// A strip of no thickness on a dielectric. Preconditions of all functions:
// er >= 1, w_over_h > 0.

// The effective permittivity at low frequencies, within 0.2 % for er <= 128
// and 0.01 <= w/h <= 100 (Hammerstad & Jensen, "Accurate models for microstrip
// computer-aided design", IEEE MTT-S Digest 1980, equations 3 to 5).
double StaticPermittivity(double er, double w_over_h);

// The characteristic impedance in ohms at low frequencies; without dielectric
// within 0.01 % for w/h <= 1 and 0.03 % for w/h <= 1000 (equations 1 and 2).
double StaticImpedance(double er, double w_over_h);

// The effective permittivity at frequency `hz` on a substrate of `h` metres,
// within 0.6 % for er <= 20, 0.1 <= w/h <= 100, h/lambda0 <= 0.13 (Kirschning
// & Jansen, "Accurate model for effective dielectric constant of microstrip
// with validity up to millimetre-wave frequencies", Electronics Letters 18,
// 1982, p. 272). Rises from `static_permittivity` towards er.
double DispersedPermittivity(double er, double w_over_h, double h, double hz,
                             double static_permittivity);

}  // namespace assay::planar
