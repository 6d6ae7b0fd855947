// Multiply by a matrix that depends only on the distance of two pixels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstdint>
#include <span>

namespace assay::toeplitz {

// A grid of nx * ny pixels. Pixel (i, j) is number i * ny + j; entry
// i * ny + j of a table belongs to two pixels i and j apart, in either
// direction.
struct Shape {
  int nx = 1, ny = 1;
};

// y_k = sum over m of table(|i_k - i_m|, |j_k - j_m|) x_m for the pixels
// `at`: two-level symmetric Toeplitz, restricted to some pixels. Element by
// element, at.size()^2 multiply-adds: the meaning of the product.
void Multiply(const Shape& shape, std::span<const double> table,
              std::span<const uint32_t> at,
              std::span<const std::complex<double>> x,
              std::span<std::complex<double>> y);

}  // namespace assay::toeplitz
