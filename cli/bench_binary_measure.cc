// Medians over submissions that last long enough for a clock.
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_binary_measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "assay/base/progress.h"
#include "assay/base/text.h"
#include "assay/binary/prove.h"
#include "assay/binary/verify.h"
#include "assay/binary/workload.h"

namespace assay::cli {
namespace {

using binary::Work;
using binary::Workload;

// A submission repeats a dispatch until it lasts so long.
constexpr double kLeastSeconds = 1e-3;
constexpr int kMostRepeats = 64;
constexpr int kWarmUps = 2;
// Compared with their meanings.
constexpr uint64_t kCompared = uint64_t{1} << 16;
// Other vector targets go on as they are beyond so many bytes or so long.
constexpr uint64_t kMostOfTarget = uint64_t{1} << 26;
constexpr double kMostSecondsOfTarget = 0.05;
// Less may lie in caches.
constexpr double kLeastRoofBytes = 0x1p28;
// Columns beyond this time are left out.
constexpr double kMostLoadSeconds = 30;
constexpr int kLeastVariables = 10;
constexpr int kMostVerified = 16;  // the verifier reads every column

double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

std::string_view FigureOf(Work work) {
  switch (work) {
    case Work::kRead: return kReadFigure;
    case Work::kGhash: return "GHASH";
    case Work::kAes128Gcm:
    case Work::kAes256Gcm: return "AES-GCM";
    case Work::kReedSolomon: return "Reed-Solomon";
    default: return "CRC";
  }
}

void SetTimes(std::vector<double> seconds, BenchPoint& point) {
  std::sort(seconds.begin(), seconds.end());
  point.runs = static_cast<int>(seconds.size());
  point.median_s = seconds[seconds.size() / 2];
  point.least_s = seconds.front();
  point.most_s = seconds.back();
}

class Measurer {
 public:
  Measurer(Runtime& runtime, const BenchBinaryArgs& args,
           const Progress& progress, const CurveSink& sink, std::string name,
           BenchBinaryData* data)
      : runtime_(runtime),
        device_(runtime.device()),
        args_(args),
        progress_(progress),
        sink_(sink),
        name_(std::move(name)),
        data_(data) {}

  Status Run() {
    const DeviceInfo& info = device_.info();
    data_->devices.push_back(
        {name_, fmt::format("{}, {}", info.name, info.detail), 0, 0, {}});
    ASSAY_TRY(Throughput());
    // The memory goes to the columns.
    for (int d = 1; d <= binary::kMaxFactors; ++d) ASSAY_TRY(Sums(d));
    return {};
  }

 private:
  BenchDevice& described() { return data_->devices.back(); }
  void Note(std::string note) { described().notes.push_back(std::move(note)); }

  Status Step(const std::string& curve, double x) {
    if (!progress_ || progress_(curve, static_cast<uint64_t>(x), 0)) return {};
    return Cancelled("the bench");
  }

  void Keep(std::vector<BenchPoint> points) {
    if (points.empty()) return;
    for (BenchPoint& point : points) {
      point.device = name_;
      point.roof = point.moved_bytes > 0 ? described().roof : 0;
    }
    BenchCurve curve = {points[0].figure, points[0].curve, name_, {}};
    for (const BenchPoint& point : points) curve.points.push_back(&point);
    sink_(curve);
    data_->points.insert(data_->points.end(), points.begin(), points.end());
  }

  // Seconds of `count` dispatches; in kernels, or by the host's clock where
  // the device has none.
  struct Seconds {
    double kernels = 0, host = 0;
  };
  Result<Seconds> Once(const Workload& load, Work work, uint64_t bytes,
                       int count) {
    Recorder recorder = device_.Record("bench");
    for (int i = 0; i < count; ++i) load.Record(recorder, work, bytes);
    const auto begin = std::chrono::steady_clock::now();
    ASSAY_TRY(device_.Run(std::move(recorder)));
    Seconds seconds;
    seconds.host = SecondsSince(begin) / count;
    Trace trace;
    device_.CollectSpans(trace);
    for (const Span& span : trace.spans()) {
      seconds.kernels += static_cast<double>(span.duration_ns) * 1e-9 / count;
    }
    if (seconds.kernels <= 0) seconds.kernels = seconds.host;
    return seconds;
  }

