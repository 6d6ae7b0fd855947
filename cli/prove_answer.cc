// One answer in three forms.
// SPDX-License-Identifier: Apache-2.0
#include "cli/prove_answer.h"

#include <fmt/format.h>

#include "assay/base/text.h"
#include "cli/elements.h"
#include "cli/whir_options.h"
#include "cli/whir_steps.h"

namespace assay::cli {
namespace {

std::string VerdictWords(const whir::Verdict& verdict) {
  if (verdict.accepted) return "accepted";
  return fmt::format("rejected ({}: {})", verdict.check, verdict.detail);
}

}  // namespace

std::string ProveAnswer::PointsWords() const {
  switch (points_from) {
    case Statement::Points::kSeed:
      return fmt::format("from the point stream of seed {}", file.seed);
    case Statement::Points::kFile: return "from a file";
    case Statement::Points::kTranscript: return "drawn by the transcript";
  }
  return "";
}

std::vector<Row> ProveAnswer::Rows(const ProveArgs& args) const {
  std::vector<Row> rows = {
      {"polynomial", SourceWords(source)},
      {"parameters", ParametersWords(file.parameters)},
      {"soundness", SoundnessWords(file.parameters)},
      {"commitment", DigestText(file.proof.commitment)},
      {"points", PointsWords()},
  };
  for (const Ext4& value : file.proof.evals) {
    rows.emplace_back("value", ElementText(value));
  }
  rows.emplace_back("proved in", fmt::format("{} on {}, peak memory {}",
                                             HumanTime(prove_ms / 1e3), device,
                                             HumanBytes(peak_bytes)));
  rows.emplace_back("verified",
                    verdict.has_value()
                        ? fmt::format("{} in {}", VerdictWords(*verdict),
                                      HumanTime(verify_ms / 1e3))
                        : "no (--no-verify)");
  if (tampered.has_value()) {
    rows.emplace_back("tampered copy", VerdictWords(*tampered));
  }
  rows.emplace_back("proof",
                    fmt::format("{}, {} bytes", args.out, proof_bytes));
  if (!args.statement.empty()) rows.emplace_back("statement", args.statement);
  if (!args.trace.empty()) rows.emplace_back("trace", args.trace);
  if (!args.report.empty()) rows.emplace_back("report", args.report);
  return rows;
}

Json ProveAnswer::ToJson(const ProveArgs& args) const {
  Json json;
  json["out"] = args.out;
  json["proof_bytes"] = proof_bytes;
  json["prove_ms"] = RoundMs(prove_ms);
  json["probe_ms"] = RoundMs(probe_ms);
  json["prove_cpu_ms"] = RoundMs(prove_cpu_ms);
  json["verified"] = verdict.has_value() && verdict->accepted;
  if (verdict.has_value()) json["verify_ms"] = RoundMs(verify_ms);
  if (tampered.has_value()) {
    json["tampered"] = {{"accepted", tampered->accepted},
                        {"byte", tampered_byte},
                        {"check", tampered->check},
                        {"detail", tampered->detail}};
  }
  json["peak_bytes"] = peak_bytes;
  json["device_peak_bytes"] = device_peak_bytes;
  json["planned_peak_bytes"] = planned_peak_bytes;
  json["device"] = device;
  json["offload"] = offload;
  json["notes"] = notes;
  json["submissions"] = traffic.submissions;
  json["waits"] = traffic.waits;
  json["parameters"] = ParametersJson(file.parameters);
  json["proven_bound"] = IsProven(file.parameters.soundness);
  json["soundness_words"] = SoundnessWords(file.parameters);
  json["seed"] = std::to_string(file.seed);
  json["points"] = PointsWords();
  json["values"] = ElementsJson(file.proof.evals);
  json["commitment"] = DigestJson(file.proof.commitment);
  json["source"] = SourceJson(source);
  json["steps"] = StepsJson(steps);
  return json;
}

ReportPage ProveAnswer::Page() const {
  ReportPage page;
  page.title = "A WHIR proof of " + SourceWords(source);
  page.claim = fmt::format(
      "The polynomial in {} variables behind commitment {} has these values "
      "at {} point{} {}:",
      file.parameters.n, DigestText(file.proof.commitment),
      file.parameters.points, file.parameters.points == 1 ? "" : "s",
      PointsWords());
  for (const Ext4& value : file.proof.evals) {
    page.values.push_back(ElementText(value));
  }
  page.checked = verdict.has_value();
  if (verdict.has_value()) page.verdict = *verdict;
  page.tampered = tampered;
  page.tampered_bit = fmt::format("bit 0 of byte {}", tampered_byte);
  page.proven = IsProven(file.parameters.soundness);
  page.soundness = SoundnessWords(file.parameters) + ".";
  const Json parameters = ParametersJson(file.parameters);
  for (const auto& [name, value] : parameters.items()) {
    page.parameters.emplace_back(
        name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  page.figures = {
      {"device", device},
      {"trying the kernels", HumanTime(probe_ms / 1e3)},
      {"proving", HumanTime(prove_ms / 1e3)},
      {"processor time", HumanTime(prove_cpu_ms / 1e3)},
      {"verifying", page.checked ? HumanTime(verify_ms / 1e3) : "not done"},
      {"proof",
       fmt::format("{} bytes ({})", proof_bytes, HumanBytes(proof_bytes))},
      {"peak memory of the process", HumanBytes(peak_bytes)},
      {"peak of device buffers", HumanBytes(device_peak_bytes)},
      {"submissions", std::to_string(traffic.submissions)},
  };
  for (const std::string& note : notes) page.figures.emplace_back("note", note);
  page.steps = steps;
  return page;
}

}  // namespace assay::cli
