// Test an answer by routines that share no products with the solvers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/mesh.h"
#include "assay/planar/network.h"
#include "assay/planar/options.h"

namespace assay::planar {

// One test of an answer: what was asked, what was found, and the bound.
struct Check {
  std::string name;    // "residual", "reciprocity", "passivity" ...
  std::string detail;  // "512 of 9000 rows at 3 of the frequencies"
  double value = 0;
  double bound = 0;
  bool passed = false;  // value <= bound
};

struct Verification {
  std::vector<Check> checks;
  bool passed() const {
    for (const Check& check : checks) {
      if (!check.passed) return false;
    }
    return true;
  }
};

// Currents at one frequency that are to satisfy Z X = B.
struct Sample {
  double hz = 0;
  // Unknowns x ports: 1 V on one port and 0 V on the others.
  std::vector<std::complex<double>> currents;
  // Cells x ports; empty: those that the currents bring, D I / (j omega).
  std::vector<std::complex<double>> charges;
  double promised = 0;  // the residual that was reported
};

// The residual ||B - Z X|| / ||B|| of samples by sums in double over scalar
// tables: no FFT, no BLAS, no threads; Green's tables, ports and vias are those
// of the solvers. Of large systems `rows` are drawn by a fixed seed, rows of
// ports and vias always among them, and stand for the rest. rows * (cells +
// edges) table entries a sample and port, and one table of the grid. Says the
// sample that is worst beside its bound: ten times what was promised, or 1e-9,
// and what rounding of the currents alone can do to their charges. A second
// check, "continuity", asks D I = j omega q of samples with charges.
Result<std::vector<Check>> CheckResiduals(const Mesh& mesh,
                                          const Options& options,
                                          std::span<const Sample> samples,
                                          size_t rows);

// Laws of S itself: no gain (1e-9), and, of a lossless layout, no loss (1e-9).
// Reciprocity is asked of the solutions, before Y is made symmetric.
std::vector<Check> CheckScattering(std::span<const PortMatrix> s,
                                   bool lossless);

}  // namespace assay::planar
