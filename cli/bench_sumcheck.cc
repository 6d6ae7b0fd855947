// Times sum-check proofs of a generated instance, reading it not included.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "assay/base/text.h"
#include "assay/binary/prove.h"
#include "assay/binary/verify.h"
#include "cli/output.h"
#include "cli/sumcheck.h"

namespace assay::cli {
namespace {

struct Measured {
  std::string device;
  std::vector<double> prove_ms;  // sorted
  std::map<std::string, double> kernel_ms;
  uint64_t peak_bytes = 0;
  double verify_ms = 0;
  bool accepted = false;

  double MedianMs() const { return prove_ms[prove_ms.size() / 2]; }
};

Result<Measured> Measure(const BenchSumcheckArgs& args) {
  Measured measured;
  ASSAY_ASSIGN(runtime, Runtime::Open(args.runtime));
  Device& device = runtime->device();
  ASSAY_ASSIGN(plan, binary::PlanSumcheck(args.n, args.d, device));
  ASSAY_TRY(binary::TrustSumcheck(*runtime, plan));
  device.budget().ResetPeak();
  measured.device = device.info().name + ", " + device.info().detail;
  const auto columns = binary::SeedColumns(1, args.n, args.d);
  for (int run = 0; run < args.runs; ++run) {
    ASSAY_ASSIGN(loaded, binary::LoadColumns(*runtime, plan, *columns));
    Trace trace;
    ASSAY_ASSIGN(proof, binary::Prove(*runtime, plan, std::move(loaded),
                                      {.progress = {}, .trace = &trace}));
    measured.prove_ms.push_back(static_cast<double>(trace.NowNs()) / 1e6);
    for (const Trace::Total& total : trace.Totals()) {
      measured.kernel_ms[total.name] +=
          static_cast<double>(total.duration_ns) / 1e6 / args.runs;
    }
    if (run > 0) continue;
    const int64_t begin_ns = trace.NowNs();
    ASSAY_ASSIGN(verdict, binary::Verify(proof, *columns));
    measured.accepted = verdict.accepted;
    measured.verify_ms = static_cast<double>(trace.NowNs() - begin_ns) / 1e6;
  }
  measured.peak_bytes = device.budget().peak_bytes();
  std::sort(measured.prove_ms.begin(), measured.prove_ms.end());
  return measured;
}

}  // namespace

int RunBenchSumcheck(const BenchSumcheckArgs& args) {
  const Result<Measured> measured = Measure(args);
  if (!measured.ok()) return Fail(measured.error());
  const double column_bytes =
      16.0 * args.d * static_cast<double>(uint64_t{1} << args.n);
  if (args.json) {
    Json json = {{"n", args.n},
                 {"d", args.d},
                 {"runs", args.runs},
                 {"device", measured->device},
                 {"prove_ms", RoundMs(measured->MedianMs())},
                 {"prove_min_ms", RoundMs(measured->prove_ms.front())},
                 {"prove_max_ms", RoundMs(measured->prove_ms.back())},
                 {"column_bytes", column_bytes},
                 {"device_peak_bytes", measured->peak_bytes},
                 {"verify_ms", RoundMs(measured->verify_ms)},
                 {"accepted", measured->accepted}};
    for (const auto& [name, ms] : measured->kernel_ms) {
      json["kernel_ms"][name] = RoundMs(ms);
    }
    PrintJson(json);
  } else {
    std::vector<Row> rows = {
        {"device", measured->device},
        {"columns",
         fmt::format("{} of 2^{} elements, {}", args.d, args.n,
                     HumanBytes(static_cast<uint64_t>(column_bytes)))},
        {"proved in",
         fmt::format("{} (median of {}; {} to {})",
                     HumanTime(measured->MedianMs() / 1e3), args.runs,
                     HumanTime(measured->prove_ms.front() / 1e3),
                     HumanTime(measured->prove_ms.back() / 1e3))},
        {"peak on the device", HumanBytes(measured->peak_bytes)},
        {"verified",
         fmt::format("{} in {}", measured->accepted ? "accepted" : "REJECTED",
                     HumanTime(measured->verify_ms / 1e3))}};
    for (const auto& [name, ms] : measured->kernel_ms) {
      rows.emplace_back(name, HumanTime(ms / 1e3));
    }
    PrintRows(rows);
  }
  return measured->accepted ? kExitOk : kExitRejected;
}

}  // namespace assay::cli
