// The statement that a proof proves, as a file beside the proof.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/whir/proof.h"
#include "assay/whir/verify.h"
#include "cli/output.h"

namespace assay::cli {

// "The polynomial behind this commitment has these values at these points."
struct Statement {
  // Who chose the points: kSeed means the point stream of `seed`.
  enum class Points : uint8_t { kSeed, kFile, kTranscript };

  whir::Parameters parameters;
  uint64_t seed = 0;  // as in the proof's header
  Points points_from = Points::kSeed;
  std::vector<whir::Point> points;  // empty where the transcript draws them
  std::vector<Ext4> values;
  whir::Digest commitment;
  Json source;  // a description, not checked
};

// The statement that a proof file makes by itself.
Statement StatementOf(const whir::ProofFile& file, Statement::Points from,
                      std::vector<whir::Point> points, Json source);

std::string StatementText(const Statement& statement);
// Fails with kInvalidInput and what is wrong.
Result<Statement> ParseStatement(std::string_view text);
Result<Statement> ReadStatement(const std::string& path);

// Why the proof is no proof of this statement: parameters, seed, commitment,
// values, or points that the header's seed would give otherwise. Empty where
// they agree.
std::string StatementMismatch(const whir::ProofFile& file,
                              const Statement& statement);

// Why the header's seed is not allowed beside the statement (may be null): a
// seed that gives no points has to be 0 for data of a file, and in DRAWN mode
// it has to be the seed of the statement's data. `binds_nothing` is set where
// only the latter is missing. Empty where the seed is in order.
std::string SeedMismatch(const whir::ProofFile& file,
                         const Statement* statement, bool* binds_nothing);

}  // namespace assay::cli