  Result<BenchPoint> Time(const Workload& load, Work work, uint64_t bytes) {
    double least = 1;
    for (int i = 0; i < kWarmUps; ++i) {
      ASSAY_ASSIGN(seconds, Once(load, work, bytes, 1));
      least = std::min(least, std::max(seconds.host, 1e-9));
    }
    const int count = static_cast<int>(
        std::clamp(kLeastSeconds / least, 1.0, double{kMostRepeats}));
    std::vector<double> kernels, host;
    for (int run = 0; run < args_.runs; ++run) {
      ASSAY_ASSIGN(seconds, Once(load, work, bytes, count));
      kernels.push_back(seconds.kernels);
      // What one dispatch costs who waits for it.
      ASSAY_ASSIGN(alone, Once(load, work, bytes, 1));
      host.push_back(alone.host);
    }
    BenchPoint point;
    SetTimes(std::move(host), point);
    point.host_s = point.median_s;
    SetTimes(std::move(kernels), point);
    point.figure = FigureOf(work);
    point.x = static_cast<double>(Workload::Input(work, bytes));
    point.moved_bytes = static_cast<double>(Workload::Moved(work, bytes));
    return point;
  }

  // One curve; with a kernel that the device does not have, a note.
  Status Curve(Workload& load, Work work, const std::string& curve,
               uint64_t most) {
    Status trusted = runtime_.Trust({binary::OpOf(work)});
    if (!trusted.ok()) {
      if (trusted.error().code != Code::kUnsupported) return trusted;
      Note(fmt::format("{}: {}", NameOf(work), trusted.error().what));
      return {};
    }
    most = std::min(most, load.Most(work));
    const Result<bool> agrees = load.Agrees(work, std::min(most, kCompared));
    if (!agrees.ok() && agrees.error().code == Code::kUnsupported) {
      Note(fmt::format("{}: {}", NameOf(work), agrees.error().what));
      return {};
    }
    if (!agrees.ok()) return agrees.error();
    if (!*agrees) {
      return Error{
          Code::kInternal,
          fmt::format("{} on {} is not what it should be", NameOf(work), name_),
          "run `assay selftest`"};
    }
    std::vector<BenchPoint> points;
    for (uint64_t bytes = Workload::kLeast; bytes <= most; bytes *= 2) {
      ASSAY_TRY(Step(curve, static_cast<double>(bytes)));
      ASSAY_ASSIGN(point, Time(load, work, bytes));
      point.curve = curve;
      const bool slow = point.median_s > kMostSecondsOfTarget;
      points.push_back(std::move(point));
      if (slow && most <= kMostOfTarget) break;
    }
    if (work == Work::kRead && !points.empty()) {
      described().roof = points.back().Rate();
      described().roof_bytes = points.back().x;
      if (described().roof_bytes < kLeastRoofBytes) {
        Note(
            fmt::format("what the memory gives was read from {}, which caches "
                        "may hold",
                        HumanBytes(most)));
      }
    }
    Keep(std::move(points));
    return {};
  }

  Status Throughput() {
    const uint64_t bytes = Workload::Fitting(device_, args_.max_bytes);
    if (bytes == 0) {
      Note("no input of the kernels fits the budget");
      return {};
    }
    if (bytes < args_.max_bytes) {
      Note(fmt::format("inputs end at {}: the budget is {}", HumanBytes(bytes),
                       HumanBytes(device_.budget().limit_bytes())));
    }
    // Trials take memory, too.
    for (const Work work : binary::kWorks) {
      const Status status = runtime_.Trust({binary::OpOf(work)});
      if (!status.ok() && status.error().code != Code::kUnsupported) {
        return status;
      }
    }
    ASSAY_ASSIGN(load, Workload::Make(device_, bytes));
    for (const Work work : binary::kWorks) {
      ASSAY_TRY(Curve(load, work, std::string(NameOf(work)), bytes));
    }
    if (device_.info().kind != BackendKind::kCpu) return {};
    ASSAY_TRY(Targets(load));
    for (const Work work : binary::kWorks) {
      if (Workload::HasPortable(work)) ASSAY_TRY(Portable(work));
    }
    return {};
  }

  // The processor without its widest vectors.
  Status Targets(Workload& load) {
    const std::vector<std::string> targets = CpuTargets();
    Status status;
    for (size_t i = 1; i < targets.size() && status.ok(); ++i) {
      if (targets[i] == "SCALAR") continue;  // Portable measures that
      ASSAY_TRY(UseCpuTarget(targets[i]));
      for (const Work work : {Work::kGhash, Work::kAes256Gcm}) {
        if (!status.ok()) break;
        status = Curve(load, work,
                       fmt::format("{}, {} alone", NameOf(work), targets[i]),
                       kMostOfTarget);
      }
    }
    ASSAY_TRY(UseCpuTarget(""));
    return status;
  }

