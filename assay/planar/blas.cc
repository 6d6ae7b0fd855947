// Name the routines of BLAS and LAPACK that the dense solver calls.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/blas.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

extern "C" {
using assay_complex = std::complex<double>;
void dgemm_(const char*, const char*, const int*, const int*, const int*,
            const double*, const double*, const int*, const double*, const int*,
            const double*, double*, const int*);
void zgemm_(const char*, const char*, const int*, const int*, const int*,
            const assay_complex*, const assay_complex*, const int*,
            const assay_complex*, const int*, const assay_complex*,
            assay_complex*, const int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*,
            const int*, const double*, const double*, const int*, double*,
            const int*);
void ztrsm_(const char*, const char*, const char*, const char*, const int*,
            const int*, const assay_complex*, const assay_complex*, const int*,
            assay_complex*, const int*);
void zsytrf_(const char*, const int*, assay_complex*, const int*, int*,
             assay_complex*, const int*, int*);
void zsytrs_(const char*, const int*, const int*, const assay_complex*,
             const int*, const int*, assay_complex*, const int*, int*);
void zgetrf_(const int*, const int*, assay_complex*, const int*, int*, int*);
void zgetrs_(const char*, const int*, const int*, const assay_complex*,
             const int*, const int*, assay_complex*, const int*, int*);
void openblas_set_num_threads(int);
int openblas_get_num_threads(void);
char* openblas_get_corename(void);
}

namespace assay::planar {
namespace {

// BLAS counts in int; unknowns are below 2^31 long before memory suffices.
int I(size_t n) { return static_cast<int>(n); }
char C(Op op) { return static_cast<char>(op); }

}  // namespace

void Gemm(Op a_op, Op b_op, size_t m, size_t n, size_t k, double alpha,
          const double* a, size_t lda, const double* b, size_t ldb, double* c,
          size_t ldc) {
  if (m == 0 || n == 0 || k == 0) return;
  const char ca = C(a_op), cb = C(b_op);
  const int im = I(m), in = I(n), ik = I(k), ia = I(lda), ib = I(ldb),
            ic = I(ldc);
  const double one = 1;
  dgemm_(&ca, &cb, &im, &in, &ik, &alpha, a, &ia, b, &ib, &one, c, &ic);
}

void Gemm(Op a_op, Op b_op, size_t m, size_t n, size_t k, Complex alpha,
          const Complex* a, size_t lda, const Complex* b, size_t ldb,
          Complex* c, size_t ldc) {
  if (m == 0 || n == 0 || k == 0) return;
  const char ca = C(a_op), cb = C(b_op);
  const int im = I(m), in = I(n), ik = I(k), ia = I(lda), ib = I(ldb),
            ic = I(ldc);
  const Complex one = 1;
  zgemm_(&ca, &cb, &im, &in, &ik, &alpha, a, &ia, b, &ib, &one, c, &ic);
}

void SolveLeft(Op op, size_t n, size_t columns, const double* l, size_t ldl,
               double* b, size_t ldb) {
  if (n == 0 || columns == 0) return;
  const char co = C(op);
  const int in = I(n), ic = I(columns), il = I(ldl), ib = I(ldb);
  const double one = 1;
  dtrsm_("L", "L", &co, "U", &in, &ic, &one, l, &il, b, &ib);
}

void SolveLeft(Op op, size_t n, size_t columns, const Complex* l, size_t ldl,
               Complex* b, size_t ldb) {
  if (n == 0 || columns == 0) return;
  const char co = C(op);
  const int in = I(n), ic = I(columns), il = I(ldl), ib = I(ldb);
  const Complex one = 1;
  ztrsm_("L", "L", &co, "U", &in, &ic, &one, l, &il, b, &ib);
}

void SolveRightTransposed(size_t rows, size_t n, const double* l, size_t ldl,
                          double* b, size_t ldb) {
  if (n == 0 || rows == 0) return;
  const int ir = I(rows), in = I(n), il = I(ldl), ib = I(ldb);
  const double one = 1;
  dtrsm_("R", "L", "T", "U", &ir, &in, &one, l, &il, b, &ib);
}

void SolveRightTransposed(size_t rows, size_t n, const Complex* l, size_t ldl,
                          Complex* b, size_t ldb) {
  if (n == 0 || rows == 0) return;
  const int ir = I(rows), in = I(n), il = I(ldl), ib = I(ldb);
  const Complex one = 1;
  ztrsm_("R", "L", "T", "U", &ir, &in, &one, l, &il, b, &ib);
}

PivotedFactor::PivotedFactor(Pivoting pivoting, size_t n, Complex* a)
    : pivoting_(pivoting), n_(n), a_(a), pivots_(n) {
  const int in = I(n);
  int info = 0;
  if (pivoting == Pivoting::kRows) {
    zgetrf_(&in, &in, a, &in, pivots_.data(), &info);
  } else {
    Complex best;
    int length = -1;
    zsytrf_("L", &in, a, &in, pivots_.data(), &best, &length, &info);
    length = std::max(1, static_cast<int>(best.real()));
    std::vector<Complex> work(static_cast<size_t>(length));
    zsytrf_("L", &in, a, &in, pivots_.data(), work.data(), &length, &info);
  }
  ok_ = info == 0;
}

void PivotedFactor::Solve(size_t columns, Complex* x) const {
  const int in = I(n_), ic = I(columns);
  int info = 0;
  if (pivoting_ == Pivoting::kRows) {
    zgetrs_("N", &in, &ic, a_, &in, pivots_.data(), x, &in, &info);
  } else {
    zsytrs_("L", &in, &ic, a_, &in, pivots_.data(), x, &in, &info);
  }
}

std::string BlasKernels() { return openblas_get_corename(); }

Status CheckBlasRoom(int threads) {
  // Its buffers have 128 MiB each, of which only what is used becomes memory.
  constexpr size_t kBufferBytes = size_t{129} << 20;
  std::vector<void*> buffers;
  bool room = true;
  for (int i = 0; i <= threads && room; ++i) {
    buffers.push_back(std::malloc(kBufferBytes));
    room = buffers.back() != nullptr;
  }
  for (void* buffer : buffers) std::free(buffer);
  if (room) return {};
  return Error{
      Code::kOverBudget,
      fmt::format("OpenBLAS needs {} MiB of address space for {} "
                  "threads, and there is less",
                  (kBufferBytes >> 20) * (static_cast<size_t>(threads) + 1),
                  threads),
      "fewer --threads, or a higher limit (ulimit -v)"};
}

BlasThreads::BlasThreads(int threads) : before_(openblas_get_num_threads()) {
  openblas_set_num_threads(threads);
}
BlasThreads::~BlasThreads() { openblas_set_num_threads(before_); }

}  // namespace assay::planar
