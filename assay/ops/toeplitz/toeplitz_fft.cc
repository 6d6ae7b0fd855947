// Toeplitz products on a grid of pixels by the fast Fourier transform.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/toeplitz/toeplitz_fft.h"

#include <unsupported/Eigen/FFT>

#include <algorithm>
#include <memory>

namespace assay::toeplitz {
namespace {

using Complex = std::complex<double>;

// Columns that are gathered together: a cache line of each row.
constexpr size_t kColumns = 4;

// A transform keeps its plans and is not shared between threads.
Eigen::FFT<double>& Transform() {
  thread_local Eigen::FFT<double> fft = [] {
    Eigen::FFT<double> made;
    made.SetFlag(Eigen::FFT<double>::Unscaled);
    return made;
  }();
  return fft;
}

// Where frequency k of n stands in a half that is even about n / 2.
size_t Mirror(size_t k, size_t n) { return std::min(k, n - k); }

}  // namespace

int FastLength(int least) {
  for (int n = std::max(least, 1);; ++n) {
    int rest = n;
    for (const int p : {2, 3, 5}) {
      while (rest % p == 0) rest /= p;
    }
    if (rest == 1) return n;
  }
}

Points::Points(const Shape& shape, std::vector<uint32_t> at)
    : at_(std::move(at)) {
  first_.reserve(static_cast<size_t>(shape.nx) + 1);
  for (int i = 0; i <= shape.nx; ++i) {
    const auto row = static_cast<uint64_t>(i) * static_cast<uint64_t>(shape.ny);
    first_.push_back(static_cast<size_t>(
        std::lower_bound(at_.begin(), at_.end(), row) - at_.begin()));
  }
}

Convolution::Convolution(const Shape& shape, int pad_x, int pad_y)
    : shape_(shape),
      ax_(FastLength(shape.nx + pad_x)),
      ay_(FastLength(shape.ny + pad_y)) {}

Spectrum Convolution::SpectrumOf(const Threads& threads,
                                 std::span<const double> table) const {
  const auto ax = static_cast<size_t>(ax_), ay = static_cast<size_t>(ay_);
  const auto nx = static_cast<size_t>(shape_.nx);
  const auto ny = static_cast<size_t>(shape_.ny);
  const size_t hx = ax / 2 + 1, hy = ay / 2 + 1;
  // Rows first, and of them only what the mirrored half needs.
  std::vector<double> rows(std::min(hx, nx) * hy);
  threads.For(std::min(hx, nx), 4, [&](size_t begin, size_t end) {
    std::vector<Complex> in(ay), out(ay);
    for (size_t i = begin; i < end; ++i) {
      for (size_t j = 0; j < ay; ++j) {
        const size_t m = Mirror(j, ay);
        in[j] = m < ny ? table[i * ny + m] : 0.0;
      }
      Transform().fwd(out.data(), in.data(), static_cast<int>(ay));
      for (size_t j = 0; j < hy; ++j) rows[i * hy + j] = out[j].real();
    }
  });
  Spectrum spectrum(hx * hy);
  threads.For(hy, 4, [&](size_t begin, size_t end) {
    std::vector<Complex> in(ax), out(ax);
    for (size_t j = begin; j < end; ++j) {
      for (size_t i = 0; i < ax; ++i) {
        const size_t m = Mirror(i, ax);
        in[i] = m < nx ? rows[m * hy + j] : 0.0;
      }
      Transform().fwd(out.data(), in.data(), static_cast<int>(ax));
      for (size_t i = 0; i < hx; ++i) spectrum[i * hy + j] = out[i].real();
    }
  });
  return spectrum;
}

void Convolution::Apply(const Threads& threads,
                        std::span<const Product> products) const {
  const auto ax = static_cast<size_t>(ax_), ay = static_cast<size_t>(ay_);
  const auto nx = static_cast<size_t>(shape_.nx);
  const auto ny = static_cast<uint32_t>(shape_.ny);
  const size_t hy = ay / 2 + 1;
  // Undefined where a row has no points.
  const std::unique_ptr<Complex[]> work(new Complex[products.size() * nx * ay]);

  threads.For(products.size() * nx, 8, [&](size_t begin, size_t end) {
    std::vector<Complex> in(ay);
    for (size_t task = begin; task < end; ++task) {
      const Product& product = products[task / nx];
      const int i = static_cast<int>(task % nx);
      const size_t first = product.points->first(i);
      const size_t last = product.points->first(i + 1);
      if (first == last) continue;
      std::fill(in.begin(), in.end(), Complex(0));
      const auto row = static_cast<uint32_t>(i) * ny;
      for (size_t k = first; k < last; ++k) {
        in[product.points->at()[k] - row] = product.x[k];
      }
      Transform().fwd(&work[task * ay], in.data(), static_cast<int>(ay));
    }
  });

  const size_t blocks = (ay + kColumns - 1) / kColumns;
  threads.For(products.size() * blocks, 2, [&](size_t begin, size_t end) {
    std::vector<Complex> in(kColumns * ax), out(ax);
    for (size_t task = begin; task < end; ++task) {
      const Product& product = products[task / blocks];
      Complex* grid = &work[task / blocks * nx * ay];
      const size_t c0 = task % blocks * kColumns;
      const size_t width = std::min(kColumns, ay - c0);
      for (size_t i = 0; i < nx; ++i) {
        const bool empty = product.points->first(static_cast<int>(i)) ==
                           product.points->first(static_cast<int>(i) + 1);
        for (size_t c = 0; c < width; ++c) {
          in[c * ax + i] = empty ? Complex(0) : grid[i * ay + c0 + c];
        }
      }
      for (size_t c = 0; c < width; ++c) {
        Complex* column = &in[c * ax];
        std::fill(column + nx, column + ax, Complex(0));
        Transform().fwd(out.data(), column, static_cast<int>(ax));
        const size_t at = Mirror(c0 + c, ay);
        const double* real = product.spectrum->data() + at;
        if (product.spectrum_imag) {
          const double* imag = product.spectrum_imag->data() + at;
          for (size_t i = 0; i < ax; ++i) {
            // By hand: the library's product tests for infinities.
            const size_t m = Mirror(i, ax) * hy;
            const double a = out[i].real(), b = out[i].imag();
            out[i] = {a * real[m] - b * imag[m], a * imag[m] + b * real[m]};
          }
        } else {
          for (size_t i = 0; i < ax; ++i) out[i] *= real[Mirror(i, ax) * hy];
        }
        Transform().inv(column, out.data(), static_cast<int>(ax));
      }
      for (size_t i = 0; i < nx; ++i) {
        for (size_t c = 0; c < width; ++c) {
          grid[i * ay + c0 + c] = in[c * ax + i];
        }
      }
    }
  });

  const double scale =
      1.0 / (static_cast<double>(ax) * static_cast<double>(ay));
  threads.For(products.size() * nx, 8, [&](size_t begin, size_t end) {
    std::vector<Complex> out(ay);
    for (size_t task = begin; task < end; ++task) {
      const Product& product = products[task / nx];
      const int i = static_cast<int>(task % nx);
      const size_t first = product.points->first(i);
      const size_t last = product.points->first(i + 1);
      if (first == last) continue;
      Transform().inv(out.data(), &work[task * ay], static_cast<int>(ay));
      const auto row = static_cast<uint32_t>(i) * ny;
      for (size_t k = first; k < last; ++k) {
        product.y[k] = scale * out[product.points->at()[k] - row];
      }
    }
  });
}

}  // namespace assay::toeplitz
