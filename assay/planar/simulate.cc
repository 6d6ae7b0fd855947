// Simulate a layout: from what was drawn to S-parameters that were tested.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "assay/base/memory.h"
#include "assay/planar/assemble.h"
#include "assay/planar/blas.h"
#include "assay/planar/dc.h"
#include "assay/planar/plan.h"
#include "assay/planar/solve_dense.h"
#include "assay/planar/solve_fast.h"
#include "assay/planar/unknowns.h"
#include "assay/planar/validity.h"

namespace assay::planar {
namespace {

using Clock = std::chrono::steady_clock;

double Since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// A system that adds up how long its solutions take.
class TimedSystem final : public System {
 public:
  explicit TimedSystem(std::unique_ptr<System> system)
      : system_(std::move(system)) {}

  double seconds() const { return seconds_; }

  size_t unknowns() const override { return system_->unknowns(); }
  size_t ports() const override { return system_->ports(); }
  std::span<const Source> sources() const override {
    return system_->sources();
  }
  bool lossy_dielectric() const override { return system_->lossy_dielectric(); }
  bool lossy_metal() const override { return system_->lossy_metal(); }
  Complex surface_impedance(double omega) const override {
    return system_->surface_impedance(omega);
  }
  bool lossy_ground() const override { return system_->lossy_ground(); }
  Complex ground_impedance(double omega) const override {
    return system_->ground_impedance(omega);
  }
  void Multiply(Part part, size_t columns, const double* x,
                double* y) const override {
    system_->Multiply(part, columns, x, y);
  }
  Result<SolveReport> Solve(double omega, std::span<Complex> x) override {
    const auto begin = Clock::now();
    auto report = system_->Solve(omega, x);
    seconds_ += Since(begin);
    return report;
  }

 private:
  std::unique_ptr<System> system_;
  double seconds_ = 0;
};

// Of a pixel's sides. The edge correction of longer pixels exceeds what is left
// of P for charges that alternate along a rim one pixel wide.
constexpr double kMostStretched = 1.5;

class Simulation {
 public:
  Simulation(const Threads& threads, const Options& options,
             const Progress* progress, std::span<const double> hz,
             std::span<const size_t> field_at)
      : threads_(threads),
        options_(options),
        progress_(progress),
        hz_(hz),
        field_at_(field_at) {}

  Result<Answer> Run(const Layout& layout);

 private:
  const Mesh& mesh() const { return answer_.raster.mesh; }
  // Frequencies above 0 begin here.
  size_t first() const { return !hz_.empty() && hz_[0] == 0 ? 1 : 0; }

  Status Tell(std::string_view stage, uint64_t done, uint64_t total) const;
  Status MakeSystem();
  Status SolveDcPoint();
  Status SolveBand();
  Status KeepField(size_t index, std::span<const Complex> x,
                   const PortMatrix& y);
  Status KeepFields(TimedSystem& system, const SweepResult& swept);
  std::vector<Sample> Samples(const SweepResult& swept) const;
  Status Verify(const SweepResult& swept);

