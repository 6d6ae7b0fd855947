// What a sweep asks of a linear system, dense or fast.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/system.h"

#include <algorithm>

namespace assay::planar {

double MakeSymmetric(size_t ports, std::vector<std::complex<double>>& y) {
  double apart = 0, most = 0;
  for (const std::complex<double> value : y) {
    most = std::max(most, std::abs(value));
  }
  for (size_t a = 0; a < ports; ++a) {
    for (size_t b = 0; b < a; ++b) {
      std::complex<double>& upper = y[b * ports + a];
      std::complex<double>& lower = y[a * ports + b];
      apart = std::max(apart, std::abs(upper - lower));
      upper = lower = (upper + lower) / 2.0;
    }
  }
  return most > 0 ? apart / most : 0;
}

}  // namespace assay::planar
