// Proves the values of a polynomial and checks the proof before it is kept.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <span>
#include <vector>

#include "assay/base/files.h"
#include "assay/base/text.h"
#include "assay/whir/plan.h"
#include "assay/whir/prove.h"
#include "cli/check.h"
#include "cli/elements.h"
#include "cli/host.h"
#include "cli/progress_bar.h"
#include "cli/prove_answer.h"
#include "cli/verbs.h"
#include "cli/whir_device.h"
#include "cli/whir_steps.h"

namespace assay::cli {
namespace {

Error Invalid(std::string what, std::string hint) {
  return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
}

// A file that the command line names.
struct Named {
  const char* flag;
  const std::string& path;
};

// Every output is tried before the work begins, and none of them may be
// another one or be read by the same command.
Status CheckOutputs(const ProveArgs& args) {
  const Named files[] = {{"--out", args.out},
                         {"--statement", args.statement},
                         {"--trace", args.trace},
                         {"--report", args.report},
                         {"--evals", args.source.evals},
                         {"--input", args.source.input},
                         {"--point", args.point}};
  constexpr size_t kOutputs = 4;
  for (size_t i = 0; i < kOutputs; ++i) {
    const Named& output = files[i];
    if (output.path.empty() && i != 0) continue;
    ASSAY_TRY(CheckWritable(output.path));
    for (const Named& other : std::span(files).subspan(i + 1)) {
      if (other.path.empty()) continue;
      if (&other.path == &args.point && args.point == "random") continue;
      if (!IsSameFile(output.path, other.path)) continue;
      return Invalid(
          fmt::format("{} {} and {} {} are the same file", output.flag,
                      output.path, other.flag, other.path),
          fmt::format("name another file with {}", output.flag));
    }
  }
  return {};
}

// All or none, as far as files can: the last one is the proof.
Status WriteOutputs(const ProveArgs& args, std::span<const std::byte> proof,
                    const Statement& statement, const Trace& trace,
                    const ProveAnswer& answer) {
  std::vector<AtomicWrite> files;
  const auto prepare = [&](const std::string& path, auto&& text) -> Status {
    if (path.empty()) return {};
    ASSAY_ASSIGN(file, AtomicWrite::Prepare(path, text()));
    files.push_back(std::move(file));
    return {};
  };
  ASSAY_TRY(prepare(args.statement, [&] { return StatementText(statement); }));
  ASSAY_TRY(prepare(args.trace, [&] { return trace.ToChromeJson(); }));
  ASSAY_TRY(prepare(args.report, [&] { return ReportHtml(answer.Page()); }));
  ASSAY_TRY(prepare(args.out, [&] { return proof; }));
  return CommitAll(files);
}

// Who chooses the points, and the header's seed that follows.
struct Points {
  Statement::Points from = Statement::Points::kSeed;
  uint64_t seed = 0;
  std::vector<whir::Point> points;
};

Result<Points> ChoosePoints(const ProveArgs& args, const Source& source,
                            whir::Parameters& parameters) {
  Points chosen;
  const bool from_file = args.point != "random";
  if (source.kind == Source::Kind::kSeed && !from_file) {
    chosen.seed = source.seed;
  }
  if (parameters.mode == whir::Mode::kDrawn) {
    if (from_file) {
      return Invalid("the transcript chooses the points in drawn mode",
                     "leave --point away, or use --mode given");
    }
    chosen.from = Statement::Points::kTranscript;
    return chosen;
  }
  if (from_file) {
    chosen.from = Statement::Points::kFile;
    ASSAY_ASSIGN(points, ReadPoints(args.point, parameters.n));
    const int count = static_cast<int>(points.size());
    if (parameters.points != 1 && parameters.points != count) {
      return Invalid(fmt::format("--points is {}, but {} holds {}",
                                 parameters.points, args.point, count),
                     "leave --points away: the file decides");
    }
    parameters.points = count;
    chosen.points = std::move(points);
    return chosen;
  }
  if (source.kind != Source::Kind::kSeed) {
    ASSAY_ASSIGN(seed, RandomSeed());
    chosen.seed = seed;
  }
  chosen.points =
      whir::SeedPoints(chosen.seed, parameters.n, parameters.points);
  return chosen;
}

// A copy with one bit changed has to be rejected: the report shows it.
void Tamper(std::span<const std::byte> bytes, const Statement& statement,
            ProveAnswer& answer) {
  std::vector<std::byte> copy(bytes.begin(), bytes.end());
  const size_t at = whir::kHeaderBytes + (copy.size() - whir::kHeaderBytes) / 2;
  copy[at] ^= std::byte{1};
  answer.tampered_byte = at;
  answer.tampered = CheckProof(copy, Policy{.any = true}, &statement).verdict;
}

// What is to be proven.
struct Instance {
  const whir::Parameters& parameters;
  uint64_t seed;
  std::span<const BabyBear> evals;
  std::span<const whir::Point> points;
};

Status Make(const WhirOpened& opened, const Instance& instance, Trace& trace,
            ProveAnswer& answer) {
  ProgressBar bar("proving");
  whir::ProveContext context;
  context.progress = bar.Sink();
  context.trace = &trace;
  context.traffic = &answer.traffic;
  context.offload = opened.offload;
  const double cpu_begin_ms = ProcessCpuMs();
  const int64_t begin_ns = trace.NowNs();
  ASSAY_ASSIGN(proof, whir::Prove(*opened.runtime, opened.plan, instance.evals,
                                  instance.points, context));
  answer.prove_ms = static_cast<double>(trace.NowNs() - begin_ns) / 1e6;
  answer.prove_cpu_ms = ProcessCpuMs() - cpu_begin_ms;
  answer.file = {instance.parameters, instance.seed, std::move(proof)};
  answer.steps = WhirSteps(trace, answer.prove_ms);
  const Device& device = opened.runtime->device();
  answer.device = device.info().name;
  answer.offload = OffloadName(opened.offload);
  answer.notes = opened.notes;
  answer.planned_peak_bytes = opened.plan.peak_bytes;
  answer.device_peak_bytes = device.budget().peak_bytes();
  return {};
}

Result<ProveAnswer> Prove(const ProveArgs& args) {
  ProveAnswer answer;
  ASSAY_ASSIGN(source, FindSource(args.source));
  answer.source = source;
  ASSAY_TRY(CheckOutputs(args));
  whir::Parameters parameters = args.parameters;
  parameters.n = source.n;
  ASSAY_ASSIGN(points, ChoosePoints(args, source, parameters));
  Trace trace;
  ASSAY_ASSIGN(opened, OpenForProof(parameters, args.device));
  answer.probe_ms = static_cast<double>(trace.NowNs()) / 1e6;
  // With the reduction that a strict reader asks for.
  parameters = opened.plan.schedule.parameters;
  ASSAY_ASSIGN(evals, LoadSource(source));
  const Instance instance = {parameters, points.seed, evals, points.points};
  if (const Status made = Make(opened, instance, trace, answer); !made.ok()) {
    ASSAY_ASSIGN(other,
                 OpenInstead(made.error(), parameters, args.device, opened));
    opened = std::move(other);
    ASSAY_TRY(Make(opened, instance, trace, answer));
  }

  const std::vector<std::byte> bytes = whir::Encode(answer.file);
  answer.proof_bytes = bytes.size();
  const Statement statement = StatementOf(
      answer.file, points.from, std::move(points.points), SourceJson(source));
  answer.points_from = statement.points_from;
  if (!args.no_verify) {
    Checked checked = CheckProof(bytes, Policy{.any = true}, &statement);
    if (!checked.verdict.accepted) {
      return Error{Code::kUntrusted,
                   fmt::format("the finished proof was rejected ({}: {}); it "
                               "is not written",
                               checked.verdict.check, checked.verdict.detail),
                   "assay selftest tries each kernel on this machine"};
    }
    answer.verdict = checked.verdict;
    answer.verify_ms = checked.verify_ms;
    if (!args.report.empty()) Tamper(bytes, statement, answer);
  }
  answer.peak_bytes = PeakResidentBytes();

  ASSAY_TRY(WriteOutputs(args, bytes, statement, trace, answer));
  return answer;
}

}  // namespace

int RunProve(const ProveArgs& args) {
  Result<ProveAnswer> answer = Prove(args);
  if (!answer.ok()) return Fail(answer.error());
  for (const std::string& note : answer->notes) Warn(note);
  if (!IsProven(answer->file.parameters.soundness)) {
    Warn("soundness cb rests on a conjecture, not on a proven bound");
  }
  if (args.json) {
    PrintJson(answer->ToJson(args));
  } else {
    PrintRows(answer->Rows(args));
  }
  return kExitOk;
}

}  // namespace assay::cli
