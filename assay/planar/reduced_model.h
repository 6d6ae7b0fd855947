// Stand for a large system by its projection on a few solutions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "assay/base/parallel.h"
#include "assay/planar/system.h"

namespace assay::planar {

// The reduced system at one frequency.
struct ReducedAnswer {
  std::vector<std::complex<double>> y;             // ports x ports, by rows
  std::vector<std::complex<double>> coefficients;  // basis() x ports
  // max over ports of ||B - Z X|| / ||B|| for X = V coefficients, of the whole
  // system.
  double residual = 0;
};

// A Galerkin model on a real basis V of the solutions' real and imaginary
// parts: it stays symmetric, and the error of Y is near the square of the
// residual (spec 10). Residuals come from a QR factor of
//   [w0 L V, Psi V / w0, (PsiLoss V / w0), (G V), B],
// which keeps the half of the digits that a Gram matrix would lose.
// Bytes: 8 n times (3 basis + ports), one basis more for each kind of loss; as
// many as Bytes says for the most vectors that it may hold.
class ReducedModel {
 public:
  // `omega0` scales L against Psi. `threads` and `system` outlive this.
  ReducedModel(const Threads& threads, const System& system, double omega0,
               size_t most_basis);

  // `parts` of the system's matrices are not zero (2 to 5).
  static double Bytes(size_t unknowns, size_t ports, size_t parts,
                      size_t most_basis);

  // Adds a solution (unknowns x ports). Directions already known to 1e-10, or
  // to the solution's own `accuracy`, are left out. One product of each part
  // with the new columns. Returns false, and adds nothing, where there may not
  // be room for its 2 ports vectors.
  bool Extend(std::span<const std::complex<double>> solution, double accuracy);

  size_t basis() const { return columns_; }

  // Solves the reduced system: basis^3 / 3 complex multiply-adds.
  // Precondition: basis() > 0.
  ReducedAnswer Evaluate(double omega) const;

  // V coefficients: the currents of the whole system.
  std::vector<std::complex<double>> Expand(const ReducedAnswer& answer) const;

 private:
  // The reduced matrix of one part and where its columns stand in R.
  struct Reduced {
    Part part;
    double scale;                // of its columns in R
    std::vector<double> matrix;  // basis x basis by rows of growing length
    std::vector<size_t> in_r;    // column of R of each basis vector
    double At(size_t i, size_t j) const {
      return i < j ? matrix[j * (j + 1) / 2 + i] : matrix[i * (i + 1) / 2 + j];
    }
  };

  size_t NewDirections(std::span<const std::complex<double>> solution,
                       double accuracy);
  size_t AppendToR(size_t columns, double* block);
  std::complex<double> Weight(const Reduced& reduced, double omega) const;

  const Threads& threads_;
  const System& system_;
  double omega0_;
  size_t n_;
  size_t most_basis_;
  size_t columns_ = 0;
  std::vector<double> v_;  // n x basis, orthonormal
  std::vector<Reduced> reduced_;
  std::vector<double> sources_;  // V^T B, basis x ports by rows
  std::vector<double> q_;        // n x (columns of Q), orthonormal
  size_t q_columns_ = 0;
  std::vector<std::vector<double>> r_;  // columns of R, of growing length
  std::vector<size_t> source_in_r_;
  std::vector<double> source_norms_;  // of B's columns
};

}  // namespace assay::planar
