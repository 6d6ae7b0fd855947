// Simulate a layout: from what was drawn to S-parameters that were tested.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/base/parallel.h"
#include "assay/base/progress.h"
#include "assay/base/result.h"
#include "assay/planar/fields.h"
#include "assay/planar/layout.h"
#include "assay/planar/network.h"
#include "assay/planar/options.h"
#include "assay/planar/rasterise.h"
#include "assay/planar/sweep.h"
#include "assay/planar/verify.h"

namespace assay::planar {

// Seconds and bytes of a sweep.
struct Costs {
  double assemble_s = 0;  // tables, matrices or spectra
  double solve_s = 0;     // exact solutions
  double reduce_s = 0;    // the reduced model
  double verify_s = 0;
  double planned_bytes = 0;  // stated before the first allocation
  size_t basis = 0;          // of the reduced model
};

// The answer of a sweep with the tests that it passed or failed.
struct Answer {
  Raster raster;  // the mesh, how far edges moved, warnings of the drawing
  Solver solver = Solver::kFast;  // what was used, never kAuto
  std::vector<double> hz;         // rising; 0 is DC
  std::vector<double> z0;         // ohms, a port each
  std::vector<PortMatrix> y, s;   // one a frequency
  std::vector<double> residual;   // of the reduced model; 0 at DC
  std::vector<ExactPoint> exact;  // in the order of solving
  std::optional<MeasuredError> measured;
  std::vector<std::string> warnings;  // of validity, of fallbacks
  Verification verification;
  std::vector<Field> fields;  // with Options::fields: ports x kept frequencies
  Costs costs;
};

// The frequencies of a sweep, which rise.
Result<std::vector<double>> LinearFrequencies(double from_hz, double to_hz,
                                              size_t points);
Result<std::vector<double>> LogFrequencies(double from_hz, double to_hz,
                                           size_t points);

// Rasterises, picks a solver, sweeps, and verifies. `hz` rises; its first may
// be 0: the resistive limit (dc.h). `field_at` are indices into `hz` whose
// fields are kept. Peak: Costs::planned_bytes, at most options.memory_bytes.
// Fails with kInvalidInput (layout, frequencies, options), kOverBudget,
// kCancelled, or kInternal where no method solved a frequency. BLAS's thread
// count is the process's: sweeps follow each other.
Result<Answer> Simulate(const Threads& threads, const Layout& layout,
                        std::span<const double> hz, const Options& options,
                        std::span<const size_t> field_at = {},
                        const Progress* progress = nullptr);

}  // namespace assay::planar
