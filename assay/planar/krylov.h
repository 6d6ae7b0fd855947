// Sums over long complex vectors on vector lanes, for GMRES.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>

namespace assay::planar {

// sums[j] = sum over [begin, end) of conj(v[j][i]) w[i] for `count` vectors.
// Reads each vector once.
void ConjugateDots(const std::complex<double>* const* v, size_t count,
                   const std::complex<double>* w, size_t begin, size_t end,
                   std::complex<double>* sums);

// w[i] -= sum of h[j] v[j][i] over [begin, end). Reads each vector once.
void SubtractCombination(const std::complex<double>* const* v, size_t count,
                         const std::complex<double>* h, std::complex<double>* w,
                         size_t begin, size_t end);

}  // namespace assay::planar
