// Toeplitz products on a grid of pixels by the fast Fourier transform.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/parallel.h"
#include "assay/ops/toeplitz/lane_passes.h"
#include "assay/ops/toeplitz/toeplitz.h"

namespace assay::toeplitz {

// The least length from `least` on whose only prime factors are 2, 3 and 5.
int FastLength(int least);

// Some pixels of a grid in rising order, by rows.
class Points {
 public:
  Points() = default;
  Points(const Shape& shape, std::vector<uint32_t> at);

  size_t size() const { return at_.size(); }
  std::span<const uint32_t> at() const { return at_; }
  // The points of row i are first()[i] to first()[i + 1].
  const std::vector<size_t>& first() const { return first_; }

 private:
  std::vector<uint32_t> at_;
  std::vector<size_t> first_;
};

// Eigenvalues of a table's circulant, which are real: half of them, as the
// table is even in x. Rows are a little longer than the padded size.
using Spectrum = std::vector<double>;

// One product y = F^-1 diag(spectrum) F x over some points. With
// `spectrum_imag` the eigenvalues are complex. x and y may be the same.
struct Product {
  const Points* points = nullptr;
  const Spectrum* spectrum = nullptr;
  const Spectrum* spectrum_imag = nullptr;
  const std::complex<double>* x = nullptr;
  std::complex<double>* y = nullptr;
};

// Transforms of one padded length in each direction. With pad_x >= nx - 1 and
// pad_y >= ny - 1 the products of a table are exact to rounding; with less,
// pairs farther apart than the pad meet a neighbour's image. Spectra of one
// Convolution belong to it.
class Convolution {
 public:
  Convolution(const Shape& shape, int pad_x, int pad_y);

  const Shape& shape() const { return shape_; }
  // Padded sizes.
  size_t ax() const { return along_x_.n; }
  size_t ay() const { return along_y_.n; }

  double spectrum_bytes() const;
  double work_bytes() const;  // of one product while Apply runs

  // The spectrum of a table of shape nx * ny. Offsets beyond half the padded
  // size are taken from the shorter way round.
  Spectrum SpectrumOf(const Threads& threads,
                      std::span<const double> table) const;

  // All products at once. Each: nx + ay forward and as many backward
  // transforms, one a vector lane (rows without points are skipped), and
  // 16 nx ay bytes of scratch.
  void Apply(const Threads& threads, std::span<const Product> products) const;

 private:
  LaneGrid Grid() const;

  Shape shape_;
  FftPlan along_x_, along_y_;
};

}  // namespace assay::toeplitz
