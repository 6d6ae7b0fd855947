// Test an answer by routines that share nothing with the solvers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace assay::planar {

// One test of an answer: what was asked, what was found, and the bound.
struct Check {
  std::string name;    // "residual", "reciprocity", "passivity" ...
  std::string detail;  // "row sums at 3 unsolved frequencies, 512 rows each"
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

}  // namespace assay::planar
