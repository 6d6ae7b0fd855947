// Solve the dense system at one frequency after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "assay/base/parallel.h"
#include "assay/planar/assemble.h"
#include "assay/planar/system.h"

namespace assay::planar {

struct DenseOptions {
  double max_bytes = 1e18;
  // The first method tried: for comparison, a later one may be asked for.
  enum class First { kLdlt, kBunchKaufman, kRows } first = First::kLdlt;
  // A backward error above it makes the next method be tried.
  double tolerance = 1e-10;
};

// Bytes at the peak: matrices, Z(w) factored in place, a panel. 16 n^2; 12 n^2
// without any loss, where Z(w) / j is real; 4 n^2 more each with a lossy
// dielectric and a lossy ground. A
// fallback stores all of Z(w) instead: 8 n^2 more (12 n^2 without loss).
double DenseBytes(size_t unknowns, bool lossy_metal, bool lossy_dielectric,
                  bool lossy_ground);

// The system of the matrices. A solve builds Z(w), factors it without pivots
// (LDL^T; n^3 / 3 multiply-adds, real ones without loss), and measures the
// backward error, after at most 2 steps of refinement. Where that is above the
// tolerance it goes on to zsytrf and then to zgetrf, and says so in the
// report's notes. Solve fails with kInvalidInput where omega is not positive,
// kOverBudget where memory is short, kInternal where no method served.
// `threads` outlives the system. Fails with kOverBudget where DenseBytes is
// above options.max_bytes.
Result<std::unique_ptr<System>> MakeDenseSystem(const Threads& threads,
                                                DenseMatrices matrices,
                                                const DenseOptions& options);

}  // namespace assay::planar
