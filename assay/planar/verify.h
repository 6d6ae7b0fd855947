// Test an answer by routines that share nothing with the solvers.
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
};

// The residual ||B - Z X|| / ||B|| of samples, the greatest of all, by sums in
// double over scalar tables: no FFT, no BLAS, no threads. Of large systems
// `rows` are drawn by a fixed seed, ports' rows always among them, and stand
// for the rest. rows * (cells + edges) table entries a sample and port.
// `tolerance` is what the sweep promised; ten times that fails.
Result<Check> CheckResiduals(const Mesh& mesh, const Options& options,
                             std::span<const Sample> samples, size_t rows);

// Laws of S itself: symmetric (1e-12), no gain (1e-9), and, of a lossless
// layout, no loss (1e-9).
std::vector<Check> CheckScattering(std::span<const PortMatrix> s,
                                   bool lossless);

}  // namespace assay::planar
