// Complex arithmetic without the library's test for infinities.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <complex>
#include <span>

namespace assay::planar {

inline double Times(double a, double b) { return a * b; }
inline std::complex<double> Times(std::complex<double> a,
                                  std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

inline double Norm(std::span<const std::complex<double>> x) {
  double sum = 0;
  for (const std::complex<double> value : x) sum += std::norm(value);
  return std::sqrt(sum);
}

}  // namespace assay::planar
