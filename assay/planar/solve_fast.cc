// Solve a mesh at one frequency after the other without its dense matrix.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/solve_fast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "assay/planar/complex.h"
#include "assay/planar/fast_operator.h"
#include "assay/planar/gmres.h"
#include "assay/planar/nodal_factor.h"
#include "assay/planar/surface.h"

namespace assay::planar {
namespace {

// Below, solutions are made more exact than asked.
constexpr double kLowHz = 50e6;
// What a residual of double precision can reach.
constexpr double kRounding = 2e-12;

class FastSystem final : public System {
 public:
  FastSystem(const Threads& threads, const Mesh& mesh, FastOperator op,
             const FastOptions& options)
      : threads_(threads),
        op_(std::move(op)),
        options_(options),
        sources_(Sources(mesh)),
        conductor_(mesh.conductor),
        ports_(mesh.ports.size()),
        nodal_(op_.cells(), op_.ends()) {}

  size_t unknowns() const override { return op_.currents(); }
  size_t ports() const override { return ports_; }
  std::span<const Source> sources() const override { return sources_; }
  bool lossy_dielectric() const override { return op_.lossy_dielectric(); }
  bool lossy_metal() const override { return conductor_.sigma > 0; }
  Complex surface_impedance(double omega) const override {
    return SurfaceImpedance(conductor_, omega);
  }
  bool lossy_ground() const override { return op_.lossy_ground(); }
  Complex ground_impedance(double omega) const override {
    return lossy_ground() ? GroundImpedance(conductor_, omega) : 0;
  }

  void Multiply(Part part, size_t columns, const double* x,
                double* y) const override;
  Result<SolveReport> Solve(double omega, std::span<Complex> x) override;

 private:
  // Currents and charges of some ports, by columns.
  struct State {
    std::vector<Complex> currents, charges;
  };
  // What is left of both rows: volts a current, amperes a cell.
  struct Rest {
    std::vector<Complex> volts, amperes;
  };

  bool Prepare(double omega);
  Rest Residual(const State& state) const;
  // ||B|| of a port.
  double Asked(size_t port) const;
  // Ports whose rest is above what was asked.
  std::vector<size_t> Unsolved(const State& state, const Rest& rest) const;
  // y = M^-1 [T^-1 v; amperes]; amperes may be null.
  void Precondition(size_t columns, const Complex* v, const Complex* amperes,
                    State& y) const;
  // w = A I + D^T P q.
  void FirstRow(size_t columns, const State& state, Complex* w) const;
  // One cycle for the ports of `which`.
  int Cycle(const std::vector<size_t>& which, const Rest& rest, State& state);
  std::vector<Complex> Admittances(const State& state, const Rest& rest) const;

  const Threads& threads_;
  FastOperator op_;
  FastOptions options_;
  std::vector<Source> sources_;
  Conductor conductor_;
  size_t ports_;
  NodalFactor nodal_;

