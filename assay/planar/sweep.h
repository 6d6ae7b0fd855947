// Sweep frequencies with few exact solutions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "assay/base/parallel.h"
#include "assay/base/progress.h"
#include "assay/base/result.h"
#include "assay/planar/reduced_model.h"
#include "assay/planar/system.h"

namespace assay::planar {

struct SweepOptions {
  double tolerance = 1e-3;  // of the residual at every frequency
  bool adaptive = true;     // false: every frequency is solved exactly
  std::vector<double> z0;   // ohms, of the measured error; empty: 50 each
  // Vectors that the model may hold. Frequencies that need more are solved
  // exactly, one by one, and Y is the solution's there.
  size_t most_basis = SIZE_MAX;
};

// An exactly solved frequency.
struct ExactPoint {
  size_t index = 0;  // into the frequencies
  SolveReport report;
};

// What the exact solution of a frequency that the model had not seen said of
// the model: the greatest change of an S-parameter.
struct MeasuredError {
  size_t index = 0;
  double s_error = 0;
};

struct SweepResult {
  // For each frequency: Y by rows, and the relative residual of its currents
  // (the backward error where the sweep is not adaptive).
  std::vector<std::vector<std::complex<double>>> y;
  std::vector<double> residual;
  std::vector<ExactPoint> exact;  // in the order of solving
  // The first two exact solutions and the last one, to be tested.
  struct Kept {
    size_t index = 0;
    std::vector<std::complex<double>> currents;  // unknowns x ports
    std::vector<std::complex<double>> charges;   // cells x ports, or empty
  };
  std::vector<Kept> kept;
  double solve_s = 0;  // seconds in exact solutions
  // Absent where every frequency was solved exactly.
  std::optional<MeasuredError> measured;
  std::unique_ptr<ReducedModel> model;  // uses the system; adaptive only

  bool IsExact(size_t index) const;
};

// Spec 10: exact solutions at both ends, then where the reduced model's
// residual is greatest, until it is below the tolerance everywhere, then one
// more in the middle of the largest gap, as a measurement. Where that says more
// than the tolerance, the search goes on. Y is then the solution's where there
// is one, and else the model's, which is symmetric too.
// Fails with kInvalidInput where `hz` is empty, not positive, or does not
// grow, kCancelled where `progress` said so, or as the system's Solve.
Result<SweepResult> Sweep(const Threads& threads, System& system,
                          std::span<const double> hz,
                          const SweepOptions& options,
                          const Progress* progress = nullptr);

// Greatest difference of an S-parameter between two Y (ports x ports, by
// rows), for real reference impedances.
double ScatteringDistance(std::span<const std::complex<double>> y1,
                          std::span<const std::complex<double>> y2,
                          std::span<const double> z0);

}  // namespace assay::planar
