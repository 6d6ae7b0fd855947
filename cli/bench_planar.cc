// Times whole sweeps of layouts that are made in code.
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_planar.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "assay/base/parallel.h"
#include "assay/base/text.h"
#include "assay/planar/simulate.h"
#include "cli/bench_layouts.h"
#include "cli/host.h"
#include "cli/output.h"
#include "cli/progress_bar.h"

namespace assay::cli {
namespace {

struct Run {
  double total_s = 0;
  double cpu_s = 0;
  planar::Answer answer;
};

Result<Run> Once(const Threads& threads, const BenchCase& bench,
                 const planar::Options& options) {
  ASSAY_ASSIGN(
      hz, planar::LinearFrequencies(bench.from_hz, bench.to_hz, bench.points));
  ProgressBar bar(bench.name);
  const Progress sink = bar.Sink();
  Run run;
  const double cpu_ms = ProcessCpuMs();
  const auto begin = std::chrono::steady_clock::now();
  ASSAY_ASSIGN(answer,
               planar::Simulate(threads, bench.layout, hz, options, {}, &sink));
  run.total_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  run.cpu_s = (ProcessCpuMs() - cpu_ms) / 1e3;
  run.answer = std::move(answer);
  return run;
}

const char* NameOf(planar::Solver solver) {
  return solver == planar::Solver::kDense ? "dense" : "fast";
}

Status Measure(const Threads& threads, const BenchCase& bench,
               const BenchPlanarArgs& args) {
  ResetPeakResident();
  std::vector<Run> runs;
  for (int i = 0; i < args.runs; ++i) {
    ASSAY_ASSIGN(run, Once(threads, bench, args.options));
    if (!run.answer.verification.passed()) {
      return Error{Code::kInternal,
                   bench.name + ": the answer did not pass its tests", ""};
    }
    runs.push_back(std::move(run));
  }
  std::sort(runs.begin(), runs.end(),
            [](const Run& a, const Run& b) { return a.total_s < b.total_s; });
  const Run& median = runs[runs.size() / 2];
  const planar::Answer& answer = median.answer;
  const size_t unknowns = answer.raster.mesh.unknowns();
  int steps = 0, most = 0;
  for (const planar::ExactPoint& point : answer.exact) {
    steps += point.report.steps;
    most = std::max(most, point.report.steps);
  }
  const uint64_t peak = PeakResidentBytes();
  const planar::Costs& costs = answer.costs;
  if (args.json) {
    const Json json = {{"case", bench.name},
                       {"unknowns", unknowns},
                       {"solver", NameOf(answer.solver)},
                       {"points", bench.points},
                       {"threads", threads.count()},
                       {"runs", args.runs},
                       {"total_s", median.total_s},
                       {"least_s", runs.front().total_s},
                       {"cpu_s", median.cpu_s},
                       {"assemble_s", costs.assemble_s},
                       {"solve_s", costs.solve_s},
                       {"reduce_s", costs.reduce_s},
                       {"verify_s", costs.verify_s},
                       {"exact_solves", answer.exact.size()},
                       {"steps", steps},
                       {"most_steps", most},
                       {"basis", costs.basis},
                       {"peak_bytes", peak},
                       {"planned_bytes", costs.planned_bytes},
                       {"published", bench.published}};
    PrintLine(json);
    return {};
  }
  Print(fmt::format(
      "{:<10} {:>8} {:<5} {:>3} points: {:>8} (least {}, processor {})\n"
      "           assembly {}, {} exact solutions {} ({} steps, {} at most), "
      "model of {} {}, tests {}\n"
      "           peak {} (planned {}){}{}\n",
      bench.name, unknowns, NameOf(answer.solver), bench.points,
      HumanTime(median.total_s), HumanTime(runs.front().total_s),
      HumanTime(median.cpu_s), HumanTime(costs.assemble_s), answer.exact.size(),
      HumanTime(costs.solve_s), steps, most, costs.basis,
      HumanTime(costs.reduce_s), HumanTime(costs.verify_s), HumanBytes(peak),
      HumanBytes(static_cast<uint64_t>(costs.planned_bytes)),
      bench.published.empty() ? "" : "; ", bench.published));
  return {};
}

}  // namespace

int RunBenchPlanar(const BenchPlanarArgs& args) {
  std::vector<BenchCase> cases = args.growth ? GrowthCases() : BenchCases();
  if (!args.growth && args.which != "all") {
    std::erase_if(cases, [&](const BenchCase& bench) {
      return bench.name != args.which;
    });
    if (cases.empty()) {
      return Fail({Code::kInvalidInput,
                   fmt::format("there is no case {}", args.which),
                   "seed, sheet, large, blocks, or all"});
    }
  }
  const Threads threads(args.threads);
  for (const BenchCase& bench : cases) {
    if (const Status status = Measure(threads, bench, args); !status.ok()) {
      return Fail(status.error());
    }
  }
  return 0;
}

}  // namespace assay::cli
