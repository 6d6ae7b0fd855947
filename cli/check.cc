// The order in which a proof is checked, each step with its name.
// SPDX-License-Identifier: Apache-2.0
#include "cli/check.h"

#include <fmt/format.h>

#include <chrono>
#include <string>

#include "assay/whir/soundness.h"
#include "cli/elements.h"
#include "cli/whir_options.h"

namespace assay::cli {
namespace {

whir::Verdict Reject(std::string check, std::string detail) {
  return {.accepted = false,
          .check = std::move(check),
          .detail = std::move(detail)};
}

whir::Verdict RunChecks(std::span<const std::byte> bytes, const Policy& policy,
                        const Statement* statement, Checked& checked) {
  Result<whir::ProofFile> decoded = whir::Decode(bytes);
  if (!decoded.ok()) return Reject("format", decoded.error().what);
  checked.file = std::move(*decoded);
  const whir::ProofFile& file = *checked.file;
  const whir::Parameters& parameters = file.parameters;

  const std::string policy_mismatch = PolicyMismatch(policy, parameters);
  if (!policy_mismatch.empty()) return Reject("policy", policy_mismatch);
  if (statement != nullptr) {
    const std::string mismatch = StatementMismatch(file, *statement);
    if (!mismatch.empty()) return Reject("statement", mismatch);
  }
  bool binds_nothing = false;
  const std::string seed = SeedMismatch(file, statement, &binds_nothing);
  // Such a seed says nothing about the proof: worth a word, not a rejection.
  if (binds_nothing) {
    checked.seed_warning = seed;
  } else if (!seed.empty()) {
    return Reject("seed", seed);
  }
  const Result<whir::Schedule> schedule = whir::Derive(parameters);
  if (!schedule.ok()) {
    return Reject("parameters", schedule.error().what);
  }
  const Status canonical = whir::CheckCanonicalHeader(file);
  if (!canonical.ok()) return Reject("header", canonical.error().what);

  if (parameters.mode == whir::Mode::kGiven) {
    checked.points =
        statement != nullptr
            ? statement->points
            : whir::SeedPoints(file.seed, parameters.n, parameters.points);
  }
  whir::Verdict verdict =
      whir::Verify(*schedule, checked.points, file.proof, nullptr);
  if (!verdict.accepted && statement == nullptr && file.seed == 0 &&
      parameters.mode == whir::Mode::kGiven) {
    verdict.detail +=
        "; the header names no seed for the points, as in a proof made with "
        "--point FILE: such a proof is checked with --statement FILE";
  }
  return verdict;
}

}  // namespace

Checked CheckProof(std::span<const std::byte> bytes, const Policy& policy,
                   const Statement* statement) {
  Checked checked;
  const auto begin = std::chrono::steady_clock::now();
  checked.verdict = RunChecks(bytes, policy, statement, checked);
  checked.verify_ms = std::chrono::duration<double, std::milli>(
                          std::chrono::steady_clock::now() - begin)
                          .count();
  return checked;
}

std::vector<std::string> StatementLines(const Checked& checked,
                                        const Statement* statement) {
  const whir::ProofFile& file = *checked.file;
  std::string where;
  if (file.parameters.mode == whir::Mode::kDrawn) {
    where = "drawn by the transcript";
  } else if (statement != nullptr) {
    where = "of the statement file";
  } else {
    where = fmt::format("of the point stream of seed {}", file.seed);
  }
  std::vector<std::string> lines;
  lines.push_back(
      fmt::format("the polynomial in {} variables behind commitment {}",
                  file.parameters.n, DigestText(file.proof.commitment)));
  for (size_t i = 0; i < file.proof.evals.size(); ++i) {
    lines.push_back(fmt::format("has the value {} at point {} {}",
                                ElementText(file.proof.evals[i]), i, where));
  }
  return lines;
}

}  // namespace assay::cli
