// Factor the sparse nodal matrix of a mesh's currents.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "assay/planar/unknowns.h"

namespace assay::planar {

// S = D diag(y) D^T + diag(shunt): the admittances between cells, and from
// cells to ground, of a network whose branches are the currents. Complex and
// symmetric, not Hermitian. Five entries a row but for ports and vias. Ordered
// by approximate minimum degree; factored as L D L^T without pivots: about
// n log n entries and n^1.5 operations for n cells of a full sheet.
//
// A piece of metal without a way to ground (an island) keeps its charge. S
// says so only through the shunt, which drowns in rounding at low frequencies.
// Each island is therefore grounded at one cell for the factor's sake, and
// Solve puts back what that changed by asking that its charges sum to zero.
class NodalFactor {
 public:
  // Orders and analyses once: the pattern is that of every later Factor.
  NodalFactor(size_t cells, std::span<const Ends> ends);
  ~NodalFactor();
  NodalFactor(const NodalFactor&) = delete;
  NodalFactor& operator=(const NodalFactor&) = delete;

  // `y`: one a current; `shunt`: of every cell. Returns false where a pivot
  // vanished or was not finite.
  bool Factor(std::span<const std::complex<double>> y,
              std::complex<double> shunt);

  // x = S^-1 b for one column, b and x of sum zero on each island. May run at
  // the same time as others.
  void Solve(const std::complex<double>* b, std::complex<double>* x) const;

  // Takes each island's mean away from its cells.
  void Neutralise(std::complex<double>* x) const;

  size_t entries() const;  // of L
  size_t bytes() const;    // of the factor and its matrix

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::planar
