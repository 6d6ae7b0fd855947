// Solve the dense system at one frequency after the other.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/solve_dense.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>
#include <vector>

#include "assay/ops/green/images.h"
#include "assay/planar/complex.h"
#include "assay/planar/surface.h"

namespace assay::planar {
namespace {

using Method = DenseOptions::First;

const char* NameOf(Method method) {
  switch (method) {
    case Method::kLdlt: return "ldlt";
    case Method::kBunchKaufman: return "sytrf";
    case Method::kRows: return "getrf";
  }
  return "";
}

class DenseSystem final : public System {
 public:
  DenseSystem(const Threads& threads, DenseMatrices matrices,
              const DenseOptions& options)
      : threads_(threads), m_(std::move(matrices)), options_(options) {}

  size_t unknowns() const override { return m_.inductance.size(); }
  size_t ports() const override { return m_.ports; }
  std::span<const Source> sources() const override { return m_.sources; }
  bool lossy_dielectric() const override {
    return m_.potential_loss.size() > 0;
  }
  bool lossy_metal() const override { return m_.conductor.sigma > 0; }
  bool lossy_ground() const override { return m_.ground.size() > 0; }
  Complex ground_impedance(double omega) const override {
    return lossy_ground() ? GroundImpedance(m_.conductor, omega) : 0;
  }
  Complex surface_impedance(double omega) const override {
    return SurfaceImpedance(m_.conductor, omega);
  }

  void Multiply(Part part, size_t columns, const double* x,
                double* y) const override {
    const size_t n = unknowns();
    const BlasThreads all(threads_.count());
    switch (part) {
      case Part::kInductance:
        planar::Multiply(m_.inductance, columns, x, y);
        return;
      case Part::kPotential:
        planar::Multiply(m_.potential, columns, x, y);
        return;
      case Part::kPotentialLoss:
        if (lossy_dielectric()) {
          planar::Multiply(m_.potential_loss, columns, x, y);
        } else {
          std::fill_n(y, n * columns, 0.0);
        }
        return;
      case Part::kGroundResistance:
        if (lossy_ground()) {
          planar::Multiply(m_.ground, columns, x, y);
        } else {
          std::fill_n(y, n * columns, 0.0);
        }
        return;
      case Part::kResistance:
        for (size_t c = 0; c < columns; ++c) {
          for (size_t i = 0; i < n; ++i) {
            y[c * n + i] = m_.squares[i] * x[c * n + i];
          }
        }
        return;
    }
  }

  Result<SolveReport> Solve(double omega, std::span<Complex> x) override;

 private:
  bool lossless() const { return !lossy_dielectric() && !lossy_metal(); }

  std::vector<Complex> RightSide() const;
  // B^T x by rows: symmetric to the backward error.
  std::vector<Complex> Admittances(std::span<const Complex> x) const;
  // B - Z x.
  std::vector<Complex> Residual(double omega, std::span<const Complex> x) const;
  // Sets norm_ and the factors of one method. kFailed: a pivot vanished.
  enum class Outcome { kReady, kFailed, kNoMemory };
  Outcome Prepare(Method method, double omega);
  Outcome PrepareLdlt(double omega);
  void Apply(std::span<Complex> x) const;

  const Threads& threads_;
  DenseMatrices m_;
  DenseOptions options_;

