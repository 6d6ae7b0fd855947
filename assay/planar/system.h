// What a sweep asks of a linear system, dense or fast.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/unknowns.h"

namespace assay::planar {

// The real matrices of Z(w) = jw L + (Psi + j PsiLoss) / (jw) + Zs(w) G +
// Zground(w) (1/mu0) dL/dh.
enum class Part {
  kInductance,
  kPotential,
  kPotentialLoss,
  kResistance,
  kGroundResistance
};

// How one frequency was solved.
struct SolveReport {
  std::string method;         // "ldlt", "sytrf", "getrf", "gmres" ...
  double backward_error = 0;  // ||B - Z X|| / (||Z|| ||X|| + ||B||)
  int steps = 0;              // of refinement or iteration
  // Y by rows, symmetric, with an error near the square of the residual's.
  std::vector<std::complex<double>> y;
  // Greatest |Y_ab - Y_ba| before it was made symmetric, over greatest |Y_ab|.
  double asymmetry = 0;
  // Coulombs, cells x ports, where the solver has them apart from currents.
  std::vector<std::complex<double>> charges;
  std::vector<std::string> notes;  // each fallback and why
};

// Z(w) X = B for the ports' sources. All blocks are unknowns() x columns, by
// columns.
// Makes y (ports x ports, by rows) symmetric and returns how far it was from
// it: greatest |y_ab - y_ba| over greatest |y_ab|.
double MakeSymmetric(size_t ports, std::vector<std::complex<double>>& y);

class System {
 public:
  virtual ~System() = default;

  virtual size_t unknowns() const = 0;
  virtual size_t ports() const = 0;
  virtual std::span<const Source> sources() const = 0;
  virtual bool lossy_dielectric() const = 0;
  virtual bool lossy_metal() const = 0;
  virtual bool lossy_ground() const = 0;

  // Zs at omega, 0 without loss in the metal.
  virtual std::complex<double> surface_impedance(double omega) const = 0;
  // Of the ground, 0 without loss there.
  virtual std::complex<double> ground_impedance(double omega) const = 0;

  // y = part * x, real.
  virtual void Multiply(Part part, size_t columns, const double* x,
                        double* y) const = 0;

  // Solves for every port. `x` (unknowns() * ports()) holds a first guess, or
  // zeros, and then the currents at 1 V on one port and 0 V on the others.
  virtual Result<SolveReport> Solve(double omega,
                                    std::span<std::complex<double>> x) = 0;
};

}  // namespace assay::planar