  Status Portable(Work work) {
    const std::string curve =
        fmt::format("{}, portable, one thread", NameOf(work));
    std::vector<BenchPoint> points;
    const uint64_t most = std::min(args_.max_bytes, Workload::kMostPortable);
    for (uint64_t bytes = Workload::kLeast; bytes <= most; bytes *= 4) {
      ASSAY_TRY(Step(curve, static_cast<double>(bytes)));
      Workload::RunPortable(work, bytes);
      std::vector<double> seconds;
      for (int run = 0; run < args_.runs; ++run) {
        const auto begin = std::chrono::steady_clock::now();
        Workload::RunPortable(work, bytes);
        seconds.push_back(SecondsSince(begin));
      }
      BenchPoint point;
      SetTimes(std::move(seconds), point);
      point.host_s = point.median_s;
      point.figure = FigureOf(work);
      point.curve = curve;
      point.x = static_cast<double>(bytes);
      point.moved_bytes = static_cast<double>(Workload::Moved(work, bytes));
      points.push_back(std::move(point));
    }
    Keep(std::move(points));
    return {};
  }

  // Proofs of generated columns, which are loaded before the clock starts.
  Status Sums(int d) {
    const std::string curve = fmt::format("d={}", d);
    std::vector<BenchPoint> points;
    for (int n = kLeastVariables; n <= args_.max_n; n += 2) {
      ASSAY_TRY(Step(curve, n));
      const auto plan = binary::PlanSumcheck(n, d, device_);
      if (!plan.ok()) {
        if (plan.error().code != Code::kOverBudget) return plan.error();
        Note(plan.error().what);
        break;
      }
      ASSAY_TRY(binary::TrustSumcheck(runtime_, *plan));
      const auto begin = std::chrono::steady_clock::now();
      Result<BenchPoint> point = Proofs(*plan);
      if (!point.ok()) {
        if (point.error().code != Code::kUnsupported) return point.error();
        Note(fmt::format("sum-check: {}", point.error().what));
        break;
      }
      point->curve = curve;
      points.push_back(std::move(*point));
      if (n + 2 <= args_.max_n &&
          4 * SecondsSince(begin) / args_.runs > kMostLoadSeconds) {
        Note(
            fmt::format("sum-check, d={}: n ends at {}, larger columns take "
                        "more than {:.0f} s to make",
                        d, n, kMostLoadSeconds));
        break;
      }
    }
    Keep(std::move(points));
    return {};
  }

  Result<BenchPoint> Proofs(const binary::SumcheckPlan& plan) {
    const auto columns = binary::SeedColumns(1, plan.n, plan.d);
    std::vector<double> seconds;
    for (int run = -1; run < args_.runs; ++run) {
      ASSAY_ASSIGN(loaded, binary::LoadColumns(runtime_, plan, *columns));
      const auto begin = std::chrono::steady_clock::now();
      ASSAY_ASSIGN(proof, binary::Prove(runtime_, plan, std::move(loaded)));
      if (run >= 0) seconds.push_back(SecondsSince(begin));
      if (run >= 0) continue;
      binary::Verdict verdict = binary::Reduce(proof).verdict;
      if (verdict.accepted && plan.n <= kMostVerified) {
        ASSAY_ASSIGN(decided, binary::Verify(proof, *columns));
        verdict = decided;
      }
      if (!verdict.accepted) {
        return Error{Code::kInternal,
                     fmt::format("a proof on {} was rejected: {}", name_,
                                 verdict.detail),
                     "run `assay selftest`"};
      }
    }
    BenchPoint point;
    SetTimes(std::move(seconds), point);
    point.figure = kSumcheckFigure;
    point.x = plan.n;
    point.host_s = point.median_s;
    return point;
  }

  Runtime& runtime_;
  Device& device_;
  const BenchBinaryArgs& args_;
  const Progress& progress_;
  const CurveSink& sink_;
  std::string name_;
  BenchBinaryData* data_;
};

}  // namespace

Status MeasureBinary(Runtime& runtime, const std::string& name,
                     const BenchBinaryArgs& args, const Progress& progress,
                     const CurveSink& sink, BenchBinaryData* data) {
  return Measurer(runtime, args, progress, sink, name, data).Run();
}

}  // namespace assay::cli
