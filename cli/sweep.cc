// One layout after the other: simulate, look at the tests, write together.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "assay/base/options.h"
#include "assay/base/parallel.h"
#include "assay/base/text.h"
#include "assay/base/trace.h"
#include "assay/planar/simulate.h"
#include "cli/host.h"
#include "cli/output.h"
#include "cli/progress_bar.h"
#include "cli/sweep_csv.h"
#include "cli/sweep_fields.h"
#include "cli/sweep_files.h"
#include "cli/sweep_output.h"
#include "cli/sweep_report.h"
#include "cli/sweep_shift.h"

namespace assay::cli {
namespace {

using planar::Answer;

// A span for each stage that the engine reports, and the bar behind it.
class StageTrace {
 public:
  explicit StageTrace(Progress next) : next_(std::move(next)) {}

  Progress Sink() {
    return [this](std::string_view stage, uint64_t done, uint64_t total) {
      if (stage != stage_) {
        Close();
        stage_ = stage;
        begin_ns_ = trace_.NowNs();
      }
      return next_(stage, done, total);
    };
  }

  std::string ToChromeJson() {
    Close();
    return trace_.ToChromeJson();
  }

 private:
  void Close() {
    if (stage_.empty()) return;
    trace_.Add(
        {stage_, "sweep", begin_ns_, trace_.NowNs() - begin_ns_, "host"});
    stage_.clear();
  }

  Progress next_;
  Trace trace_;
  std::string stage_;
  int64_t begin_ns_ = 0;
};

// What all layouts share.
struct Work {
  const SweepArgs& args;
  Threads threads;
  std::vector<double> hz;
  std::vector<size_t> field_at;  // empty: chosen from the answer
  bool fields = false;
  bool printed = false;  // rows of a layout before

