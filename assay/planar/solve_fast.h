// Solve a mesh at one frequency after the other without its dense matrix.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "assay/base/parallel.h"
#include "assay/planar/assemble.h"
#include "assay/planar/mesh.h"
#include "assay/planar/system.h"

namespace assay::planar {

struct FastOptions {
  double tolerance = 1e-8;  // of ||B - Z X|| / ||B|| for each port
  int restart = 100;        // most Krylov vectors a port
  int most_steps = 600;     // of one frequency, all cycles together
  double max_bytes = 1e18;
  // Without, the preconditioner is the nodal matrix alone: for comparison.
  bool inverse_shape = true;
};

// Bytes at the peak of a solve: spectra and rows, the nodal factor (estimated
// at 3 log2(cells) entries a cell), `restart` Krylov vectors a port, scratch.
double FastBytes(const Mesh& mesh, bool lossy_ground,
                 const FastOptions& options);

// The (current, charge) form of spec 11,
//   [ jwL + Zs G, D^T P; D, -jw ] [I; q] = [B V; 0],
// which does not break down at low frequencies. Products by FFT; GMRES with
// the right preconditioner M^-1 T^-1: M is the form with L and P replaced by
// their self terms, solved through its nodal Schur complement, and T the shape
// of the kernels against distance (FastOperator::ApplyInverseShape), which M
// lacks. M's second row is that of the form, so that charge is conserved to
// rounding and Krylov vectors hold currents only. Cycles start from true
// residuals; the last one also corrects the reported Y to second order.
// Solve fails with kInvalidInput where omega is not positive, kInternal where
// the tolerance is not met. `threads` outlives the system. Fails with
// kOverBudget where FastBytes is above options.max_bytes.
Result<std::unique_ptr<System>> MakeFastSystem(const Threads& threads,
                                               const Mesh& mesh,
                                               const AssembleOptions& assemble,
                                               const FastOptions& options);

}  // namespace assay::planar
