// Name the routines of BLAS and LAPACK that the dense solver calls.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

#include "assay/base/result.h"

// Matrices are stored by columns, `ld` elements apart. The only room that
// knows Fortran symbols. Native builds only.
namespace assay::planar {

using Complex = std::complex<double>;

enum class Op : char { kPlain = 'N', kTransposed = 'T' };

// C += alpha op(A) op(B), C of m x n, the inner size k.
void Gemm(Op a_op, Op b_op, size_t m, size_t n, size_t k, double alpha,
          const double* a, size_t lda, const double* b, size_t ldb, double* c,
          size_t ldc);
void Gemm(Op a_op, Op b_op, size_t m, size_t n, size_t k, Complex alpha,
          const Complex* a, size_t lda, const Complex* b, size_t ldb,
          Complex* c, size_t ldc);

// B = op(L)^-1 B for the unit lower triangle of L (n x n), B of n x columns.
void SolveLeft(Op op, size_t n, size_t columns, const double* l, size_t ldl,
               double* b, size_t ldb);
void SolveLeft(Op op, size_t n, size_t columns, const Complex* l, size_t ldl,
               Complex* b, size_t ldb);

// B = B L^-T for the unit lower triangle of L (n x n), B of rows x n.
void SolveRightTransposed(size_t rows, size_t n, const double* l, size_t ldl,
                          double* b, size_t ldb);
void SolveRightTransposed(size_t rows, size_t n, const Complex* l, size_t ldl,
                          Complex* b, size_t ldb);

// Factors a symmetric complex matrix by Bunch and Kaufman's pivots, or any by
// rows' pivots, and keeps what Solve needs. The matrix is overwritten.
enum class Pivoting { kBunchKaufman, kRows };
class PivotedFactor {
 public:
  // `a` is n x n by columns, for kBunchKaufman only the lower triangle is
  // read, and outlives this. ok() is false where the matrix is singular.
  PivotedFactor(Pivoting pivoting, size_t n, Complex* a);
  PivotedFactor(const PivotedFactor&) = delete;
  PivotedFactor& operator=(const PivotedFactor&) = delete;

  bool ok() const { return ok_; }
  // x = A^-1 x, x of n x columns.
  void Solve(size_t columns, Complex* x) const;

 private:
  Pivoting pivoting_;
  size_t n_;
  Complex* a_;
  std::vector<int> pivots_;
  bool ok_ = false;
};

// The processor whose kernels OpenBLAS chose, e.g. "SkylakeX". "Prescott" on a
// newer processor says that it was not recognised and that all products run at
// a fifth of their speed; the variable OPENBLAS_CORETYPE then names another.
std::string BlasKernels();

// Whether the address space has room for what OpenBLAS takes for each of
// `threads` callers. Without it the library would wait for ever for memory that
// does not come. Fails with kOverBudget.
Status CheckBlasRoom(int threads);

// While it lives, BLAS uses `threads` threads: 1 where our own threads call it.
class BlasThreads {
 public:
  explicit BlasThreads(int threads);
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;
  BlasThreads& operator=(const BlasThreads&) = delete;

 private:
  int before_;
};

}  // namespace assay::planar
