// Multiply by a matrix that depends only on the distance of two pixels.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/toeplitz/toeplitz.h"

#include <cstddef>
#include <cstdlib>

namespace assay::toeplitz {

void Multiply(const Shape& shape, std::span<const double> table,
              std::span<const uint32_t> at,
              std::span<const std::complex<double>> x,
              std::span<std::complex<double>> y) {
  const auto ny = static_cast<uint32_t>(shape.ny);
  for (size_t k = 0; k < at.size(); ++k) {
    const int i = static_cast<int>(at[k] / ny),
              j = static_cast<int>(at[k] % ny);
    std::complex<double> sum = 0;
    for (size_t m = 0; m < at.size(); ++m) {
      const int di = std::abs(i - static_cast<int>(at[m] / ny));
      const int dj = std::abs(j - static_cast<int>(at[m] % ny));
      sum +=
          table[static_cast<size_t>(di) * ny + static_cast<size_t>(dj)] * x[m];
    }
    y[k] = sum;
  }
}

}  // namespace assay::toeplitz
