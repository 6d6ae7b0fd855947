// Toeplitz products on a grid of pixels by the fast Fourier transform.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/toeplitz/toeplitz_fft.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace assay::toeplitz {
namespace {

constexpr double kPi = 3.14159265358979323846;

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

FftPlan::FftPlan(size_t size) : n(size) {
  size_t rest = size, stride = 1;
  for (const size_t radix : {5, 3, 4, 2}) {
    while (rest % radix == 0) {
      rest /= radix;
      stages.push_back({radix, rest, stride, twiddles.size()});
      stride *= radix;
      for (size_t p = 0; p < rest; ++p) {
        for (size_t k = 1; k < radix; ++k) {
          const double angle = -2 * kPi * static_cast<double>(p * k) /
                               static_cast<double>(rest * radix);
          twiddles.push_back(std::cos(angle));
          twiddles.push_back(std::sin(angle));
        }
      }
    }
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
      along_x_(static_cast<size_t>(FastLength(shape.nx + pad_x))),
      along_y_(static_cast<size_t>(FastLength(shape.ny + pad_y))) {}

LaneGrid Convolution::Grid() const {
  return {static_cast<size_t>(shape_.nx),
          static_cast<size_t>(shape_.ny),
          along_x_.n,
          along_y_.n,
          &along_x_,
          &along_y_,
          along_y_.n + kMostLanes};
}

double Convolution::spectrum_bytes() const {
  const LaneGrid grid = Grid();
  return 8.0 * static_cast<double>(grid.ax / 2 + 1) *
         static_cast<double>(grid.spectrum_stride);
}

double Convolution::work_bytes() const {
  return 8.0 * static_cast<double>(WorkSize(Grid()));
}

Spectrum Convolution::SpectrumOf(const Threads& threads,
                                 std::span<const double> table) const {
  const LaneGrid grid = Grid();
  const size_t lanes = Lanes(), half = grid.ax / 2 + 1;
  // Rows first: those of the half that are not zero. Columns then, of which
  // the other half would be the same.
  const size_t rows = std::min(half, grid.nx), hy = grid.ay / 2 + 1;
  std::vector<double> made(rows * hy);
  threads.For((rows + lanes - 1) / lanes, 1, [&](size_t begin, size_t end) {
    std::vector<double> re(grid.ay * lanes), im(re.size());
    for (size_t b = begin; b < end; ++b) {
      const size_t width = std::min(lanes, rows - b * lanes);
      std::fill(im.begin(), im.end(), 0.0);
      for (size_t j = 0; j < grid.ay; ++j) {
        const size_t m = Mirror(j, grid.ay);
        for (size_t l = 0; l < width; ++l) {
          re[j * lanes + l] =
              m < grid.ny ? table[(b * lanes + l) * grid.ny + m] : 0;
        }
      }
      TransformLanes(along_y_, re, im);
      for (size_t l = 0; l < width; ++l) {
        for (size_t j = 0; j < hy; ++j) {
          made[(b * lanes + l) * hy + j] = re[j * lanes + l];
        }
      }
    }
  });
  Spectrum spectrum(half * grid.spectrum_stride);
  threads.For((hy + lanes - 1) / lanes, 1, [&](size_t begin, size_t end) {
    std::vector<double> re(grid.ax * lanes), im(re.size());
    for (size_t b = begin; b < end; ++b) {
      const size_t width = std::min(lanes, hy - b * lanes);
      std::fill(im.begin(), im.end(), 0.0);
      for (size_t i = 0; i < grid.ax; ++i) {
        const size_t m = Mirror(i, grid.ax);
        for (size_t l = 0; l < width; ++l) {
          re[i * lanes + l] = m < rows ? made[m * hy + b * lanes + l] : 0;
        }
      }
      TransformLanes(along_x_, re, im);
      for (size_t i = 0; i < half; ++i) {
        for (size_t l = 0; l < width; ++l) {
          const size_t j = b * lanes + l;
          double* row = &spectrum[i * grid.spectrum_stride];
          row[j] = row[(grid.ay - j) % grid.ay] = re[i * lanes + l];
        }
      }
    }
  });
  return spectrum;
}

void Convolution::Apply(const Threads& threads,
                        std::span<const Product> products) const {
  const LaneGrid grid = Grid();
  const size_t size = WorkSize(grid);
  const std::unique_ptr<double[]> work(new double[products.size() * size]);
  std::vector<LaneProduct> lanes;
  for (const Product& product : products) {
    lanes.push_back(
        {product.points->at().data(), product.points->first().data(), product.x,
         product.y, product.spectrum->data(),
         product.spectrum_imag ? product.spectrum_imag->data() : nullptr,
         work.get() + lanes.size() * size});
  }
  const size_t rows = RowBlocks(grid), columns = ColumnBlocks(grid);
  const auto walk = [&](size_t blocks, auto pass) {
    threads.For(lanes.size() * blocks, 1, [&](size_t begin, size_t end) {
      for (size_t task = begin; task < end; ++task) {
        pass(grid, lanes[task / blocks], task % blocks);
      }
    });
  };
  walk(rows, ForwardRows);
  walk(columns, FilterColumns);
  walk(rows, BackwardRows);
}

}  // namespace assay::toeplitz
