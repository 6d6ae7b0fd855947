// Multiply by a mesh's inductances and potentials without their matrices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "assay/base/parallel.h"
#include "assay/base/result.h"
#include "assay/ops/toeplitz/toeplitz_fft.h"
#include "assay/planar/assemble.h"
#include "assay/planar/mesh.h"
#include "assay/planar/unknowns.h"

namespace assay::planar {

// The parts of the (current, charge) form (spec 11): between pixels L and P
// are Toeplitz and go through the FFT; edge corrections are diagonals; ports'
// half cells and upright currents are dense rows and a small dense block.
// Blocks are by columns. Everything is exact to rounding.
class FastOperator {
 public:
  // Tables, spectra and rows: about 100 bytes a pixel, 8 bytes an edge for
  // each current of an edge port, and while it is made 24 to 32 bytes a pixel
  // more. Fails as MakeTables. `threads` and `mesh` outlive this.
  static Result<FastOperator> Make(const Threads& threads, const Mesh& mesh,
                                   const AssembleOptions& options);

  size_t currents() const { return ends_.size(); }
  size_t cells() const { return cells_.size(); }
  bool lossy_dielectric() const { return !p_imag_.empty(); }
  bool lossy_ground() const { return !gx_.empty(); }
  const std::vector<Ends>& ends() const { return ends_; }
  // Diagonals: of L (henry), of P (1/farad), and squares of metal (G).
  const std::vector<double>& self_inductance() const { return self_; }
  std::complex<double> self_potential() const { return p0_; }
  const std::vector<double>& squares() const { return squares_; }

  // From now on Apply's L is L + weight (1/mu0) dL/dh, between edges: with
  // weight Zground / (j omega) the ground's loss costs no further transform.
  // No product may run meanwhile.
  void SetGround(Complex weight);

  // flux = L currents and potential = P charges, both at once: `columns`
  // blocks of currents() and cells(). Either pair may be null.
  void Apply(size_t columns, const Complex* currents, Complex* flux,
             const Complex* charges, Complex* potential) const;

  // flux = L currents, or (1/mu0) dL/dh currents, whatever SetGround said.
  void ApplyInductancePart(bool ground, size_t columns, const Complex* currents,
                           Complex* flux) const;

  // P's real or imaginary part alone.
  void ApplyPotentialPart(bool imaginary, size_t columns,
                          const Complex* charges, Complex* potential) const;

  // charge = D current: what enters each cell.
  void Collect(const Complex* currents, Complex* cells) const;
  // y += weight D^T potential.
  void AddDrop(Complex weight, const Complex* potential, Complex* y) const;

  // y = T^-1 x for a block of currents, with T the potential's shape against
  // distance, P / p0, near pixels only, as if all metal were a full sheet; the
  // currents of ports and vias are kept. L has nearly the same shape. x and y
  // may be the same. See solve_fast.h.
  void ApplyInverseShape(size_t columns, const Complex* x, Complex* y) const;

  size_t bytes() const;

 private:
  FastOperator(const Threads& threads, const Mesh& mesh);
  void MakeRows(const Mesh& mesh, const green::Kernel& kernel, bool sheets);
  void MakeShape(const green::Tables& tables);
  void AddRows(const Complex* currents, Complex* flux) const;
  void FinishFlux(size_t columns, const Complex* currents, Complex* flux) const;

  const Threads* threads_;
  toeplitz::Shape shape_;
  size_t x_edges_ = 0, edges_ = 0;
  std::vector<Ends> ends_;
  toeplitz::Points x_points_, y_points_, cells_;
  toeplitz::Convolution convolution_;
  toeplitz::Spectrum lx_, ly_, p_, p_imag_, gx_, gy_;
  // With a lossy ground: L of the frequency that SetGround spoke of.
  toeplitz::Spectrum lx_now_, ly_now_, lx_now_imag_, ly_now_imag_;
  std::vector<double> self_, squares_;
  Complex p0_ = 1;
  std::vector<double> l_correction_;   // of edges; empty without
  std::vector<Complex> p_correction_;  // of cells; empty without
  // Rows of L from upright currents to edges of one direction.
  struct Row {
    size_t current = 0;      // its number
    size_t first = 0;        // of the edges
    std::vector<double> to;  // edges from `first` on
  };
  std::vector<Row> rows_;
  std::vector<double> uprights_;  // symmetric, by rows
  toeplitz::Convolution near_;
  toeplitz::Spectrum inverse_shape_;
};

}  // namespace assay::planar
