// Sweep frequencies with few exact solutions.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "assay/base/progress.h"
#include "assay/ops/green/images.h"
#include "assay/planar/blas.h"
#include "assay/planar/network.h"

namespace assay::planar {
namespace {

Status CheckFrequencies(std::span<const double> hz) {
  if (hz.empty()) {
    return Error{Code::kInvalidInput, "there are no frequencies", ""};
  }
  for (size_t i = 0; i < hz.size(); ++i) {
    if (!(hz[i] > 0 && std::isfinite(hz[i]))) {
      return Error{Code::kInvalidInput,
                   fmt::format("frequency {} is {} Hz", i + 1, hz[i]),
                   "positive numbers"};
    }
    if (i > 0 && !(hz[i] > hz[i - 1])) {
      return Error{Code::kInvalidInput,
                   fmt::format("frequency {} is {} Hz after {} Hz", i + 1,
                               hz[i], hz[i - 1]),
                   "each above the one before it"};
    }
  }
  return {};
}

class Sweeper {
 public:
  Sweeper(const Threads& threads, System& system, std::span<const double> hz,
          const SweepOptions& options, const Progress* progress)
      : threads_(threads),
        system_(system),
        hz_(hz),
        options_(options),
        progress_(progress),
        solved_(hz.size()) {
    result_.y.resize(hz.size());
    result_.residual.resize(hz.size());
    if (options_.z0.empty()) options_.z0.assign(system.ports(), 50.0);
  }

  Result<SweepResult> RunDirect();
  Result<SweepResult> RunAdaptive();

 private:
  double Omega(size_t index) const { return 2 * green::kPi * hz_[index]; }

  // Solves one frequency and returns its Y. The model, if any, learns it.
  Result<std::vector<Complex>> SolveAt(size_t index);
  // The unsolved frequency of the greatest residual; hz_.size() where none
  // is above the tolerance.
  size_t Worst();
  size_t WorstOf(size_t stride);  // among every stride-th
  // The unsolved frequency nearest to the middle of the largest gap between
  // solved ones; hz_.size() where all are solved.
  size_t MiddleOfLargestGap() const;

