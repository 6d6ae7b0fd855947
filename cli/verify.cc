// Accepts or rejects a proof file and says which statement was checked.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>

#include "assay/base/files.h"
#include "assay/base/text.h"
#include "cli/check.h"
#include "cli/elements.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "cli/whir_options.h"

namespace assay::cli {
namespace {

// Far above any proof that the limits of a header allow in practice.
constexpr uint64_t kMaxProofBytes = uint64_t{256} << 20;

Json ToJson(const VerifyArgs& args, const Policy& policy,
            const Checked& checked, const Statement* statement) {
  Json json;
  json["proof"] = args.proof;
  json["accepted"] = checked.verdict.accepted;
  json["check"] = checked.verdict.check;
  json["detail"] = checked.verdict.detail;
  json["verify_ms"] = RoundMs(checked.verify_ms);
  json["policy"] = PolicyWords(policy);
  json["statement"] = args.statement;
  if (checked.file.has_value()) {
    const whir::ProofFile& file = *checked.file;
    json["parameters"] = ParametersJson(file.parameters);
    json["proven_bound"] = IsProven(file.parameters.soundness);
    json["seed"] = std::to_string(file.seed);
    json["values"] = ElementsJson(file.proof.evals);
    json["commitment"] = DigestJson(file.proof.commitment);
    json["checked"] = StatementLines(checked, statement);
  }
  return json;
}

std::vector<Row> Rows(const VerifyArgs& args, const Policy& policy,
                      const Checked& checked, const Statement* statement) {
  std::vector<Row> rows;
  rows.emplace_back("proof", args.proof);
  if (checked.file.has_value()) {
    for (const std::string& line : StatementLines(checked, statement)) {
      rows.emplace_back(rows.size() == 1 ? "claim" : "", line);
    }
    const whir::Parameters& parameters = checked.file->parameters;
    rows.emplace_back("parameters", ParametersWords(parameters));
    rows.emplace_back("soundness", SoundnessWords(parameters));
  }
  rows.emplace_back("policy", PolicyWords(policy));
  rows.emplace_back(
      "statement",
      statement != nullptr
          ? args.statement
          : "none given: the claim above is what the proof itself says");
  rows.emplace_back("checked in", HumanTime(checked.verify_ms / 1e3));
  rows.emplace_back("verdict",
                    checked.verdict.accepted
                        ? "accepted"
                        : fmt::format("rejected: {}: {}", checked.verdict.check,
                                      checked.verdict.detail));
  return rows;
}

}  // namespace

int RunVerify(const VerifyArgs& args) {
  const Result<Policy> policy = ReadPolicy(args.policy);
  if (!policy.ok()) return Fail(policy.error());
  std::optional<Statement> statement;
  if (!args.statement.empty()) {
    Result<Statement> read = ReadStatement(args.statement);
    if (!read.ok()) return Fail(read.error());
    statement = std::move(*read);
  }
  const Statement* expected = statement.has_value() ? &*statement : nullptr;
  const Result<std::vector<std::byte>> bytes =
      ReadFile(args.proof, kMaxProofBytes);
  Checked checked;
  if (bytes.ok()) {
    checked = CheckProof(*bytes, *policy, expected);
  } else if (bytes.error().code == Code::kInvalidInput) {
    checked.verdict = {false, "format", bytes.error().what};
  } else {
    return Fail(bytes.error());
  }
  if (policy->any) {
    Warn(
        "policy any: how much this proof is worth was read from the proof "
        "itself");
  }
  if (!checked.seed_warning.empty()) Warn(checked.seed_warning);
  if (args.json) {
    PrintJson(ToJson(args, *policy, checked, expected));
  } else {
    PrintRows(Rows(args, *policy, checked, expected));
  }
  return checked.verdict.accepted ? kExitOk : kExitRejected;
}

}  // namespace assay::cli
