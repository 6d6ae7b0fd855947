// Goes through the devices, prints what each curve says, writes the files.
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "assay/base/files.h"
#include "assay/base/text.h"
#include "cli/bench_binary_data.h"
#include "cli/bench_binary_measure.h"
#include "cli/output_folder.h"
#include "cli/progress_bar.h"

namespace assay::cli {
namespace {

constexpr uint64_t kLeastBytes = 1024;
constexpr uint64_t kMostCsvBytes = uint64_t{64} << 20;

// "auto": the processor and the first GPU by CUDA. WebGPU, which may be the
// same GPU or none, is measured when it is named.
std::vector<std::string> DevicesOf(const std::string& device) {
  if (device != "auto") return {device};
  std::vector<std::string> names = {"cpu"};
  for (const DeviceInfo& info : ListDevices()) {
    if (info.kind == BackendKind::kCuda && info.index == 0) {
      names.emplace_back("cuda");
    }
  }
  return names;
}

Result<std::vector<BenchPoint>> ReadOthers(
    const std::vector<std::string>& paths) {
  std::vector<BenchPoint> all;
  for (const std::string& path : paths) {
    ASSAY_ASSIGN(bytes, ReadFile(path, kMostCsvBytes));
    Result<std::vector<BenchPoint>> points = ParseBenchCsv(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (!points.ok()) {
      return Error{points.error().code,
                   fmt::format("{}, {}", path, points.error().what),
                   points.error().hint};
    }
    all.insert(all.end(), points->begin(), points->end());
  }
  return all;
}

std::string SayX(const BenchPoint& point) {
  return point.OfBytes() ? HumanBytes(static_cast<uint64_t>(point.x))
                         : fmt::format("n={:.0f}", point.x);
}

// The fastest and the largest of a curve; of proofs some.
void PrintCurve(const BenchCurve& curve) {
  std::string says;
  const BenchPoint& last = *curve.points.back();
  if (last.OfBytes()) {
    const BenchPoint& best =
        **std::max_element(curve.points.begin(), curve.points.end(),
                           [](const BenchPoint* a, const BenchPoint* b) {
                             return a->Rate() < b->Rate();
                           });
    says = fmt::format("{} at {}, {} at {}", SayRate(best.Rate()), SayX(best),
                       SayRate(last.Rate()), SayX(last));
    if (last.roof > 0 && curve.figure != kReadFigure) {
      says += fmt::format(" ({:.0f} % of memory)", 100 * last.Share());
    }
  } else {
    for (const BenchPoint* point : curve.points) {
      if (point != &last && std::fmod(point->x, 4) != 0) continue;
      says += fmt::format("{}{} {}", says.empty() ? "" : ", ", SayX(*point),
                          HumanTime(point->median_s));
    }
  }
  Print(fmt::format("{:<7} {:<12} {:<34} {}\n", curve.device, curve.figure,
                    curve.curve, says));
  std::fflush(stdout);
}

Result<BenchBinaryData> Measure(const BenchBinaryArgs& args) {
  BenchBinaryData data;
  ASSAY_ASSIGN(others, ReadOthers(args.with));
  const DeviceInfo host = ListDevices().front();
  data.host = fmt::format("{}, {}", host.name, host.detail);
  ProgressBar bar("bench");
  const Progress progress = bar.Sink();
  for (const std::string& name : DevicesOf(args.runtime.device)) {
    RuntimeOptions options = args.runtime;
    options.device = name;
    ASSAY_ASSIGN(runtime, Runtime::Open(options));
    const auto sink = [&](const BenchCurve& curve) {
      if (!args.json) PrintCurve(curve);
    };
    ASSAY_TRY(MeasureBinary(*runtime, name, args, progress, sink, &data));
  }
  data.points.insert(data.points.end(), others.begin(), others.end());
  return data;
}

// All of them, or none.
Status WriteFiles(const std::string& folder, const BenchBinaryData& data) {
  std::vector<AtomicWrite> files;
  for (const auto& [name, text] : {std::pair("binary.csv", BenchCsv(data)),
                                   {"binary.json", DumpJson(BenchJson(data))},
                                   {"binary.html", BenchPage(data)}}) {
    ASSAY_ASSIGN(file,
                 AtomicWrite::Prepare(
                     (std::filesystem::path(folder) / name).string(), text));
    files.push_back(std::move(file));
  }
  return CommitAll(files);
}

}  // namespace

int RunBenchBinary(const BenchBinaryArgs& args) {
  if (args.max_bytes < kLeastBytes) {
    return Fail(
        {Code::kInvalidInput,
         fmt::format("--max-bytes is {}; inputs begin at {}",
                     HumanBytes(args.max_bytes), HumanBytes(kLeastBytes)),
         ""});
  }
  OutputFolder folder(args.out);
  if (const Status made = folder.Make(); !made.ok()) return Fail(made.error());
  const Result<BenchBinaryData> data = Measure(args);
  if (!data.ok()) return Fail(data.error());
  if (const Status status = WriteFiles(args.out, *data); !status.ok()) {
    return Fail(status.error());
  }
  if (args.json) {
    PrintJson(BenchJson(*data));
    return kExitOk;
  }
  std::vector<Row> rows = {{"host", data->host}};
  for (const BenchDevice& device : data->devices) {
    rows.emplace_back(device.device, device.title);
    if (device.roof > 0) {
      rows.emplace_back(
          "  memory",
          fmt::format("{} read, {} at a time", SayRate(device.roof),
                      HumanBytes(static_cast<uint64_t>(device.roof_bytes))));
    }
    for (const std::string& note : device.notes) {
      rows.emplace_back("  note", note);
    }
  }
  rows.emplace_back("files",
                    fmt::format("{}/binary.csv, .json, .html", args.out));
  PrintRows(rows);
  return kExitOk;
}

}  // namespace assay::cli