  // Of the frequency being solved.
  double omega_ = 0;
  double tolerance_ = 0;
  Complex zs_;
  std::vector<Complex> inverse_;  // of A in M: 1 / (jw l0 + Zs g)
};

void FastSystem::Multiply(Part part, size_t columns, const double* x,
                          double* y) const {
  const size_t n = unknowns(), cells = op_.cells();
  if (part == Part::kResistance) {
    for (size_t i = 0; i < n * columns; ++i) {
      y[i] = op_.squares()[i % n] * x[i];
    }
    return;
  }
  if ((part == Part::kPotentialLoss && !lossy_dielectric()) ||
      (part == Part::kGroundResistance && !lossy_ground())) {
    std::fill_n(y, n * columns, 0.0);
    return;
  }
  // Two real columns are one complex one: the parts are real. A few at a
  // time, for the sake of memory.
  constexpr size_t kPairs = 2;
  std::vector<Complex> in(kPairs * n), out(kPairs * n);
  std::vector<Complex> q(kPairs * cells), phi(kPairs * cells);
  for (size_t c = 0; c < columns; c += 2 * kPairs) {
    const size_t width = std::min(2 * kPairs, columns - c);
    const size_t pairs = (width + 1) / 2;
    for (size_t p = 0; p < pairs; ++p) {
      const double* re = x + (c + 2 * p) * n;
      const double* im = 2 * p + 1 < width ? re + n : nullptr;
      for (size_t i = 0; i < n; ++i) {
        in[p * n + i] = {re[i], im ? im[i] : 0};
      }
    }
    if (part == Part::kInductance || part == Part::kGroundResistance) {
      op_.ApplyInductancePart(part == Part::kGroundResistance, pairs, in.data(),
                              out.data());
    } else {
      std::fill(out.begin(), out.end(), Complex(0));
      for (size_t p = 0; p < pairs; ++p) {
        op_.Collect(&in[p * n], &q[p * cells]);
      }
      op_.ApplyPotentialPart(part == Part::kPotentialLoss, pairs, q.data(),
                             phi.data());
      for (size_t p = 0; p < pairs; ++p) {
        op_.AddDrop(1, &phi[p * cells], &out[p * n]);
      }
    }
    for (size_t p = 0; p < pairs; ++p) {
      double* re = y + (c + 2 * p) * n;
      for (size_t i = 0; i < n; ++i) re[i] = out[p * n + i].real();
      if (2 * p + 1 == width) continue;
      for (size_t i = 0; i < n; ++i) re[n + i] = out[p * n + i].imag();
    }
  }
}

bool FastSystem::Prepare(double omega) {
  omega_ = omega;
  // What volts are left drives loops, whose impedance falls with frequency,
  // beside charges, whose admittance does: the lower, the less may be left.
  const double low = omega / (2 * green::kPi * kLowHz);
  tolerance_ =
      std::max(options_.tolerance * std::clamp(low, 1e-4, 1.0), kRounding);
  zs_ = surface_impedance(omega);
  op_.SetGround(ground_impedance(omega) / Complex(0, omega));
  const Complex p0 = op_.self_potential();
  inverse_.resize(unknowns());
  std::vector<Complex> y(unknowns());
  for (size_t e = 0; e < unknowns(); ++e) {
    inverse_[e] = 1.0 / (Complex(0, omega * op_.self_inductance()[e]) +
                         zs_ * op_.squares()[e]);
    y[e] = p0 * inverse_[e];
  }
  return nodal_.Factor(y, {0, omega});
}

void FastSystem::Precondition(size_t columns, const Complex* v,
                              const Complex* amperes, State& y) const {
  const size_t n = unknowns(), cells = op_.cells();
  y.currents.resize(columns * n);
  y.charges.resize(columns * cells);
  if (v && options_.inverse_shape) {
    op_.ApplyInverseShape(columns, v, y.currents.data());
  } else if (v) {
    std::copy_n(v, columns * n, y.currents.begin());
  } else {
    std::fill(y.currents.begin(), y.currents.end(), Complex(0));
  }
  threads_.For(columns, 1, [&](size_t begin, size_t end) {
    std::vector<Complex> right(cells), scaled(n);
    for (size_t c = begin; c < end; ++c) {
      Complex* i = &y.currents[c * n];
      Complex* q = &y.charges[c * cells];
      for (size_t e = 0; e < n; ++e) scaled[e] = Times(i[e], inverse_[e]);
      op_.Collect(scaled.data(), right.data());
      for (size_t k = 0; k < cells && amperes; ++k) {
        right[k] -= amperes[c * cells + k];
      }
      nodal_.Solve(right.data(), q);
      op_.AddDrop(-op_.self_potential(), q, i);
      for (size_t e = 0; e < n; ++e) i[e] = Times(i[e], inverse_[e]);
    }
  });
}

void FastSystem::FirstRow(size_t columns, const State& state,
                          Complex* w) const {
  const size_t n = unknowns(), cells = op_.cells();
  std::vector<Complex> phi(columns * cells);
  op_.Apply(columns, state.currents.data(), w, state.charges.data(),
            phi.data());
  threads_.For(columns, 1, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      Complex* out = w + c * n;
      const Complex* i = &state.currents[c * n];
      for (size_t e = 0; e < n; ++e) {
        out[e] = Complex(-omega_ * out[e].imag(), omega_ * out[e].real()) +
                 op_.squares()[e] * Times(zs_, i[e]);
      }
      op_.AddDrop(1, &phi[c * cells], out);
    }
  });
}

FastSystem::Rest FastSystem::Residual(const State& state) const {
  const size_t n = unknowns(), cells = op_.cells();
  Rest rest;
  rest.volts.resize(n * ports_);
  rest.amperes.resize(cells * ports_);
  FirstRow(ports_, state, rest.volts.data());
  for (Complex& value : rest.volts) value = -value;
  for (const Source& source : sources_) {
    rest.volts[source.port * n + source.unknown] += source.sign;
  }
  for (size_t p = 0; p < ports_; ++p) {
    Complex* r = &rest.amperes[p * cells];
    op_.Collect(&state.currents[p * n], r);
    for (size_t k = 0; k < cells; ++k) {
      const Complex q = state.charges[p * cells + k];
      r[k] = Complex(-omega_ * q.imag(), omega_ * q.real()) - r[k];
    }
  }
  return rest;
}

