// Port parameters of one frequency: Y to S and Z, figures of one-ports.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "assay/base/result.h"

namespace assay::planar {

using Complex = std::complex<double>;

// A small square matrix, row by row.
struct PortMatrix {
  size_t ports = 0;
  std::vector<Complex> values;

  explicit PortMatrix(size_t count = 0) : ports(count), values(count * count) {}
  Complex& operator()(size_t i, size_t j) { return values[i * ports + j]; }
  const Complex& operator()(size_t i, size_t j) const {
    return values[i * ports + j];
  }
  bool operator==(const PortMatrix&) const = default;
};

// Power waves with real reference impedances, one a port, in ohms:
// S = F (1 - Zr Y)(1 + Zr Y)^-1 F^-1, F = diag(1 / (2 sqrt(Zr))). A passive
// network has |S_ij| <= 1 for unequal ones too, and a symmetric Y gives a
// symmetric S. O(ports^3). Fails with kInvalidInput for impedances that are
// not positive, with kInternal where 1 + Zr Y has no inverse.
Result<PortMatrix> SFromY(const PortMatrix& y, std::span<const double> z0);

// The inverse of SFromY. Fails with kInvalidInput where Y does not exist (an
// ideal open has one, an ideal short has none).
Result<PortMatrix> YFromS(const PortMatrix& s, std::span<const double> z0);

// Y^-1. Fails with kInvalidInput where Y is singular: a series element
// between floating ports has no Z.
Result<PortMatrix> ZFromY(const PortMatrix& y);

// A one-port seen as R + jX: R and Q, and the L or C that X is at this
// frequency (the other is 0).
struct OnePort {
  double resistance = 0;   // ohms
  double inductance = 0;   // henries
  double capacitance = 0;  // farads
  double quality = 0;      // |X| / R, infinite without loss
};

// Precondition: frequency_hz > 0, y != 0.
OnePort OnePortFigures(Complex y, double frequency_hz);

// S with port i's reference plane moved by a line whose gamma * length is
// shift[i]: S_ij e^(shift_i + shift_j). Positive lengths move the planes into
// the network. z0 stays: the lines are taken as matched to it.
PortMatrix ShiftPlanes(const PortMatrix& s, std::span<const Complex> shift);

// What a check of a passive reciprocal network asks.
struct NetworkHealth {
  double asymmetry = 0;  // greatest |S_ij - S_ji|
  // The greatest eigenvalue of S^H S less 1: at most rounding if passive.
  double gain = 0;
};
NetworkHealth HealthOf(const PortMatrix& s);

}  // namespace assay::planar