  const Threads& threads_;
  System& system_;
  std::span<const double> hz_;
  SweepOptions options_;
  const Progress* progress_;
  std::vector<uint8_t> solved_;
  // The model no longer learns: it is full, or would need every frequency.
  bool frozen_ = false;
  SweepResult result_;
};

Result<std::vector<Complex>> Sweeper::SolveAt(size_t index) {
  if (progress_ && *progress_ &&
      !(*progress_)(fmt::format("solve {:.4g} GHz", hz_[index] / 1e9),
                    result_.exact.size(), hz_.size())) {
    return Cancelled("the sweep");
  }
  ReducedModel* model = result_.model.get();
  const size_t n = system_.unknowns(), p = system_.ports();
  std::vector<Complex> x(n * p);
  if (model && model->basis() > 0) {
    const ReducedAnswer guess = model->Evaluate(Omega(index));
    if (std::isfinite(guess.residual)) x = model->Expand(guess);
  }
  const auto begin = std::chrono::steady_clock::now();
  ASSAY_ASSIGN(report, system_.Solve(Omega(index), x));
  result_.solve_s +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  std::vector<Complex> y = report.y;
  if (model && !frozen_) frozen_ = !model->Extend(x, report.backward_error);
  result_.y[index] = y;
  result_.residual[index] = report.backward_error;
  if (result_.kept.size() == 3) result_.kept.pop_back();
  result_.kept.push_back({index, std::move(x), std::move(report.charges)});
  result_.exact.push_back({index, std::move(report)});
  solved_[index] = 1;
  return y;
}

size_t Sweeper::WorstOf(size_t stride) {
  std::vector<size_t> open;
  for (size_t i = 0; i < hz_.size(); i += stride) {
    if (!solved_[i]) open.push_back(i);
  }
  std::vector<double> residual(open.size());
  threads_.For(open.size(), 1, [&](size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) {
      residual[k] = result_.model->Evaluate(Omega(open[k])).residual;
    }
  });
  size_t worst = hz_.size(), good = 0;
  double most = options_.tolerance;
  for (size_t k = 0; k < open.size(); ++k) {
    good += residual[k] < options_.tolerance;
    // NaN counts as bad.
    if (!(residual[k] < most)) {
      most = residual[k];
      worst = open[k];
    }
  }
  // A layout of many resonances: a third of the frequencies are solved, and
  // of no other is the model sure. It costs more than it will spare.
  frozen_ =
      frozen_ || (good == 0 && worst < hz_.size() &&
                  result_.exact.size() >= std::max<size_t>(8, hz_.size() / 3));
  return worst;
}

// Many frequencies are searched a few at a time first: neighbours' residuals
// are alike.
size_t Sweeper::Worst() {
  const size_t stride = std::max<size_t>(1, hz_.size() / 100);
  const size_t worst = WorstOf(stride);
  return worst < hz_.size() || stride == 1 ? worst : WorstOf(1);
}

size_t Sweeper::MiddleOfLargestGap() const {
  size_t best = hz_.size();
  double widest = 0;
  for (size_t low = 0; low < hz_.size();) {
    size_t high = low + 1;
    while (high < hz_.size() && !solved_[high]) ++high;
    if (high == hz_.size()) break;
    if (high > low + 1 && hz_[high] - hz_[low] > widest) {
      widest = hz_[high] - hz_[low];
      const double middle = (hz_[high] + hz_[low]) / 2;
      best = low + 1;
      for (size_t i = low + 1; i < high; ++i) {
        if (std::abs(hz_[i] - middle) < std::abs(hz_[best] - middle)) best = i;
      }
    }
    low = high;
  }
  return best;
}

Result<SweepResult> Sweeper::RunDirect() {
  for (size_t i = 0; i < hz_.size(); ++i) {
    ASSAY_TRY(SolveAt(i));
  }
  return std::move(result_);
}

Result<SweepResult> Sweeper::RunAdaptive() {
  result_.model = std::make_unique<ReducedModel>(
      threads_, system_, 2 * green::kPi * std::sqrt(hz_.front() * hz_.back()),
      std::min(options_.most_basis, 2 * system_.ports() * hz_.size()));
  ASSAY_TRY(SolveAt(0));
  if (hz_.size() > 1) ASSAY_TRY(SolveAt(hz_.size() - 1));
  while (true) {
    const size_t worst = Worst();
    if (worst < hz_.size()) {
      ASSAY_TRY(SolveAt(worst));
      continue;
    }
    const size_t middle = MiddleOfLargestGap();
    if (middle == hz_.size()) break;  // all were solved
    const auto predicted = result_.model->Evaluate(Omega(middle)).y;
    ASSAY_ASSIGN(found, SolveAt(middle));
    const double error = ScatteringDistance(predicted, found, options_.z0);
    result_.measured = MeasuredError{middle, error};
    // A new vector can also spoil the model, as its matrix is indefinite.
    if (error <= options_.tolerance && Worst() == hz_.size()) break;
  }
  // The error of a model that answers for no frequency is nobody's.
  if (std::ranges::all_of(solved_, [](auto is) { return is != 0; })) {
    result_.measured.reset();
  }
  threads_.For(hz_.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (!result_.y[i].empty()) continue;
      ReducedAnswer answer = result_.model->Evaluate(Omega(i));
      result_.y[i] = std::move(answer.y);
      result_.residual[i] = answer.residual;
    }
  });
  if (progress_ && *progress_) {
    (*progress_)("solve", hz_.size(), hz_.size());
  }
  return std::move(result_);
}

}  // namespace

bool SweepResult::IsExact(size_t index) const {
  return std::any_of(exact.begin(), exact.end(), [&](const ExactPoint& point) {
    return point.index == index;
  });
}

Result<SweepResult> Sweep(const Threads& threads, System& system,
                          std::span<const double> hz,
                          const SweepOptions& options,
                          const Progress* progress) {
  ASSAY_TRY(CheckFrequencies(hz));
  if (!(options.tolerance > 0)) {
    return Error{Code::kInvalidInput,
                 fmt::format("the tolerance is {}", options.tolerance),
                 "a positive number"};
  }
  if (!options.z0.empty() && options.z0.size() != system.ports()) {
    return Error{Code::kInvalidInput,
                 fmt::format("{} reference impedances for {} ports",
                             options.z0.size(), system.ports()),
                 ""};
  }
  // Threads are ours; the dense solver's fallbacks ask for BLAS's.
  const BlasThreads one(1);
  Sweeper sweeper(threads, system, hz, options, progress);
  return options.adaptive ? sweeper.RunAdaptive() : sweeper.RunDirect();
}

double ScatteringDistance(std::span<const std::complex<double>> y1,
                          std::span<const std::complex<double>> y2,
                          std::span<const double> z0) {
  const auto scattering = [&](std::span<const Complex> values) {
    PortMatrix y(z0.size());
    y.values.assign(values.begin(), values.end());
    return SFromY(y, z0);
  };
  const auto s1 = scattering(y1), s2 = scattering(y2);
  if (!s1.ok() || !s2.ok()) return INFINITY;
  double most = 0;
  for (size_t i = 0; i < s1->values.size(); ++i) {
    most = std::max(most, std::abs(s1->values[i] - s2->values[i]));
  }
  return most;
}

}  // namespace assay::planar
