// Choose a solver for a mesh and state its peak of memory beforehand.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "assay/base/text.h"
#include "assay/planar/blas.h"
#include "assay/planar/solve_dense.h"

namespace assay::planar {
namespace {

// The program, its libraries and small things.
constexpr double kProcessBytes = 32 << 20;

// Of the reduced model: V, and Q of each part's products (spec 10).
double ModelBytes(const Mesh& mesh, const Options& options) {
  if (options.direct) return 0;
  const double parts = 2 + (mesh.substrate.tand > 0) +
                       (mesh.conductor.sigma > 0) + options.ground_loss;
  // Half as much again: vectors double where they grow.
  return 8.0 * static_cast<double>(mesh.unknowns()) * kPlannedBasis *
         (1 + parts) * 1.5;
}

double DensePeak(const Mesh& mesh, const Options& options) {
  return kProcessBytes + ModelBytes(mesh, options) +
         110.0 * static_cast<double>(mesh.metal.size()) +
         DenseBytes(mesh.unknowns(), mesh.conductor.sigma > 0,
                    mesh.substrate.tand > 0, options.ground_loss);
}

double FastPeak(const Mesh& mesh, const Options& options,
                const FastOptions& fast) {
  return kProcessBytes + ModelBytes(mesh, options) + FastBytes(mesh, fast);
}

std::string Human(double bytes) {
  return HumanBytes(static_cast<uint64_t>(bytes));
}

}  // namespace

Result<Plan> MakePlan(const Mesh& mesh, const Options& options,
                      size_t frequencies, double lowest_hz,
                      uint64_t available_bytes) {
  Plan plan;
  const uint64_t budget = options.memory_bytes
                              ? std::min(options.memory_bytes, available_bytes)
                              : available_bytes;
  plan.budget_bytes = static_cast<double>(budget);
  // Exact solutions a hundredth as exact as the model (spec 10), and tighter
  // where they are the answer.
  plan.fast.tolerance =
      options.direct ? 1e-8 : std::clamp(1e-2 * options.tolerance, 1e-10, 1e-5);
  plan.fast.max_bytes = plan.budget_bytes;
  const size_t n = mesh.unknowns();
  const double dense = DensePeak(mesh, options);
  double fast = FastPeak(mesh, options, plan.fast);
  // Shorter cycles before giving up.
  while (fast > plan.budget_bytes && plan.fast.restart > 15) {
    plan.fast.restart -= 5;
    fast = FastPeak(mesh, options, plan.fast);
  }
  plan.solver = options.solver;
  if (plan.solver == Solver::kAuto) {
    const bool few = n < kCrossOver && frequencies > 0;
    plan.solver =
        few && lowest_hz >= kDenseLeastHz && dense <= plan.budget_bytes
            ? Solver::kDense
            : Solver::kFast;
  }
  plan.peak_bytes = plan.solver == Solver::kDense ? dense : fast;
  if (plan.peak_bytes > plan.budget_bytes) {
    const bool other =
        plan.solver == Solver::kDense && fast <= plan.budget_bytes;
    return Error{
        Code::kOverBudget,
        fmt::format("{} unknowns need {} with the {} solver; the budget is {}",
                    n, Human(plan.peak_bytes),
                    plan.solver == Solver::kDense ? "dense" : "fast",
                    Human(plan.budget_bytes)),
        other ? fmt::format("--solver fast needs {}", Human(fast))
              : "larger pixels, or raise --memory"};
  }
  if (plan.solver == Solver::kDense) {
    if (lowest_hz > 0 && lowest_hz < kDenseLeastHz) {
      plan.notes.push_back(fmt::format(
          "the dense solver loses digits below {:.0f} MHz, and more the lower "
          "it goes; --solver fast does not",
          kDenseLeastHz / 1e6));
    }
    const std::string kernels = BlasKernels();
    if (kernels == "Prescott" && n > 2000) {
      plan.notes.push_back(
          "OpenBLAS did not recognise this processor and runs at a fifth of "
          "its speed; set OPENBLAS_CORETYPE, for instance to SkylakeX or "
          "Haswell");
    }
  }
  return plan;
}

}  // namespace assay::planar
