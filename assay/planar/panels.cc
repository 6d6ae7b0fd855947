// Store a symmetric matrix as the panels of its lower triangle.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/panels.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <new>

#include "assay/planar/complex.h"

namespace assay::planar {
namespace {

constexpr size_t kRowChunk = 256;

// Columns 0 to n of the square at `a`, which is small. Only the lower
// triangle is read and written.
template <class T>
void FactorSmall(size_t n, T* a, size_t ld) {
  for (size_t k = 0; k < n; ++k) {
    const T inverse = T(1) / a[k * ld + k];
    for (size_t j = k + 1; j < n; ++j) {
      const T factor = Times(a[k * ld + j], inverse);
      for (size_t i = j; i < n; ++i) {
        a[j * ld + i] -= Times(a[k * ld + i], factor);
      }
    }
    for (size_t i = k + 1; i < n; ++i) {
      a[k * ld + i] = Times(a[k * ld + i], inverse);
    }
  }
}

// Divides column c of rows x n by the pivot of column c.
template <class T>
void DivideByPivots(size_t rows, size_t n, const T* diagonal, size_t ldd, T* a,
                    size_t ld) {
  for (size_t c = 0; c < n; ++c) {
    const T inverse = T(1) / diagonal[c * ldd + c];
    for (size_t i = 0; i < rows; ++i) {
      a[c * ld + i] = Times(a[c * ld + i], inverse);
    }
  }
}

// The square on the diagonal, by halves. `scratch` holds n^2 / 4 elements.
template <class T>
void FactorSquare(size_t n, T* a, size_t ld, T* scratch) {
  if (n <= 24) {
    FactorSmall(n, a, ld);
    return;
  }
  const size_t half = n / 2, rest = n - half;
  FactorSquare(half, a, ld, scratch);
  T* below = a + half;
  SolveRightTransposed(rest, half, a, ld, below, ld);
  for (size_t c = 0; c < half; ++c) {
    std::copy_n(below + c * ld, rest, scratch + c * rest);
  }
  DivideByPivots(rest, half, a, ld, below, ld);
  Gemm(Op::kPlain, Op::kTransposed, rest, rest, half, T(-1), scratch, rest,
       below, ld, a + half * ld + half, ld);
  FactorSquare(rest, a + half * ld + half, ld, scratch);
}

template <class T>
bool Factor(const Threads& threads, Panels<T>& a) {
  constexpr size_t kPanel = Panels<T>::kPanel;
  const BlasThreads one(1);
  const std::unique_ptr<T[]> pivoted(new (std::nothrow)
                                         T[(a.size() + kPanel) * kPanel]);
  if (!pivoted) return false;
  for (size_t k = 0; k < a.count(); ++k) {
    const size_t width = a.width(k), rows = a.rows(k);
    T* panel = a.at(k);
    // D L^T of the earlier panels at this panel's rows: the right factors.
    threads.For(k, 1, [&](size_t begin, size_t end) {
      for (size_t e = begin; e < end; ++e) {
        T* right = pivoted.get() + e * kPanel * kPanel;
        const T* earlier = a.at(e);
        const size_t ld = a.rows(e), offset = a.first(k) - a.first(e);
        for (size_t c = 0; c < kPanel; ++c) {
          const T pivot = earlier[c * ld + c];
          for (size_t i = 0; i < width; ++i) {
            right[c * width + i] = Times(earlier[c * ld + offset + i], pivot);
          }
        }
      }
    });
    // A chunk of rows stays in cache while all earlier panels pass.
    threads.For(rows, kRowChunk, [&](size_t begin, size_t end) {
      for (size_t row = begin; row < end; row += kRowChunk) {
        const size_t chunk = std::min(kRowChunk, end - row);
        for (size_t e = 0; e < k; ++e) {
          Gemm(Op::kPlain, Op::kTransposed, chunk, width, kPanel, T(-1),
               a.at(e) + a.first(k) - a.first(e) + row, a.rows(e),
               pivoted.get() + e * kPanel * kPanel, width, panel + row, rows);
        }
      }
    });
    FactorSquare(width, panel, rows, pivoted.get());
    threads.For(rows - width, kRowChunk, [&](size_t begin, size_t end) {
      T* below = panel + width + begin;
      SolveRightTransposed(end - begin, width, panel, rows, below, rows);
      DivideByPivots(end - begin, width, panel, rows, below, rows);
    });
  }
  return true;
}

template <class T>
void SolveFactored(const Panels<T>& a, size_t columns, T* x) {
  const size_t n = a.size();
  for (size_t k = 0; k < a.count(); ++k) {
    const size_t width = a.width(k), rows = a.rows(k);
    T* here = x + a.first(k);
    SolveLeft(Op::kPlain, width, columns, a.at(k), rows, here, n);
    Gemm(Op::kPlain, Op::kPlain, rows - width, columns, width, T(-1),
         a.at(k) + width, rows, here, n, here + width, n);
  }
  for (size_t k = a.count(); k-- > 0;) {
    const size_t width = a.width(k), rows = a.rows(k);
    T* here = x + a.first(k);
    for (size_t c = 0; c < columns; ++c) {
      for (size_t i = 0; i < width; ++i) {
        here[c * n + i] /= a.at(k)[i * rows + i];
      }
    }
    Gemm(Op::kTransposed, Op::kPlain, width, columns, rows - width, T(-1),
         a.at(k) + width, rows, here + width, n, here, n);
    SolveLeft(Op::kTransposed, width, columns, a.at(k), rows, here, n);
  }
}

template <class T>
Range RangeOfDiagonal(const Panels<T>& a) {
  Range range{std::numeric_limits<double>::infinity(), 0};
  for (size_t i = 0; i < a.size(); ++i) {
    const double magnitude = std::abs(a(i, i));
    // NaN must not hide: !(x >= least) holds for it.
    if (!(magnitude >= range.least)) range.least = magnitude;
    if (!(magnitude <= range.greatest)) range.greatest = magnitude;
  }
  return range;
}

}  // namespace

void Multiply(const Panels<double>& a, size_t columns, const double* x,
              double* y) {
  const size_t n = a.size();
  std::fill_n(y, n * columns, 0.0);
  for (size_t k = 0; k < a.count(); ++k) {
    const size_t width = a.width(k), rows = a.rows(k), first = a.first(k);
    Gemm(Op::kPlain, Op::kPlain, rows, columns, width, 1.0, a.at(k), rows,
         x + first, n, y + first, n);
    Gemm(Op::kTransposed, Op::kPlain, width, columns, rows - width, 1.0,
         a.at(k) + width, rows, x + first + width, n, y + first, n);
  }
}

bool FactorLdlt(const Threads& threads, Panels<double>& a) {
  return Factor(threads, a);
}
bool FactorLdlt(const Threads& threads, Panels<Complex>& a) {
  return Factor(threads, a);
}
void SolveLdlt(const Panels<double>& a, size_t columns, double* x) {
  SolveFactored(a, columns, x);
}
void SolveLdlt(const Panels<Complex>& a, size_t columns, Complex* x) {
  SolveFactored(a, columns, x);
}
Range DiagonalRange(const Panels<double>& a) { return RangeOfDiagonal(a); }
Range DiagonalRange(const Panels<Complex>& a) { return RangeOfDiagonal(a); }

}  // namespace assay::planar
