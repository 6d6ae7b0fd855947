// Multiply complex numbers without the library's test for infinities.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>

namespace assay::planar {

inline std::complex<double> Times(std::complex<double> a,
                                  std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

}  // namespace assay::planar