  explicit Work(const SweepArgs& all) : args(all), threads(all.threads) {}
};

Status Prepare(Work& work) {
  const SweepArgs& args = work.args;
  if (args.parameters != Parameters::kS && args.csv.empty()) {
    return Error{Code::kInvalidInput, "--parameters without --csv",
                 "--out holds S, --json holds S, Y and Z"};
  }
  ASSAY_ASSIGN(hz, ReadFrequencies(args.frequencies));
  work.hz = std::move(hz);
  work.fields = args.options.fields || !args.pictures.empty();
  if (args.fields_at.empty()) return {};
  if (!work.fields) {
    return Error{Code::kInvalidInput, "--fields-at without --currents",
                 "--currents keeps currents, --pictures draws them"};
  }
  ASSAY_ASSIGN(indices, NearestTo(args.fields_at, work.hz));
  work.field_at = std::move(indices);
  return {};
}

// Where the telling frequencies are is known only after the sweep: they are
// solved once more, exactly, with their fields.
Status AddFields(const Work& work, const planar::Layout& layout,
                 const Progress& progress, Answer& answer) {
  const std::vector<size_t> telling = TellingFrequencies(answer);
  std::vector<double> hz;
  std::vector<size_t> all;
  for (const size_t index : telling) {
    all.push_back(hz.size());
    hz.push_back(answer.hz[index]);
  }
  planar::Options options = work.args.options;
  options.fields = true;
  options.direct = true;
  ASSAY_ASSIGN(exact, planar::Simulate(work.threads, layout, hz, options, all,
                                       &progress));
  for (planar::Field& field : exact.fields) {
    field.index = telling[field.index];
    answer.fields.push_back(std::move(field));
  }
  for (planar::Check& check : exact.verification.checks) {
    check.name = "fields: " + check.name;
    answer.verification.checks.push_back(std::move(check));
  }
  answer.costs.solve_s += exact.costs.solve_s;
  answer.costs.assemble_s += exact.costs.assemble_s;
  answer.costs.verify_s += exact.costs.verify_s;
  return {};
}

Result<Answer> Solve(const Work& work, const SweepJob& job,
                     const Progress& progress) {
  const planar::Layout& layout = *job.layout;
  planar::Options options = work.args.options;
  options.fields = !work.field_at.empty();
  ASSAY_ASSIGN(answer, planar::Simulate(work.threads, layout, work.hz, options,
                                        work.field_at, &progress));
  if (work.fields && !options.fields) {
    ASSAY_TRY(AddFields(work, layout, progress, answer));
  }
  if (!job.shift_m.empty()) {
    ASSAY_TRY(ShiftAnswer(job.shift_m, options.ground_loss, answer));
  }
  return std::move(answer);
}

std::string Page(const Work& work, const SweepJob& job, const Answer& answer,
                 const SweepFigures& figures) {
  SweepNotes notes;
  planar::Options options = work.args.options;
  OptionTable table;
  Describe(table, options);
  for (const Option& option : table.options()) {
    notes.parameters.emplace_back("--" + option.name, option.get());
  }
  notes.planes = ShiftWords(job);
  notes.figures = {
      {"the whole sweep", HumanTime(figures.sweep_s)},
      {"peak memory of the process", HumanBytes(figures.peak_bytes)},
  };
  return SweepReport(*job.layout, answer, notes);
}

Status Write(const Work& work, const SweepJob& job, const Answer& answer,
             const SweepFigures& figures, StageTrace& trace,
             std::vector<std::string>& written) {
  std::vector<Output> outputs;
  if (!job.pictures.empty()) {
    ASSAY_ASSIGN(pictures, DrawFields(answer, job.pictures, job.name));
    outputs = std::move(pictures);
  }
  if (!job.trace.empty()) {
    outputs.push_back(TextOutput(job.trace, trace.ToChromeJson()));
  }
  if (!job.report.empty()) {
    outputs.push_back(TextOutput(job.report, Page(work, job, answer, figures)));
  }
  if (!job.csv.empty()) {
    outputs.push_back(
        TextOutput(job.csv, SweepCsv(answer, work.args.parameters)));
  }
  if (!job.touchstone.empty()) {
    ASSAY_ASSIGN(text, TouchstoneText(job, answer, work.args.touchstone));
    outputs.push_back(TextOutput(job.touchstone, text));
  }
  ASSAY_TRY(WriteTogether(outputs, job.pictures));
  for (const Output& output : outputs) written.push_back(output.first);
  return {};
}

void PrintAnswer(Work& work, const SweepJob& job, const Answer& answer,
                 const SweepFigures& figures,
                 const std::vector<std::string>& written) {
  for (const std::string& warning : WarningsOf(answer)) {
    Warn(fmt::format("{}: {}", job.path, warning));
  }
  if (work.args.json) {
    Json json = SweepJson(job, answer, figures);
    json["written"] = written;
    PrintLine(json);
    return;
  }
  std::vector<Row> rows = SweepRows(job, answer, figures);
  for (const std::string& path : written) {
    rows.emplace_back(&path == &written.front() ? "written" : "", path);
  }
  if (std::exchange(work.printed, true)) Print("\n");
  PrintRows(rows);
  if (job.touchstone.empty() && answer.verification.passed()) {
    Print("\n" + SweepTable(answer));
  }
}

int FailJob(const Work& work, const SweepJob& job, Error error) {
  // The reader of layouts names the file itself, with the line.
  if (error.what.find(job.path) == std::string::npos) {
    error.what = fmt::format("{}: {}", job.path, error.what);
  }
  Complain(fmt::format("error: {}\n", Printable(error.what)));
  if (!error.hint.empty()) {
    Complain(fmt::format("  hint: {}\n", Printable(error.hint)));
  }
  if (work.args.json) {
    PrintLine({{"layout", job.path}, {"error", ErrorJson(error)}});
  }
  return kExitError;
}

bool OnlyTheShiftFailed(const planar::Verification& verification) {
  return std::ranges::all_of(verification.checks,
                             [](const planar::Check& check) {
                               return check.passed || check.name == kShiftGain;
                             });
}

int RunJob(Work& work, const SweepJob& job, const std::string& title) {
  if (job.error) return FailJob(work, job, *job.error);
  const auto begin = std::chrono::steady_clock::now();
  // Ctrl-C is caught until the files are in their places.
  ProgressBar bar(title);
  StageTrace trace(bar.Sink());
  Result<Answer> answer = Solve(work, job, trace.Sink());
  bar.Erase();
  if (!answer.ok()) return FailJob(work, job, answer.error());
  SweepFigures figures;
  figures.sweep_s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  figures.peak_bytes = PeakResidentBytes();
  std::vector<std::string> written;
  const bool passed = answer->verification.passed();
  if (passed) {
    const Status status = Write(work, job, *answer, figures, trace, written);
    if (!status.ok()) return FailJob(work, job, status.error());
  }
  PrintAnswer(work, job, *answer, figures, written);
  if (passed) return kExitOk;
  Complain(fmt::format("rejected: {}: {}\n  hint: nothing was written; {}\n",
                       job.path, FailedChecks(answer->verification),
                       OnlyTheShiftFailed(answer->verification)
                           ? "move the planes less, or have longer lines"
                           : "--solver dense or --direct may tell more"));
  return kExitRejected;
}

}  // namespace

int RunSweep(const SweepArgs& given) {
  SweepArgs args = given;
  if (args.options.fields && args.pictures.empty() && args.report.empty()) {
    args.pictures = "currents";
  }
  Work work(args);
  if (const Status ready = Prepare(work); !ready.ok()) {
    return Fail(ready.error());
  }
  Result<std::vector<SweepJob>> jobs = PlanSweep(args);
  if (!jobs.ok()) return Fail(jobs.error());
  bool failed = false;
  bool rejected = false;
  const size_t count = jobs->size();
  for (size_t k = 0; k < count; ++k) {
    SweepJob& job = (*jobs)[k];
    if (Interrupted() && !job.error) {
      job.error = Error{Code::kCancelled, "not begun", ""};
    }
    const std::string title =
        count == 1 ? job.name
                   : fmt::format("{} ({} of {})", job.name, k + 1, count);
    const int status = RunJob(work, job, title);
    failed = failed || status == kExitError;
    rejected = rejected || status == kExitRejected;
    job.layout.reset();
  }
  if (failed) return kExitError;
  return rejected ? kExitRejected : kExitOk;
}

}  // namespace assay::cli
