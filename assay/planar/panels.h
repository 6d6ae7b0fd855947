// Store a symmetric matrix as the panels of its lower triangle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <vector>

#include "assay/base/parallel.h"
#include "assay/planar/blas.h"

namespace assay::planar {

// Panel k holds columns k * kPanel to (k+1) * kPanel and all rows from the
// first of these columns on, by columns. Its square on the diagonal is kept in
// full. About n^2 / 2 + n * kPanel / 2 elements.
template <class T>
class Panels {
 public:
  static constexpr size_t kPanel = 256;

  Panels() = default;
  // All elements undefined. ok() is false where memory is short.
  explicit Panels(size_t n) : n_(n) {
    starts_.push_back(0);
    for (size_t first = 0; first < n; first += kPanel) {
      starts_.push_back(starts_.back() +
                        (n - first) * std::min(kPanel, n - first));
    }
    data_.reset(new (std::nothrow) T[starts_.back()]);
  }

  static double Bytes(size_t n) {
    const auto rows = static_cast<double>(n);
    return sizeof(T) * (rows * rows + rows * kPanel) / 2;
  }

  bool ok() const { return n_ == 0 || data_ != nullptr; }
  size_t size() const { return n_; }
  size_t count() const { return starts_.empty() ? 0 : starts_.size() - 1; }

  // Of panel k: its first row and column, its width and its rows; element
  // (row, column) counted from the first ones is at(k)[column * rows + row].
  size_t first(size_t k) const { return k * kPanel; }
  size_t width(size_t k) const { return std::min(kPanel, n_ - first(k)); }
  size_t rows(size_t k) const { return n_ - first(k); }
  T* at(size_t k) { return data_.get() + starts_[k]; }
  const T* at(size_t k) const { return data_.get() + starts_[k]; }

  // Element (i, j), from either triangle.
  T operator()(size_t i, size_t j) const {
    if (i < j) std::swap(i, j);
    const size_t k = j / kPanel;
    return at(k)[(j - first(k)) * rows(k) + i - first(k)];
  }

  // Adds to elements (i, j) and (j, i).
  void Add(size_t i, size_t j, T value) {
    if (i < j) std::swap(i, j);
    const size_t k = j / kPanel;
    T* panel = at(k);
    const size_t row = i - first(k), column = j - first(k);
    panel[column * rows(k) + row] += value;
    if (row < width(k) && row != column) {
      panel[row * rows(k) + column] += value;
    }
  }

 private:
  size_t n_ = 0;
  std::vector<size_t> starts_;
  std::unique_ptr<T[]> data_;
};

// y = A x for x and y of n x columns. n^2 columns multiply-adds.
void Multiply(const Panels<double>& a, size_t columns, const double* x,
              double* y);

// Factors A = L D L^T in place without pivots: D on the diagonal, the unit L
// below. n^3 / 3 multiply-adds, by matrix products of our threads over rows,
// panel by panel (left-looking). Allocates n * kPanel elements beside.
// Returns false where memory is short.
bool FactorLdlt(const Threads& threads, Panels<double>& a);
bool FactorLdlt(const Threads& threads, Panels<Complex>& a);

// x = A^-1 x from the factors, x of n x columns.
void SolveLdlt(const Panels<double>& a, size_t columns, double* x);
void SolveLdlt(const Panels<Complex>& a, size_t columns, Complex* x);

// The greatest and least magnitude on the diagonal: of D once factored.
struct Range {
  double least = 0;
  double greatest = 0;
};
Range DiagonalRange(const Panels<double>& a);
Range DiagonalRange(const Panels<Complex>& a);

}  // namespace assay::planar
