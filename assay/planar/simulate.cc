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
#include "assay/base/progress.h"
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
        fields_at_(options.fields ? field_at.begin() : field_at.end(),
                   field_at.end()) {}

  Result<Answer> Run(const Layout& layout);

 private:
  const Mesh& mesh() const { return answer_.raster.mesh; }
  // Frequencies above 0 begin here.
  size_t first() const { return !hz_.empty() && hz_[0] == 0 ? 1 : 0; }

  Status Tell(std::string_view stage, uint64_t done, uint64_t total) const;
  Status Choose();
  Status MakeSystem();
  Status SolveDcPoint();
  Status SolveBand();
  Status KeepField(size_t index, std::span<const Complex> currents,
                   std::span<const Complex> charges);
  Status KeepFields(System& system, const SweepResult& swept);
  std::vector<Sample> Samples(const SweepResult& swept) const;
  Status Verify(const SweepResult& swept);

  const Threads& threads_;
  const Options& options_;
  const Progress* progress_;
  std::span<const double> hz_;
  std::vector<size_t> fields_at_;  // empty without Options::fields
  Answer answer_;
  std::unique_ptr<System> system_;
  Plan plan_;
  double asymmetry_ = 0;  // greatest of all solutions
};

Status Simulation::Tell(std::string_view stage, uint64_t done,
                        uint64_t total) const {
  if (progress_ && *progress_ && !(*progress_)(stage, done, total)) {
    return Cancelled("the sweep");
  }
  return {};
}

// States bytes and chooses, before anything large is allocated.
Status Simulation::Choose() {
  ASSAY_TRY(CheckBlasRoom(threads_.count()));
  const double lowest = first() < hz_.size() ? hz_[first()] : 0;
  ASSAY_ASSIGN(plan, MakePlan(mesh(), options_, hz_.size(), lowest,
                              fields_at_.size(), AvailableBytes()));
  plan_ = std::move(plan);
  answer_.solver = plan_.solver;
  answer_.costs.planned_bytes = plan_.peak_bytes;
  for (const std::string& note : plan_.notes) {
    answer_.warnings.push_back(note);
  }
  return {};
}

Status Simulation::MakeSystem() {
  const auto begin = Clock::now();
  AssembleOptions assemble;
  assemble.edge_correction = options_.edge_correction;
  assemble.vertical_sheets = !options_.flat_ports;
  assemble.far = options_.far;
  assemble.lossy_ground = options_.ground_loss;
  if (plan_.solver == Solver::kDense) {
    ASSAY_ASSIGN(matrices,
                 Assemble(threads_, mesh(), assemble, plan_.budget_bytes));
    DenseOptions dense;
    dense.max_bytes = plan_.budget_bytes;
    ASSAY_ASSIGN(made, MakeDenseSystem(threads_, std::move(matrices), dense));
    system_ = std::move(made);
  } else {
    ASSAY_ASSIGN(made, MakeFastSystem(threads_, mesh(), assemble, plan_.fast));
    system_ = std::move(made);
  }
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
  answer_.verification.checks.push_back(
      {"current at DC", "greatest current that stays in a cell, of all",
       dc.unbalance, 1e-9, dc.unbalance <= 1e-9});
  asymmetry_ = dc.asymmetry;
  if (options_.ground_loss) {
    answer_.warnings.push_back(
        "at DC the ground is a perfect conductor, --ground-loss or not");
  }
  if (std::find(fields_at_.begin(), fields_at_.end(), 0u) == fields_at_.end()) {
    return {};
  }
  return KeepField(0, dc.currents, {});
}

Status Simulation::KeepField(size_t index, std::span<const Complex> currents,
                             std::span<const Complex> charges) {
  ASSAY_ASSIGN(fields, FieldsOf(mesh(), index, hz_[index], answer_.y[index],
                                answer_.z0, currents, charges));
  for (Field& field : fields) answer_.fields.push_back(std::move(field));
  return {};
}