double FastSystem::Asked(size_t port) const {
  double square = 0;
  for (const Source& source : sources_) square += source.port == port;
  return std::sqrt(square);
}

std::vector<size_t> FastSystem::Unsolved(const State& state,
                                         const Rest& rest) const {
  const size_t n = unknowns(), cells = op_.cells();
  std::vector<size_t> ports;
  for (size_t p = 0; p < ports_; ++p) {
    const double volts = Norm({&rest.volts[p * n], n});
    const double amperes = Norm({&rest.amperes[p * cells], cells});
    const double stored = omega_ * Norm({&state.charges[p * cells], cells});
    const double flowing = Norm({&state.currents[p * n], n});
    // Charge is conserved to a share of what is stored, or to rounding of
    // what flows by. Written so that NaN stays unsolved.
    const bool solved = volts <= tolerance_ * Asked(p) &&
                        amperes <= std::max(1e-9 * stored, 1e-15 * flowing);
    if (!solved) ports.push_back(p);
  }
  return ports;
}

int FastSystem::Cycle(const std::vector<size_t>& which, const Rest& rest,
                      State& state) {
  const size_t n = unknowns(), cells = op_.cells(), m = which.size();
  std::vector<Complex> volts(m * n), amperes(m * cells);
  for (size_t a = 0; a < m; ++a) {
    std::copy_n(&rest.volts[which[a] * n], n, &volts[a * n]);
    std::copy_n(&rest.amperes[which[a] * cells], cells, &amperes[a * cells]);
  }
  // What M makes of the second row alone, so that the Krylov space need not
  // know of it. Zero in a first cycle from zero.
  State first;
  const bool charged = Norm(amperes) > 0;
  if (charged) {
    Precondition(m, nullptr, amperes.data(), first);
    std::vector<Complex> made(m * n);
    FirstRow(m, first, made.data());
    for (size_t i = 0; i < m * n; ++i) volts[i] -= made[i];
  }
  std::vector<double> target(m);
  for (size_t a = 0; a < m; ++a) {
    // A little less than asked: the true residual is a little more.
    target[a] = 0.8 * tolerance_ * Asked(which[a]);
  }
  State trial;
  std::vector<Complex> u(m * n);
  const GmresReport report = Gmres(
      threads_, n, m,
      [&](size_t columns, const Complex* v, Complex* w) {
        Precondition(columns, v, nullptr, trial);
        FirstRow(columns, trial, w);
      },
      volts.data(), target, options_.restart, u.data());
  Precondition(m, u.data(), nullptr, trial);
  for (size_t a = 0; a < m; ++a) {
    Complex* i = &state.currents[which[a] * n];
    Complex* q = &state.charges[which[a] * cells];
    for (size_t e = 0; e < n; ++e) {
      i[e] += trial.currents[a * n + e];
      if (charged) i[e] += first.currents[a * n + e];
    }
    for (size_t k = 0; k < cells; ++k) {
      q[k] += trial.charges[a * cells + k];
      if (charged) q[k] += first.charges[a * cells + k];
    }
  }
  return report.steps;
}

// Y = B^T X + X^T (B - Z X): what B^T X lacks to first order is put back, so
// that the error is near the square of the residual.
std::vector<Complex> FastSystem::Admittances(const State& state,
                                             const Rest& rest) const {
  const size_t n = unknowns(), p = ports_;
  std::vector<Complex> y(p * p);
  for (const Source& source : sources_) {
    for (size_t b = 0; b < p; ++b) {
      y[source.port * p + b] +=
          source.sign * state.currents[b * n + source.unknown];
    }
  }
  for (size_t a = 0; a < p; ++a) {
    for (size_t b = 0; b < p; ++b) {
      Complex sum = 0;
      for (size_t e = 0; e < n; ++e) {
        sum += Times(state.currents[a * n + e], rest.volts[b * n + e]);
      }
      y[a * p + b] += sum;
    }
  }
  return y;
}

