// Solve several systems of one large matrix side by side by GMRES.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "assay/base/parallel.h"

namespace assay::planar {

// w = A v for a block of columns of n each. v and w do not overlap.
using BlockProduct = std::function<void(
    size_t columns, const std::complex<double>* v, std::complex<double>* w)>;

struct GmresReport {
  int steps = 0;                 // of the column that took most
  size_t products = 0;           // all columns together
  std::vector<double> residual;  // ||b - A u|| by the recurrence, a column each
};

// One cycle of GMRES (Saad and Schultz 1986) from u = 0 for each column of b:
// until its residual is at most target[column], or `most_steps`. Columns share
// products, not Krylov spaces, and leave when they are done. Orthogonalised by
// classical Gram-Schmidt, a second time where the first took most of a vector.
// Bytes: 16 n for each step and column. The result depends on no thread count.
GmresReport Gmres(const Threads& threads, size_t n, size_t columns,
                  const BlockProduct& product, const std::complex<double>* b,
                  std::span<const double> target, int most_steps,
                  std::complex<double>* u);

}  // namespace assay::planar