// Solved exactly, whatever the model knows: charges come from the solver.
Status Simulation::KeepFields(System& system, const SweepResult& swept) {
  for (const size_t index : fields_at_) {
    if (index < first()) continue;
    const double omega = 2 * green::kPi * hz_[index];
    std::vector<Complex> x(system.unknowns() * system.ports());
    if (swept.model) x = swept.model->Expand(swept.model->Evaluate(omega));
    ASSAY_ASSIGN(report, system.Solve(omega, x));
    ASSAY_TRY(KeepField(index, x, report.charges));
  }
  return {};
}

Status Simulation::SolveBand() {
  if (first() == hz_.size()) return Verify({});
  ASSAY_TRY(MakeSystem());
  SweepOptions sweep;
  sweep.tolerance = options_.tolerance;
  sweep.adaptive = !options_.direct;
  sweep.z0 = answer_.z0;
  sweep.most_basis = plan_.most_basis;
  const auto begin = Clock::now();
  ASSAY_ASSIGN(
      swept, Sweep(threads_, *system_, hz_.subspan(first()), sweep, progress_));
  answer_.costs.solve_s = swept.solve_s;
  answer_.costs.reduce_s = Since(begin) - swept.solve_s;
  if (swept.model) answer_.costs.basis = swept.model->basis();
  const size_t p = mesh().ports.size();
  for (auto& values : swept.y) {
    PortMatrix y(p);
    y.values = std::move(values);
    answer_.y.push_back(std::move(y));
  }
  answer_.residual.insert(answer_.residual.end(), swept.residual.begin(),
                          swept.residual.end());
  for (SweepResult::Kept& kept : swept.kept) kept.index += first();
  for (ExactPoint& point : swept.exact) {
    point.index += first();
    asymmetry_ = std::max(asymmetry_, point.report.asymmetry);
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
// and three exact solutions.
std::vector<Sample> Simulation::Samples(const SweepResult& swept) const {
  std::vector<size_t> order;
  for (size_t i = first(); i < hz_.size() && swept.model; ++i) {
    // `swept` was numbered anew with DC among the frequencies.
    if (!swept.IsExact(i)) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return answer_.residual[a] > answer_.residual[b];
  });
  std::vector<Sample> samples;
  std::vector<size_t> chosen;
  for (const size_t at : {size_t{0}, order.size() / 2, order.size() - 1}) {
    if (at < order.size() &&
        std::find(chosen.begin(), chosen.end(), order[at]) == chosen.end()) {
      chosen.push_back(order[at]);
    }
  }
  for (const size_t index : chosen) {
    const double omega = 2 * green::kPi * hz_[index];
    samples.push_back({hz_[index],
                       swept.model->Expand(swept.model->Evaluate(omega)),
                       {},
                       answer_.residual[index]});
  }
  for (const SweepResult::Kept& kept : swept.kept) {
    samples.push_back({hz_[kept.index], kept.currents, kept.charges,
                       answer_.residual[kept.index]});
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
  auto& checks = answer_.verification.checks;
  checks.push_back({"reciprocity",
                    "greatest |Yab - Yba| of solutions, of greatest |Yab|",
                    asymmetry_, 1e-6, asymmetry_ <= 1e-6});
  for (Check& check : CheckScattering(answer_.s, lossless)) {
    checks.push_back(std::move(check));
  }
  if (swept.measured) {
    checks.push_back(
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
    ASSAY_ASSIGN(found, CheckResiduals(mesh(), options_, samples, rows));
    for (Check& check : found) checks.push_back(std::move(check));
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
  for (const size_t index : fields_at_) {
    if (index < hz_.size()) continue;
    return Error{
        Code::kInvalidInput,
        fmt::format("there is no frequency {} whose fields to keep", index),
        ""};
  }
  ASSAY_TRY(Choose());
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
