// Times whole sum-check proofs on a GPU, the columns being there already.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "assay/binary/prove.h"
#include "bench/cuda_measure.h"
#include "bench/or_exit.h"

namespace assay::bench {
namespace {

constexpr int kRuns = 7;

struct Proved {
  double first_to_last = 0;  // seconds by events, all rounds
  double host = 0;           // seconds until the proof is there, checked
  std::map<std::string, double> kernels;  // by name and number
};

Proved ProveOnce(Runtime& runtime, const binary::SumcheckPlan& plan,
                 const binary::Columns& columns) {
  auto loaded = OrExit(binary::LoadColumns(runtime, plan, columns));
  Trace trace;
  (void)OrExit(binary::Prove(runtime, plan, std::move(loaded),
                             {.progress = {}, .trace = &trace}));
  Proved proved;
  proved.host = static_cast<double>(trace.NowNs()) / 1e9;
  int64_t begin = INT64_MAX, end = 0;
  int number = 0;
  for (const Span& span : trace.spans()) {
    if (span.device != "cuda") continue;
    begin = std::min(begin, span.start_ns);
    end = std::max(end, span.start_ns + span.duration_ns);
    proved.kernels[std::to_string(number++) + " " + span.name] =
        static_cast<double>(span.duration_ns) / 1e9;
  }
  proved.first_to_last = static_cast<double>(end - begin) / 1e9;
  return proved;
}

// A line a size; the kernels of a proof where `kernels`.
void BenchSize(Runtime& runtime, int n, int d, bool kernels) {
  const auto plan = binary::PlanSumcheck(n, d, runtime.device());
  if (!plan.ok()) {
    std::printf("%d %d: %s\n", n, d, plan.error().what.c_str());
    return;
  }
  const auto columns = binary::SeedColumns(1, n, d);
  std::vector<double> events, host;
  std::map<std::string, std::vector<double>> parts;
  for (int run = -2; run < kRuns; ++run) {
    const Proved proved = ProveOnce(runtime, *plan, *columns);
    if (run < 0) continue;
    events.push_back(proved.first_to_last);
    host.push_back(proved.host);
    for (const auto& [name, seconds] : proved.kernels) {
      parts[name].push_back(seconds);
    }
  }
  std::printf("%d %d %.4f %.4f\n", n, d, Median(events) * 1e3,
              Median(host) * 1e3);
  if (kernels) {
    for (const auto& [name, seconds] : parts) {
      std::printf("    %s %.1f us\n", name.c_str(), Median(seconds) * 1e6);
    }
  }
  std::fflush(stdout);
}

}  // namespace

void BenchSumcheck(Device& /*device*/) {
  const auto runtime = OrExit(Runtime::Open({.device = "cuda"}));
  std::printf("sum-check: n, d, ms by events, ms on the host; kernels\n");
  for (const int n : {10, 16, 20, 24, 25, 26, 27, 28}) {
    for (int d = 1; d <= 6; ++d) {
      BenchSize(*runtime, n, d, d >= 2 && d <= 4 && n % 4 == 0);
    }
  }
}

}  // namespace assay::bench