Result<SolveReport> FastSystem::Solve(double omega, std::span<Complex> x) {
  const size_t n = unknowns(), cells = op_.cells();
  if (!(omega > 0 && std::isfinite(omega))) {
    return Error{Code::kInvalidInput,
                 fmt::format("the angular frequency is {}", omega),
                 "a positive number"};
  }
  if (x.size() != n * ports_) {
    return Error{Code::kInternal, "the block of currents has another size", ""};
  }
  const double hz = omega / (2 * green::kPi);
  SolveReport report;
  report.method = "gmres";
  if (!Prepare(omega)) {
    return Error{Code::kInternal,
                 fmt::format("the nodal matrix is singular at {:.6g} Hz", hz),
                 "another frequency, or the dense solver"};
  }
  State state;
  state.currents.assign(x.begin(), x.end());
  state.charges.resize(cells * ports_);
  for (size_t p = 0; p < ports_; ++p) {
    Complex* q = &state.charges[p * cells];
    op_.Collect(&state.currents[p * n], q);
    for (size_t k = 0; k < cells; ++k) {
      q[k] = Complex(q[k].imag(), -q[k].real()) / omega;
    }
    nodal_.Neutralise(q);
  }
  Rest rest = Residual(state);
  const double asked = std::sqrt(static_cast<double>(sources_.size()));
  if (!(Norm(rest.volts) < asked)) {
    // A guess worse than none.
    state.currents.assign(n * ports_, Complex(0));
    state.charges.assign(cells * ports_, Complex(0));
    rest = Residual(state);
  }
  double before = INFINITY;
  while (true) {
    const auto unsolved = Unsolved(state, rest);
    if (unsolved.empty()) break;
    const double now = Norm(rest.volts);
    // Cycles that only polish charges may leave the volts as they are.
    if (report.steps >= options_.most_steps || !(now < 0.9 * before)) break;
    before = now;
    report.steps += std::max(1, Cycle(unsolved, rest, state));
    rest = Residual(state);
  }
  report.backward_error = Norm(rest.volts) / asked;
  if (!Unsolved(state, rest).empty()) {
    report.notes.push_back(fmt::format(
        "the iteration stood at a residual of {:.1e} at {:.6g} Hz; {:.1e} was "
        "asked for",
        report.backward_error, hz, tolerance_));
  }
  if (!(report.backward_error <=
        10 * std::max(tolerance_, 1e-2 * options_.tolerance))) {
    return Error{
        Code::kInternal,
        fmt::format("the iteration stood at a residual of {:.1e} after {} "
                    "steps at {:.6g} Hz",
                    report.backward_error, report.steps, hz),
        "the dense solver, or a greater tolerance"};
  }
  report.y = Admittances(state, rest);
  report.asymmetry = MakeSymmetric(ports_, report.y);
  report.charges = std::move(state.charges);
  std::copy(state.currents.begin(), state.currents.end(), x.begin());
  return report;
}

}  // namespace

double FastBytes(const Mesh& mesh, bool lossy_ground,
                 const FastOptions& options) {
  const auto n = static_cast<double>(mesh.unknowns());
  const auto cells = static_cast<double>(mesh.cells.size());
  const auto pixels = static_cast<double>(mesh.metal.size());
  const auto ports = static_cast<double>(mesh.ports.size());
  double rows = 0, uprights = static_cast<double>(mesh.vias.size());
  for (const Port& port : mesh.ports) {
    if (port.kind == PortKind::kGap) continue;
    uprights += static_cast<double>(port.currents.size());
    if (port.kind == PortKind::kEdge) {
      rows += static_cast<double>(port.currents.size());
    }
  }
  const bool lossy = mesh.substrate.tand > 0;
  const toeplitz::Convolution whole({mesh.nx, mesh.ny}, mesh.nx - 1,
                                    mesh.ny - 1);
  const double spectra =
      3 + lossy + (lossy_ground ? 6.0 : 0.0) + 1;  // and the shape's
  const double tables = 24 + (lossy ? 8 : 0) + (lossy_ground ? 16 : 0);
  const double fixed = spectra * whole.spectrum_bytes() + tables * pixels +
                       60 * n + 8 * cells + 8 * uprights * uprights +
                       8 * n * rows;
  const double factor = 3 * std::log2(cells + 2) * cells * 20;
  // Krylov vectors, states and rests of a cycle.
  const double krylov =
      16 * n * ports * (options.restart + 8) + 16 * cells * ports * 8;
  const double scratch = 3 * ports * whole.work_bytes();
  return fixed + factor + krylov + scratch;
}

Result<std::unique_ptr<System>> MakeFastSystem(const Threads& threads,
                                               const Mesh& mesh,
                                               const AssembleOptions& assemble,
                                               const FastOptions& options) {
  const double bytes = FastBytes(mesh, assemble.lossy_ground, options);
  if (bytes > options.max_bytes) {
    return Error{Code::kOverBudget,
                 fmt::format("the fast solver needs {:.1f} MiB for {} unknowns",
                             bytes / (1 << 20), mesh.unknowns()),
                 "larger pixels or more memory"};
  }
  ASSAY_ASSIGN(op, FastOperator::Make(threads, mesh, assemble));
  std::unique_ptr<System> system =
      std::make_unique<FastSystem>(threads, mesh, std::move(op), options);
  return system;
}

}  // namespace assay::planar