  // The factors of the frequency being solved: one of the three.
  Panels<double> real_;      // of Z / j, without loss
  Panels<Complex> complex_;  // of Z
  std::unique_ptr<Complex[]> full_;
  std::unique_ptr<PivotedFactor> pivoted_;
  double norm_ = 0;  // of Z, Frobenius
};

std::vector<Complex> DenseSystem::RightSide() const {
  std::vector<Complex> b(unknowns() * ports());
  for (const Source& source : m_.sources) {
    b[source.port * unknowns() + source.unknown] += source.sign;
  }
  return b;
}

std::vector<Complex> DenseSystem::Admittances(
    std::span<const Complex> x) const {
  const size_t n = unknowns(), p = ports();
  std::vector<Complex> y(p * p);
  for (const Source& source : m_.sources) {
    for (size_t b = 0; b < p; ++b) {
      y[source.port * p + b] += source.sign * x[b * n + source.unknown];
    }
  }
  return y;
}

std::vector<Complex> DenseSystem::Residual(double omega,
                                           std::span<const Complex> x) const {
  const size_t n = unknowns(), p = ports();
  // Real and imaginary parts side by side: the parts of Z are real.
  std::vector<double> split(2 * n * p), l(split.size()), psi(split.size());
  for (size_t i = 0; i < n * p; ++i) {
    split[i] = x[i].real();
    split[n * p + i] = x[i].imag();
  }
  Multiply(Part::kInductance, 2 * p, split.data(), l.data());
  Multiply(Part::kPotential, 2 * p, split.data(), psi.data());
  std::vector<double> loss;
  if (lossy_dielectric()) {
    loss.resize(split.size());
    Multiply(Part::kPotentialLoss, 2 * p, split.data(), loss.data());
  }
  std::vector<double> ground;
  if (lossy_ground()) {
    ground.resize(split.size());
    Multiply(Part::kGroundResistance, 2 * p, split.data(), ground.data());
  }
  const Complex zs = surface_impedance(omega), zg = ground_impedance(omega);
  std::vector<Complex> r = RightSide();
  for (size_t i = 0; i < n * p; ++i) {
    const size_t j = n * p + i;
    const Complex reactive = {omega * l[i] - psi[i] / omega,
                              omega * l[j] - psi[j] / omega};
    r[i] -= Complex(-reactive.imag(), reactive.real());
    if (!loss.empty()) r[i] -= Complex(loss[i], loss[j]) / omega;
    if (!ground.empty()) r[i] -= zg * Complex(ground[i], ground[j]);
    if (lossy_metal()) r[i] -= zs * m_.squares[i % n] * x[i];
  }
  return r;
}

DenseSystem::Outcome DenseSystem::PrepareLdlt(double omega) {
  const size_t n = unknowns();
  pivoted_.reset();
  full_.reset();
  const bool real = lossless();
  if (real) {
    if (real_.size() != n) real_ = Panels<double>(n);
  } else if (complex_.size() != n) {
    complex_ = Panels<Complex>(n);
  }
  if (!real_.ok() || !complex_.ok()) return Outcome::kNoMemory;
  const Complex zs = surface_impedance(omega), zg = ground_impedance(omega);
  std::vector<double> sums(n);
  threads_.For(n, 16, [&](size_t begin, size_t end) {
    for (size_t column = begin; column < end; ++column) {
      const size_t k = column / Panels<double>::kPanel;
      const size_t first = m_.inductance.first(k);
      const size_t rows = m_.inductance.rows(k);
      const size_t at = (column - first) * rows;
      const double* l = m_.inductance.at(k) + at;
      const double* psi = m_.potential.at(k) + at;
      double sum = 0;
      if (real) {
        double* z = real_.at(k) + at;
        for (size_t i = 0; i < rows; ++i) {
          z[i] = omega * l[i] - psi[i] / omega;
        }
        for (size_t i = column - first; i < rows; ++i) sum += z[i] * z[i];
      } else {
        Complex* z = complex_.at(k) + at;
        const double* loss =
            lossy_dielectric() ? m_.potential_loss.at(k) + at : nullptr;
        for (size_t i = 0; i < rows; ++i) {
          z[i] = {loss ? loss[i] / omega : 0, omega * l[i] - psi[i] / omega};
        }
        if (lossy_ground()) {
          const double* ground = m_.ground.at(k) + at;
          for (size_t i = 0; i < rows; ++i) z[i] += zg * ground[i];
        }
        z[column - first] += zs * m_.squares[column];
        for (size_t i = column - first; i < rows; ++i) sum += std::norm(z[i]);
      }
      sums[column] = sum;
    }
  });
  // Twice the lower triangle: at most sqrt(2) too much.
  double sum = 0;
  for (const double s : sums) sum += 2 * s;
  norm_ = std::sqrt(sum);
  const bool factored =
      real ? FactorLdlt(threads_, real_) : FactorLdlt(threads_, complex_);
  if (!factored) return Outcome::kNoMemory;
  const Range pivots = real ? DiagonalRange(real_) : DiagonalRange(complex_);
  // A pivot far above the matrix itself is growth. NaN fails too.
  return pivots.least > 0 && pivots.greatest <= 1e6 * norm_ ? Outcome::kReady
                                                            : Outcome::kFailed;
}

DenseSystem::Outcome DenseSystem::Prepare(Method method, double omega) {
  if (method == Method::kLdlt) return PrepareLdlt(omega);
  real_ = {};
  complex_ = {};
  pivoted_.reset();
  const size_t n = unknowns();
  if (!full_) full_.reset(new (std::nothrow) Complex[n * n]);
  if (!full_) return Outcome::kNoMemory;
  const Complex zs = surface_impedance(omega), zg = ground_impedance(omega);
  double sum = 0;
  for (size_t j = 0; j < n; ++j) {
    for (size_t i = j; i < n; ++i) {
      const double loss =
          lossy_dielectric() ? m_.potential_loss(i, j) / omega : 0;
      Complex z = {loss,
                   omega * m_.inductance(i, j) - m_.potential(i, j) / omega};
      if (i == j) z += zs * m_.squares[i];
      if (lossy_ground()) z += zg * m_.ground(i, j);
      full_[j * n + i] = full_[i * n + j] = z;
      sum += 2 * std::norm(z);
    }
  }
  norm_ = std::sqrt(sum);
  const BlasThreads all(threads_.count());
  pivoted_ = std::make_unique<PivotedFactor>(
      method == Method::kRows ? Pivoting::kRows : Pivoting::kBunchKaufman, n,
      full_.get());
  return pivoted_->ok() ? Outcome::kReady : Outcome::kFailed;
}

void DenseSystem::Apply(std::span<Complex> x) const {
  const BlasThreads all(threads_.count());
  if (pivoted_) {
    pivoted_->Solve(ports(), x.data());
  } else if (!lossless()) {
    SolveLdlt(complex_, ports(), x.data());
  } else {
    // Z = j M: x = -j M^-1 b, real and imaginary parts side by side.
    const size_t size = x.size();
    std::vector<double> split(2 * size);
    for (size_t i = 0; i < size; ++i) {
      split[i] = x[i].real();
      split[size + i] = x[i].imag();
    }
    SolveLdlt(real_, 2 * ports(), split.data());
    for (size_t i = 0; i < size; ++i) x[i] = {split[size + i], -split[i]};
  }
}

Result<SolveReport> DenseSystem::Solve(double omega, std::span<Complex> x) {
  if (!(omega > 0 && std::isfinite(omega))) {
    return Error{Code::kInvalidInput,
                 fmt::format("the angular frequency is {}", omega),
                 "a positive number"};
  }
  if (x.size() != unknowns() * ports()) {
    return Error{Code::kInternal, "the block of currents has another size", ""};
  }
  SolveReport report;
  for (int m = static_cast<int>(options_.first);
       m <= static_cast<int>(Method::kRows); ++m) {
    const auto method = static_cast<Method>(m);
    report.method = NameOf(method);
    report.steps = 0;
    const double n = static_cast<double>(unknowns());
    const double bytes =
        AssembledBytes(unknowns(), lossy_dielectric(), lossy_ground()) +
        16 * n * n;
    const Error over = {
        Code::kOverBudget,
        fmt::format("solving {} unknowns by {} needs {:.1f} MiB", unknowns(),
                    report.method, bytes / (1 << 20)),
        "more memory, or the fast solver"};
    if (method != Method::kLdlt && bytes > options_.max_bytes) return over;
    const Outcome outcome = Prepare(method, omega);
    if (outcome == Outcome::kNoMemory) return over;
    const bool sound = outcome == Outcome::kReady;
    if (sound) {
      const std::vector<Complex> b = RightSide();
      std::copy(b.begin(), b.end(), x.begin());
      Apply(x);
      for (int step = 0;; ++step) {
        std::vector<Complex> r = Residual(omega, x);
        report.backward_error = Norm(r) / (norm_ * Norm(x) + Norm(b));
        report.steps = step;
        // Written so that NaN goes on.
        if (report.backward_error < 1e-14 || step == 2) break;
        Apply(r);
        for (size_t i = 0; i < r.size(); ++i) x[i] += r[i];
      }
      if (report.backward_error <= options_.tolerance) {
        report.y = Admittances(x);
        report.asymmetry = MakeSymmetric(ports(), report.y);
        return report;
      }
    }
    report.notes.push_back(
        sound ? fmt::format("{} left a backward error of {:.1e} at {:.6g} Hz",
                            report.method, report.backward_error,
                            omega / (2 * green::kPi))
              : fmt::format("{} met a vanishing or growing pivot at {:.6g} Hz",
                            report.method, omega / (2 * green::kPi)));
  }
  return Error{Code::kInternal,
               "no dense method solved the system: " + report.notes.back(),
               "a frequency where the system is not singular"};
}

}  // namespace

double DenseBytes(size_t unknowns, bool lossy_metal, bool lossy_dielectric,
                  bool lossy_ground) {
  const bool real = !lossy_metal && !lossy_dielectric;
  const double element = real ? sizeof(double) : sizeof(Complex);
  const double panel = element * Panels<double>::kPanel *
                       static_cast<double>(unknowns + Panels<double>::kPanel);
  return AssembledBytes(unknowns, lossy_dielectric, lossy_ground) +
         (real ? Panels<double>::Bytes(unknowns)
               : Panels<Complex>::Bytes(unknowns)) +
         panel;
}

Result<std::unique_ptr<System>> MakeDenseSystem(const Threads& threads,
                                                DenseMatrices matrices,
                                                const DenseOptions& options) {
  const size_t n = matrices.inductance.size();
  const double bytes = DenseBytes(n, matrices.conductor.sigma > 0,
                                  matrices.potential_loss.size() > 0,
                                  matrices.ground.size() > 0);
  if (bytes > options.max_bytes) {
    return Error{
        Code::kOverBudget,
        fmt::format("the dense solver needs {:.1f} MiB for {} unknowns",
                    bytes / (1 << 20), n),
        "larger pixels, more memory, or the fast solver"};
  }
  std::unique_ptr<System> system =
      std::make_unique<DenseSystem>(threads, std::move(matrices), options);
  return system;
}

}  // namespace assay::planar
