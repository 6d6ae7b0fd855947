// Transforms of a grid, one a vector lane: the three walks of a convolution.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::toeplitz {

// How a transform of n = product of radices goes: Stockham's form (Van Loan
// 1992, section 1.7), which ends in natural order.
struct FftPlan {
  struct Stage {
    size_t radix = 0;
    size_t groups = 0;    // m: n of this stage over the radix
    size_t stride = 0;    // s: product of the radices before
    size_t twiddles = 0;  // first of groups * (radix - 1) pairs re, im
  };
  size_t n = 1;
  std::vector<Stage> stages;
  std::vector<double> twiddles;

  // Precondition: n has only the prime factors 2, 3 and 5.
  explicit FftPlan(size_t n);
};

// What one product's passes read and write.
struct LaneProduct {
  const uint32_t* at = nullptr;   // pixels i * ny + j, rising
  const size_t* first = nullptr;  // points of row i: first[i] to first[i + 1]
  const std::complex<double>* x = nullptr;
  std::complex<double>* y = nullptr;
  // Eigenvalues by rows of `spectrum_stride`, ax / 2 + 1 rows; null: real.
  const double* spectrum = nullptr;
  const double* spectrum_imag = nullptr;
  double* work = nullptr;  // WorkSize doubles
};

struct LaneGrid {
  size_t nx = 1, ny = 1, ax = 1, ay = 1;
  const FftPlan* along_x = nullptr;
  const FftPlan* along_y = nullptr;
  size_t spectrum_stride = 0;  // at least ay and kMostLanes more
};

inline constexpr size_t kMostLanes = 32;

// Lanes of the machine's vectors: rows and columns go in blocks of as many.
size_t Lanes();
size_t RowBlocks(const LaneGrid& grid);
size_t ColumnBlocks(const LaneGrid& grid);
size_t WorkSize(const LaneGrid& grid);

// Lanes() transforms at once: element k of lane l is at k * Lanes() + l.
void TransformLanes(const FftPlan& plan, std::vector<double>& re,
                    std::vector<double>& im);

// Points into rows, transformed along y. Blocks may go in any order.
void ForwardRows(const LaneGrid& grid, const LaneProduct& product,
                 size_t block);
// Each column forth, times its eigenvalues, and back.
void FilterColumns(const LaneGrid& grid, const LaneProduct& product,
                   size_t block);
// Rows back, and points out of them.
void BackwardRows(const LaneGrid& grid, const LaneProduct& product,
                  size_t block);

}  // namespace assay::toeplitz
