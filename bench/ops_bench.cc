// Times every large case of every operation, kernel time alone.
// SPDX-License-Identifier: Apache-2.0
//
// assay_ops_bench [--benchmark_filter=REGEX] ...: the flags are
// google-benchmark's. Each case runs with one thread and with all.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "assay/device/open_device.h"
#include "assay/ops/op_list.h"

namespace {

// Uploads are not counted: a case reports the seconds spent in kernels.
void TimeCase(benchmark::State& state, assay::Device& device,
              const assay::OpCase& op_case) {
  for (auto _ : state) {
    const assay::CaseOutcome outcome =
        assay::RunCase(device, op_case, /*compare=*/false);
    if (!outcome.passed) {
      state.SkipWithError(outcome.detail.c_str());
      return;
    }
    state.SetIterationTime(outcome.seconds);
  }
  using benchmark::Counter;
  state.counters["bytes/s"] =
      Counter(static_cast<double>(op_case.bytes),
              Counter::kIsIterationInvariantRate, Counter::kIs1024);
  state.counters["ops/s"] = Counter(static_cast<double>(op_case.operations),
                                    Counter::kIsIterationInvariantRate);
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  std::vector<std::unique_ptr<assay::Device>> devices;
  for (const int threads : {1, 0}) {
    auto device = assay::OpenDevice("cpu", {.threads = threads});
    if (!device.ok()) {
      fmt::print(stderr, "error: {}\n", device.error().what);
      return 1;
    }
    // On a machine with one thread, all are one.
    if (devices.empty() || (*device)->info().threads > 1) {
      devices.push_back(std::move(*device));
    }
  }
  for (const assay::Op& op : assay::OpList()) {
    for (assay::OpCase& op_case : op.cases(assay::CaseSize::kLarge)) {
      for (const auto& device : devices) {
        benchmark::RegisterBenchmark(
            fmt::format("{} threads={}", op_case.name, device->info().threads)
                .c_str(),
            [&device = *device, op_case](benchmark::State& state) {
              TimeCase(state, device, op_case);
            })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
