// Small dense algebra with partial pivoting, for a handful of ports.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/network.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace assay::planar {
namespace {

// Below this share of the greatest entry a pivot of rounded data is zero.
constexpr double kRounding = 1e-14;

PortMatrix Identity(size_t ports) {
  PortMatrix one(ports);
  for (size_t i = 0; i < ports; ++i) one(i, i) = 1;
  return one;
}

// Solves a x = b with partial pivoting. False where a pivot is at most
// `smallest` of the greatest entry.
bool Solve(PortMatrix a, PortMatrix& b, double smallest) {
  const size_t n = a.ports;
  double scale = 0;
  for (const Complex& value : a.values) {
    scale = std::max(scale, std::abs(value));
  }
  if (!(scale > 0) || !std::isfinite(scale)) return n == 0;
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; ++i) {
      if (std::abs(a(i, k)) > std::abs(a(pivot, k))) pivot = i;
    }
    if (!(std::abs(a(pivot, k)) > smallest * scale)) return false;
    for (size_t j = 0; j < n; ++j) {
      std::swap(a(k, j), a(pivot, j));
      std::swap(b(k, j), b(pivot, j));
    }
    for (size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const Complex factor = a(i, k) / a(k, k);
      for (size_t j = k; j < n; ++j) a(i, j) -= factor * a(k, j);
      for (size_t j = 0; j < n; ++j) b(i, j) -= factor * b(k, j);
    }
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) b(i, j) /= a(i, i);
  }
  return true;
}

Status CheckImpedances(size_t ports, std::span<const double> z0) {
  if (z0.size() != ports) {
    return Error{
        Code::kInvalidInput,
        fmt::format("{} reference impedances for {} ports", z0.size(), ports),
        "one impedance a port"};
  }
  for (size_t i = 0; i < ports; ++i) {
    if (z0[i] > 0 && std::isfinite(z0[i])) continue;
    return Error{Code::kInvalidInput,
                 fmt::format("the reference impedance of port {} is {} ohms",
                             i + 1, z0[i]),
                 "a real impedance above zero"};
  }
  return {};
}

// sqrt(Zr) Y sqrt(Zr): the admittances per unit of each port's own.
PortMatrix Normalised(const PortMatrix& y, std::span<const double> z0) {
  PortMatrix out(y.ports);
  for (size_t i = 0; i < y.ports; ++i) {
    for (size_t j = 0; j < y.ports; ++j) {
      out(i, j) = y(i, j) * std::sqrt(z0[i] * z0[j]);
    }
  }
  return out;
}

// (1 - a)(1 + a)^-1, which is its own inverse. The factors commute.
bool Cayley(const PortMatrix& a, PortMatrix& out, double smallest) {
  PortMatrix plus = Identity(a.ports);
  out = Identity(a.ports);
  for (size_t i = 0; i < a.values.size(); ++i) {
    plus.values[i] += a.values[i];
    out.values[i] -= a.values[i];
  }
  return Solve(plus, out, smallest);
}

}  // namespace

Result<PortMatrix> SFromY(const PortMatrix& y, std::span<const double> z0) {
  ASSAY_TRY(CheckImpedances(y.ports, z0));
  // F (1 - Zr Y)(1 + Zr Y)^-1 F^-1 is the Cayley map of sqrt(Zr) Y sqrt(Zr).
  // Near DC admittances are large without being singular.
  PortMatrix s;
  if (!Cayley(Normalised(y, z0), s, 0)) {
    return Error{Code::kInternal, "the admittances have no S-parameters",
                 "1 + Zr Y is singular: the network is not passive"};
  }
  // Near DC the inverse costs digits. A symmetric Y need not lose symmetry.
  bool symmetric = true;
  for (size_t i = 0; i < y.ports; ++i) {
    for (size_t j = 0; j < i; ++j) symmetric &= y(i, j) == y(j, i);
  }
  for (size_t i = 0; i < y.ports && symmetric; ++i) {
    for (size_t j = 0; j < i; ++j)
      s(i, j) = s(j, i) = (s(i, j) + s(j, i)) / 2.0;
  }
  return s;
}

Result<PortMatrix> YFromS(const PortMatrix& s, std::span<const double> z0) {
  ASSAY_TRY(CheckImpedances(s.ports, z0));
  PortMatrix normalised;
  if (!Cayley(s, normalised, kRounding)) {
    return Error{Code::kInvalidInput, "the S-parameters have no admittances",
                 "1 + S is singular: some ports are shorted"};
  }
  for (size_t i = 0; i < s.ports; ++i) {
    for (size_t j = 0; j < s.ports; ++j) {
      normalised(i, j) /= std::sqrt(z0[i] * z0[j]);
    }
  }
  return normalised;
}

Result<PortMatrix> ZFromY(const PortMatrix& y) {
  PortMatrix z = Identity(y.ports);
  if (!Solve(y, z, kRounding)) {
    return Error{Code::kInvalidInput, "the admittances have no impedances",
                 "Y is singular: no current returns through ground"};
  }
  return z;
}

OnePort OnePortFigures(Complex y, double frequency_hz) {
  const Complex z = 1.0 / y;
  const double omega = 2 * std::numbers::pi * frequency_hz;
  OnePort figures;
  figures.resistance = z.real();
  if (z.imag() >= 0) {
    figures.inductance = z.imag() / omega;
  } else {
    figures.capacitance = -1 / (omega * z.imag());
  }
  figures.quality = z.real() == 0 ? std::numeric_limits<double>::infinity()
                                  : std::abs(z.imag()) / z.real();
  return figures;
}

PortMatrix ShiftPlanes(const PortMatrix& s, std::span<const Complex> shift) {
  PortMatrix out(s.ports);
  for (size_t i = 0; i < s.ports; ++i) {
    for (size_t j = 0; j < s.ports; ++j) {
      out(i, j) = s(i, j) * std::exp(shift[i] + shift[j]);
    }
  }
  return out;
}

NetworkHealth HealthOf(const PortMatrix& s) {
  const size_t n = s.ports;
  NetworkHealth health;
  PortMatrix power(n);  // S^H S
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      health.asymmetry =
          std::max(health.asymmetry, std::abs(s(i, j) - s(j, i)));
      for (size_t k = 0; k < n; ++k) {
        power(i, j) += std::conj(s(k, i)) * s(k, j);
      }
    }
  }
  // Jacobi rotations: a Hermitian matrix of a few ports needs a few sweeps.
  for (int sweep = 0; sweep < 60; ++sweep) {
    double off = 0;
    for (size_t p = 0; p < n; ++p) {
      for (size_t q = p + 1; q < n; ++q) {
        const double size = std::abs(power(p, q));
        off = std::max(off, size);
        if (size == 0) continue;
        const Complex phase = power(p, q) / size;
        const double theta =
            0.5 * std::atan2(2 * size, power(q, q).real() - power(p, p).real());
        const double c = std::cos(theta);
        const Complex t = std::sin(theta) * phase;
        for (size_t k = 0; k < n; ++k) {
          const Complex x = power(k, p);
          const Complex y = power(k, q);
          power(k, p) = c * x - std::conj(t) * y;
          power(k, q) = t * x + c * y;
        }
        for (size_t k = 0; k < n; ++k) {
          const Complex x = power(p, k);
          const Complex y = power(q, k);
          power(p, k) = c * x - t * y;
          power(q, k) = std::conj(t) * x + c * y;
        }
      }
    }
    if (off < 1e-16) break;
  }
  double most = 0;
  for (size_t i = 0; i < n; ++i) most = std::max(most, power(i, i).real());
  health.gain = most - 1;
  return health;
}

}  // namespace assay::planar
