// Checks the bytes of a proof against a policy and a statement.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/whir/verify.h"
#include "cli/policy.h"
#include "cli/statement.h"

namespace assay::cli {

struct Checked {
  whir::Verdict verdict;
  double verify_ms = 0;  // everything below, reading files aside
  // Where the bytes could be read at all.
  std::optional<whir::ProofFile> file;
  std::vector<whir::Point> points;  // in GIVEN mode
  // That the header's seed binds nothing, else empty.
  std::string seed_warning;
};

// Strict reading, policy, statement (may be null), seed, parameters, header,
// proof:
// in this order, and the first that fails names the verdict. In GIVEN mode
// the points are the statement's, else those of the header's seed.
Checked CheckProof(std::span<const std::byte> bytes, const Policy& policy,
                   const Statement* statement);

// "polynomial 1a2b... has the value (1, 2, 3, 4) at 1 point of seed 5": one
// line a value.
std::vector<std::string> StatementLines(const Checked& checked,
                                        const Statement* statement);

}  // namespace assay::cli
