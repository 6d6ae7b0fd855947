// Times the proof of a seeded instance and splits the time into steps.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "assay/base/text.h"
#include "assay/whir/instance.h"
#include "assay/whir/plan.h"
#include "assay/whir/prove.h"
#include "cli/bench.h"
#include "cli/check.h"
#include "cli/host.h"
#include "cli/progress_bar.h"
#include "cli/verbs.h"
#include "cli/whir_device.h"
#include "cli/whir_steps.h"

namespace assay::cli {
namespace {

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half]
                                : (values[half - 1] + values[half]) / 2;
}

// The median of one member over the runs.
template <class Get>
double MedianOf(const std::vector<Figures>& runs, Get&& get) {
  std::vector<double> values;
  for (const Figures& run : runs) values.push_back(get(run));
  return Median(std::move(values));
}

struct Instance {
  uint64_t seed = 0;
  std::vector<BabyBear> evals;
  std::vector<whir::Point> points;  // in GIVEN mode
};

// Kernels by name and device, the longest first, and what they had to do.
std::vector<KernelFigure> Kernels(const Trace& trace, const whir::Plan& plan) {
  std::vector<KernelFigure> kernels;
  for (const Span& span : trace.spans()) {
    if (span.device == "host") continue;
    const auto same = [&](const KernelFigure& kernel) {
      return kernel.name == span.name && kernel.device == span.device;
    };
    auto found = std::find_if(kernels.begin(), kernels.end(), same);
    if (found == kernels.end()) {
      kernels.push_back({span.name, span.device});
      found = kernels.end() - 1;
    }
    found->ms += static_cast<double>(span.duration_ns) / 1e6;
    ++found->calls;
  }
  std::sort(
      kernels.begin(), kernels.end(),
      [](const KernelFigure& a, const KernelFigure& b) { return a.ms > b.ms; });
  // Work is that of the kernel's own device: the one where it takes longest.
  for (const whir::KernelWork& work : whir::WorkOf(plan)) {
    const auto found = std::find_if(
        kernels.begin(), kernels.end(),
        [&](const KernelFigure& kernel) { return kernel.name == work.kernel; });
    if (found == kernels.end()) continue;
    found->bytes = work.bytes;
    found->products = work.products;
  }
  return kernels;
}

Result<Figures> MeasureOnce(Runtime& runtime, const whir::Plan& plan,
                            const Instance& instance, whir::Offload offload,
                            bool timed) {
  Figures run;
  run.parameters = plan.schedule.parameters;
  run.offload = offload;
  Device& device = runtime.device();
  device.budget().ResetPeak();
  ProgressBar bar("proving");
  Trace trace;
  whir::ProveContext context;
  context.progress = bar.Sink();
  context.offload = offload;
  context.traffic = &run.traffic;
  if (timed) context.trace = &trace;
  const double cpu_begin_ms = ProcessCpuMs();
  const int64_t begin_ns = trace.NowNs();
  ASSAY_ASSIGN(proof, whir::Prove(runtime, plan, instance.evals,
                                  instance.points, context));
  run.prove_ms = static_cast<double>(trace.NowNs() - begin_ns) / 1e6;
  run.prove_cpu_ms = ProcessCpuMs() - cpu_begin_ms;
  run.device_peak_bytes = device.budget().peak_bytes();
  run.steps = WhirSteps(trace, run.prove_ms);
  if (timed) run.kernels = Kernels(trace, plan);

  const std::vector<std::byte> bytes =
      whir::Encode({run.parameters, instance.seed, std::move(proof)});
  run.proof_bytes = bytes.size();
  const Checked checked = CheckProof(bytes, Policy{.any = true}, nullptr);
  if (!checked.verdict.accepted) {
    return Error{Code::kInternal,
                 fmt::format("the finished proof was rejected ({}: {})",
                             checked.verdict.check, checked.verdict.detail),
                 "assay selftest tries each kernel on this machine"};
  }
  run.verify_ms = checked.verify_ms;
  return run;
}

std::vector<Step> MedianSteps(const std::vector<Figures>& runs,
                              double total_ms) {
  std::vector<Step> steps = runs.front().steps;
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i].ms =
        MedianOf(runs, [i](const Figures& run) { return run.steps[i].ms; });
    steps[i].share = total_ms > 0 ? steps[i].ms / total_ms : 0;
  }
  return steps;
}

std::vector<Row> Rows(const Figures& f, const DeviceInfo& device) {
  std::vector<Row> rows = {
      {"configuration", ParametersWords(f.parameters)},
      {"soundness", SoundnessWords(f.parameters)},
      {"device", fmt::format("{}, {}", device.name, device.detail)},
      {"prove",
       fmt::format("{} (median of {}, least {})", HumanTime(f.prove_ms / 1e3),
                   f.runs, HumanTime(f.prove_min_ms / 1e3))},
      {"processor time", HumanTime(f.prove_cpu_ms / 1e3)},
      {"verify", HumanTime(f.verify_ms / 1e3)},
      {"proof", fmt::format("{} bytes", f.proof_bytes)},
      {"offload", fmt::format("{}: {} submissions, {} of them waited for",
                              OffloadName(f.offload), f.traffic.submissions,
                              f.traffic.waits)},
      {"peak memory",
       fmt::format("{} process, {} device (planned {})",
                   HumanBytes(f.peak_bytes), HumanBytes(f.device_peak_bytes),
                   HumanBytes(f.planned_peak_bytes))},
  };
  for (const Step& step : f.steps) {
    rows.emplace_back("  " + step.name,
                      fmt::format("{:>8} {:>5.1f} %", HumanTime(step.ms / 1e3),
                                  step.share * 100));
  }
  return rows;
}

}  // namespace

