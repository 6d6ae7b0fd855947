// Shows a one-port as resistance, inductance, capacitance and quality.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "assay/planar/simulate.h"
#include "cli/plot_axis.h"

namespace assay::cli {

// R + jX at one frequency. A figure that is not there is not a number: L
// below zero reactance, C above it, all but R at 0 Hz, R and X of an open.
struct PortFigures {
  double resistance, reactance, inductance, capacitance;
  double quality;  // infinite without loss
};
PortFigures OnePortAt(planar::Complex y, double hz);

// A frequency where the reactance changes its sign.
struct Resonance {
  double hz = 0;
  bool parallel = false;  // the impedance is high, not low
};

// Between neighbouring frequencies, interpolated in the quantity that passes
// through zero there: X, or the susceptance of a parallel one. Precondition:
// one port.
std::vector<Resonance> Resonances(const planar::Answer& answer);

// Resonances, plots over frequency, and a table of some frequencies, as HTML.
std::string OnePortHtml(const planar::Answer& answer,
                        const FrequencyAxis& axis);

}  // namespace assay::cli