  const Threads& threads_;
  const Options& options_;
  const Progress* progress_;
  std::span<const double> hz_;
  std::span<const size_t> field_at_;
  Answer answer_;
  std::unique_ptr<TimedSystem> system_;
  size_t most_basis_ = 0;
};

Status Simulation::Tell(std::string_view stage, uint64_t done,
                        uint64_t total) const {
  if (progress_ && *progress_ && !(*progress_)(stage, done, total)) {
    return Error{Code::kCancelled, "the sweep was cancelled", ""};
  }
  return {};
}

Status Simulation::MakeSystem() {
  const auto begin = Clock::now();
  const double lowest = first() < hz_.size() ? hz_[first()] : 0;
  ASSAY_ASSIGN(
      plan, MakePlan(mesh(), options_, hz_.size(), lowest, AvailableBytes()));
  answer_.solver = plan.solver;
  answer_.costs.planned_bytes = plan.peak_bytes;
  most_basis_ = plan.most_basis;
  for (std::string& note : plan.notes) {
    answer_.warnings.push_back(std::move(note));
  }
  AssembleOptions assemble;
  assemble.edge_correction = options_.edge_correction;
  assemble.vertical_sheets = !options_.flat_ports;
  assemble.far = options_.far;
  assemble.lossy_ground = options_.ground_loss;
  std::unique_ptr<System> system;
  if (plan.solver == Solver::kDense) {
    ASSAY_ASSIGN(matrices,
                 Assemble(threads_, mesh(), assemble, plan.budget_bytes));
    DenseOptions dense;
    dense.max_bytes = plan.budget_bytes;
    ASSAY_ASSIGN(made, MakeDenseSystem(threads_, std::move(matrices), dense));
    system = std::move(made);
  } else {
    ASSAY_ASSIGN(made, MakeFastSystem(threads_, mesh(), assemble, plan.fast));
    system = std::move(made);
  }
  system_ = std::make_unique<TimedSystem>(std::move(system));
  answer_.costs.assemble_s = Since(begin);
  return {};
}

Status Simulation::SolveDcPoint() {
  if (first() == 0) return {};
  ASSAY_ASSIGN(dc, SolveDc(mesh()));
  PortMatrix y(mesh().ports.size());
  y.values = std::move(dc.y);
  answer_.y.push_back(y);
  answer_.residual.push_back(0);
  if (std::find(field_at_.begin(), field_at_.end(), 0u) == field_at_.end()) {
    return {};
  }
  return KeepField(0, dc.currents, y);
}

Status Simulation::KeepField(size_t index, std::span<const Complex> x,
                             const PortMatrix& y) {
  const size_t n = mesh().unknowns(), p = y.ports;
  const auto ends = EndsOfCurrents(mesh());
  for (size_t driven = 0; driven < p; ++driven) {
    // Port voltages with 1 V behind z0 of one port: (1 + z0 Y) V = e.
    PortMatrix system(p);
    std::vector<Complex> volts(p);
    volts[driven] = 1;
    for (size_t a = 0; a < p; ++a) {
      for (size_t b = 0; b < p; ++b) {
        // By columns.
        system.values[b * p + a] =
            (a == b ? 1.0 : 0.0) + answer_.z0[a] * y(a, b);
      }
    }
    const PivotedFactor factor(Pivoting::kRows, p, system.values.data());
    if (!factor.ok()) {
      return Error{Code::kInternal, "1 + z0 Y has no inverse", ""};
    }
    factor.Solve(p > 0 ? 1 : 0, volts.data());
    Field field;
    field.index = index;
    field.port = driven;
    field.currents.resize(n);
    field.charges.resize(mesh().cells.size());
    for (size_t b = 0; b < p; ++b) {
      for (size_t e = 0; e < n; ++e) {
        field.currents[e] += volts[b] * x[b * n + e];
      }
    }
    // At DC charges are not part of the answer.
    const double omega = 2 * green::kPi * hz_[index];
    for (size_t e = 0; e < n && omega > 0; ++e) {
      const Complex moved = field.currents[e] / Complex(0, omega);
      field.charges[static_cast<size_t>(ends[e].to)] += moved;
      if (ends[e].from >= 0) {
        field.charges[static_cast<size_t>(ends[e].from)] -= moved;
      }
    }
    answer_.fields.push_back(std::move(field));
  }
  return {};
}

Status Simulation::KeepFields(TimedSystem& system, const SweepResult& swept) {
  if (!options_.fields) return {};
  for (const size_t index : field_at_) {
    if (index >= hz_.size()) {
      return Error{
          Code::kInvalidInput,
          fmt::format("there is no frequency {} whose fields to keep", index),
          ""};
    }
    if (index < first()) continue;
    const double omega = 2 * green::kPi * hz_[index];
    std::vector<Complex> x(system.unknowns() * system.ports());
    bool known = false;
    if (swept.model) {
      const ReducedAnswer reduced = swept.model->Evaluate(omega);
      x = swept.model->Expand(reduced);
      known = reduced.residual <= options_.tolerance;
    }
    // A model that was full does not know the frequencies solved since.
    if (!known) ASSAY_TRY(system.Solve(omega, x));
    ASSAY_TRY(KeepField(index, x, answer_.y[index]));
  }
  return {};
}

Status Simulation::SolveBand() {
  if (first() == hz_.size()) {
    answer_.solver = Solver::kFast;
    return Verify({});
  }
  ASSAY_TRY(MakeSystem());
  SweepOptions sweep;
  sweep.tolerance = options_.tolerance;
  sweep.adaptive = !options_.direct;
  sweep.z0 = answer_.z0;
  sweep.most_basis = most_basis_;
  const auto begin = Clock::now();
  ASSAY_ASSIGN(
      swept, Sweep(threads_, *system_, hz_.subspan(first()), sweep, progress_));
  answer_.costs.solve_s = system_->seconds();
  answer_.costs.reduce_s = Since(begin) - system_->seconds();
  if (swept.model) answer_.costs.basis = swept.model->basis();
  const size_t p = mesh().ports.size();
  for (auto& values : swept.y) {
    PortMatrix y(p);
    y.values = std::move(values);
    answer_.y.push_back(std::move(y));
  }
  answer_.residual.insert(answer_.residual.end(), swept.residual.begin(),
                          swept.residual.end());
  for (ExactPoint& point : swept.exact) {
    point.index += first();
    for (const std::string& note : point.report.notes) {
      answer_.warnings.push_back(note);
    }
  }
  if (swept.measured) {
    answer_.measured = swept.measured;
    answer_.measured->index += first();
  }
  ASSAY_TRY(KeepFields(*system_, swept));
  ASSAY_TRY(Verify(swept));
  answer_.exact = std::move(swept.exact);
  return {};
}

// Currents to be tested: where the model thinks worst of itself and two more,
// or the last exact solution where all frequencies were solved.
std::vector<Sample> Simulation::Samples(const SweepResult& swept) const {
  std::vector<size_t> order;
  for (size_t i = first(); i < hz_.size() && swept.model; ++i) {
    // `swept` was renumbered with DC among the frequencies.
    if (!swept.IsExact(i)) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return answer_.residual[a] > answer_.residual[b];
  });
  std::vector<Sample> samples;
  if (order.empty() && !swept.exact.empty()) {
    samples.push_back({hz_[swept.exact.back().index], swept.last});
    return samples;
  }
  std::vector<size_t> chosen;
  for (const size_t at : {size_t{0}, order.size() / 2, order.size() - 1}) {
    if (at < order.size() &&
        std::find(chosen.begin(), chosen.end(), order[at]) == chosen.end()) {
      chosen.push_back(order[at]);
    }
  }
  for (const size_t index : chosen) {
    const double omega = 2 * green::kPi * hz_[index];
    samples.push_back(
        {hz_[index], swept.model->Expand(swept.model->Evaluate(omega))});
  }
  return samples;
}

Status Simulation::Verify(const SweepResult& swept) {
  ASSAY_TRY(Tell("verify", 0, 1));
  const auto begin = Clock::now();
  for (size_t i = 0; i < answer_.y.size(); ++i) {
    ASSAY_ASSIGN(s, SFromY(answer_.y[i], answer_.z0));
    answer_.s.push_back(std::move(s));
  }
  const bool lossless =
      mesh().substrate.tand == 0 && mesh().conductor.sigma == 0;
  if (first() == 1 && mesh().conductor.sigma == 0) {
    answer_.s[0] = LosslessLimit(answer_.s[0]);
  }
  answer_.verification.checks = CheckScattering(answer_.s, lossless);
  if (swept.measured) {
    answer_.verification.checks.push_back(
        {"measured error",
         fmt::format("greatest change of S by an exact solution at {:.6g} Hz",
                     hz_[answer_.measured->index]),
         swept.measured->s_error, options_.tolerance,
         swept.measured->s_error <= options_.tolerance});
  }
  const std::vector<Sample> samples = Samples(swept);
  if (!samples.empty()) {
    // A tenth of a second of sums, more for the largest layouts.
    const size_t rows = std::clamp<size_t>(
        4'000'000 / std::max<size_t>(mesh().unknowns(), 1), 64, 4096);
    ASSAY_ASSIGN(check, CheckResiduals(mesh(), options_, samples, rows));
    answer_.verification.checks.push_back(std::move(check));
  }
  answer_.costs.verify_s = Since(begin);
  return Tell("verify", 1, 1);
}

Result<Answer> Simulation::Run(const Layout& layout) {
  for (size_t i = 0; i < hz_.size(); ++i) {
    if (!(hz_[i] >= 0 && std::isfinite(hz_[i])) ||
        (i > 0 && !(hz_[i] > hz_[i - 1]))) {
      return Error{Code::kInvalidInput,
                   fmt::format("frequency {} is {} Hz", i + 1, hz_[i]),
                   "frequencies rise and are positive; 0 asks for DC"};
    }
  }
  if (hz_.empty()) {
    return Error{Code::kInvalidInput, "there are no frequencies", ""};
  }
  ASSAY_TRY(Tell("rasterise", 0, 1));
  ASSAY_ASSIGN(raster, Rasterise(layout));
  answer_.raster = std::move(raster);
  answer_.hz.assign(hz_.begin(), hz_.end());
  for (const Port& port : mesh().ports) answer_.z0.push_back(port.z0);
  answer_.warnings = answer_.raster.warnings;
  for (std::string& warning : ValidityWarnings(mesh(), hz_.back())) {
    answer_.warnings.push_back(std::move(warning));
  }
  if (options_.ground_loss && mesh().conductor.sigma == 0) {
    return Error{Code::kInvalidInput,
                 "a ground of the metal's conductivity, but the metal is a "
                 "perfect conductor",
                 "give the layout a conductor, or leave out --ground-loss"};
  }
  const double sides = mesh().dx / mesh().dy;
  if (options_.edge_correction && std::max(sides, 1 / sides) > kMostStretched) {
    return Error{Code::kInvalidInput,
                 fmt::format("the edge correction on pixels of {:.4g} x {:.4g}",
                             layout.dx, layout.dy),
                 fmt::format("sides that differ by no more than {}, or no "
                             "edge correction",
                             kMostStretched)};
  }
  ASSAY_TRY(SolveDcPoint());
  ASSAY_TRY(SolveBand());
  return std::move(answer_);
}

}  // namespace