Result<Figures> MeasureWhir(Runtime& runtime,
                            const whir::Parameters& parameters, uint64_t seed,
                            int runs, whir::Offload offload) {
  ASSAY_ASSIGN(plan, whir::MakePlan(parameters, runtime, offload));
  const whir::Parameters& canonical = plan.schedule.parameters;
  // The kernels are tried before the clock starts, not in the first run.
  ASSAY_TRY(whir::TrustDevices(runtime, plan, offload));
  runtime.device().Trim();
  ResetPeakResident();
  Instance instance = {
      .seed = seed, .evals = whir::SeedEvals(seed, canonical.n), .points = {}};
  if (canonical.mode == whir::Mode::kGiven) {
    instance.points = whir::SeedPoints(seed, canonical.n, canonical.points);
  }
  const bool processor = runtime.device().info().kind == BackendKind::kCpu;
  std::vector<Figures> timed;
  if (!processor) {
    ASSAY_ASSIGN(run, MeasureOnce(runtime, plan, instance, offload, true));
    timed.push_back(std::move(run));
  }
  std::vector<Figures> all;
  for (int i = 0; i < runs; ++i) {
    ASSAY_ASSIGN(run, MeasureOnce(runtime, plan, instance, offload, processor));
    all.push_back(std::move(run));
  }
  if (processor) timed = all;
  Figures f = all.front();
  f.runs = runs;
  f.prove_ms = MedianOf(all, [](const Figures& r) { return r.prove_ms; });
  f.prove_cpu_ms =
      MedianOf(all, [](const Figures& r) { return r.prove_cpu_ms; });
  f.verify_ms = MedianOf(all, [](const Figures& r) { return r.verify_ms; });
  f.prove_min_ms = f.prove_ms;
  for (const Figures& run : all) {
    f.prove_min_ms = std::min(f.prove_min_ms, run.prove_ms);
    f.device_peak_bytes = std::max(f.device_peak_bytes, run.device_peak_bytes);
  }
  f.kernels = timed.front().kernels;
  f.steps = MedianSteps(
      timed, MedianOf(timed, [](const Figures& r) { return r.prove_ms; }));
  f.planned_peak_bytes = plan.peak_bytes;
  f.peak_bytes = PeakResidentBytes();
  return f;
}

Json KernelsJson(const std::vector<KernelFigure>& kernels) {
  Json json = Json::array();
  for (const KernelFigure& kernel : kernels) {
    json.push_back({{"kernel", kernel.name},
                    {"device", kernel.device},
                    {"ms", RoundMs(kernel.ms)},
                    {"calls", kernel.calls},
                    {"bytes", kernel.bytes},
                    {"products", kernel.products}});
  }
  return json;
}

Json FiguresJson(const Figures& f) {
  return {{"parameters", ParametersJson(f.parameters)},
          {"runs", f.runs},
          {"prove_ms", RoundMs(f.prove_ms)},
          {"prove_min_ms", RoundMs(f.prove_min_ms)},
          {"prove_cpu_ms", RoundMs(f.prove_cpu_ms)},
          {"verify_ms", RoundMs(f.verify_ms)},
          {"proof_bytes", f.proof_bytes},
          {"peak_bytes", f.peak_bytes},
          {"device_peak_bytes", f.device_peak_bytes},
          {"planned_peak_bytes", f.planned_peak_bytes},
          {"offload", OffloadName(f.offload)},
          {"submissions", f.traffic.submissions},
          {"waits", f.traffic.waits},
          {"uploads", f.traffic.uploads},
          {"steps", StepsJson(f.steps)},
          {"kernels", KernelsJson(f.kernels)}};
}

int RunBenchWhir(const BenchWhirArgs& args) {
  const Result<uint64_t> seed = ParseUnsigned(args.seed);
  if (!seed.ok()) return Fail(seed.error());
  if (args.grid && args.parameters.n != 0) {
    return Fail({Code::kInvalidInput,
                 "--grid has its own sizes and takes no N, FOLD or RATE",
                 "assay bench whir --grid --max-n 20 shortens it"});
  }
  if (!args.grid && args.parameters.n == 0) {
    return Fail({Code::kInvalidInput, "the number of variables is missing",
                 "assay bench whir 20 4 1, or assay bench whir --grid"});
  }
  if (!args.grid && !args.out.empty()) {
    return Fail({Code::kInvalidInput, "--out is for the files of --grid",
                 "--json gives the figures of one configuration"});
  }
  if (args.grid) {
    Result<std::unique_ptr<Runtime>> runtime =
        Runtime::Open(args.device.runtime);
    if (!runtime.ok()) return Fail(runtime.error());
    return RunGrid(args, **runtime, *seed);
  }
  Result<WhirOpened> opened = OpenForProof(args.parameters, args.device);
  if (!opened.ok()) return Fail(opened.error());
  for (const std::string& note : opened->notes) Warn(note);
  Runtime* runtime = opened->runtime.get();
  const Result<Figures> figures = MeasureWhir(*runtime, args.parameters, *seed,
                                              args.runs, args.device.offload);
  if (!figures.ok()) return Fail(figures.error());
  const DeviceInfo& device = runtime->device().info();
  if (args.json) {
    Json json = FiguresJson(*figures);
    json["device"] = device.name;
    json["device_detail"] = device.detail;
    json["threads"] = device.threads;
    PrintJson(json);
  } else {
    PrintRows(Rows(*figures, device));
  }
  return kExitOk;
}

}  // namespace assay::cli
