// Choose a solver for a mesh and state its peak of memory beforehand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/mesh.h"
#include "assay/planar/options.h"
#include "assay/planar/solve_fast.h"

namespace assay::planar {

// Below as many unknowns the dense solver is the faster one (docs/results.md).
inline constexpr size_t kCrossOver = 150;
// Below it the dense form loses its digits: cond(Z) grows as 1/f^2 (spec 9).
inline constexpr double kDenseLeastHz = 50e6;
// Below it answers hold for S, but small capacitances lose their digits.
inline constexpr double kLeastHz = 1e3;
// Basis vectors, a port, below which the reduced model is of little use.
inline constexpr size_t kLeastBasis = 12;

struct Plan {
  Solver solver = Solver::kFast;  // never kAuto
  FastOptions fast;
  size_t most_basis = 0;    // vectors that the reduced model may hold
  double peak_bytes = 0;    // of the process with all of them
  double budget_bytes = 0;  // what the solver may take
  std::vector<std::string> notes;
};

// `fields`: frequencies whose currents and charges are kept.
// Fails with kOverBudget where no solver that `options` allow fits; the hint
// then says what would.
Result<Plan> MakePlan(const Mesh& mesh, const Options& options,
                      size_t frequencies, double lowest_hz, size_t fields,
                      uint64_t available_bytes);

}  // namespace assay::planar