Result<std::vector<double>> LinearFrequencies(double from_hz, double to_hz,
                                              size_t points) {
  if (!(from_hz > 0 && to_hz >= from_hz && std::isfinite(to_hz)) ||
      points == 0 || (points > 1 && to_hz == from_hz) ||
      (points == 1 && to_hz != from_hz)) {
    return Error{Code::kInvalidInput,
                 fmt::format("{} frequencies from {:.6g} to {:.6g} Hz", points,
                             from_hz, to_hz),
                 "at least two between two frequencies above 0"};
  }
  std::vector<double> hz;
  for (size_t i = 0; i < points; ++i) {
    const double share =
        points > 1 ? static_cast<double>(i) / static_cast<double>(points - 1)
                   : 0;
    hz.push_back(i + 1 == points ? to_hz : from_hz + share * (to_hz - from_hz));
  }
  return hz;
}

Result<std::vector<double>> LogFrequencies(double from_hz, double to_hz,
                                           size_t points) {
  ASSAY_ASSIGN(hz, LinearFrequencies(from_hz, to_hz, points));
  const double ratio = to_hz / from_hz;
  for (size_t i = 1; i + 1 < points; ++i) {
    hz[i] = from_hz * std::pow(ratio, static_cast<double>(i) /
                                          static_cast<double>(points - 1));
  }
  return hz;
}

Result<Answer> Simulate(const Threads& threads, const Layout& layout,
                        std::span<const double> hz, const Options& options,
                        std::span<const size_t> field_at,
                        const Progress* progress) {
  Simulation simulation(threads, options, progress, hz, field_at);
  return simulation.Run(layout);
}

}  // namespace assay::planar
