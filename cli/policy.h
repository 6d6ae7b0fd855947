// What a verifier demands of a proof's parameters.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/whir/options.h"

namespace assay::cli {

// The rest of the parameters (n, fold, rate, ...) changes the cost of a proof
// but not what it is worth, so it is taken from the header.
struct Policy {
  std::vector<whir::Soundness> regimes = {whir::Soundness::kUniqueDecoding,
                                          whir::Soundness::kJohnsonBound};
  int min_security = 90;
  int max_pow = 16;
  bool any = false;  // takes what the header says
};

// {"regimes": ["ud", "jb"], "min_security": 90, "max_pow": 16}, each member
// optional. Fails with kInvalidInput, also on a name that is none of them.
Result<Policy> ParsePolicy(std::string_view text);
// Empty: the default; "any"; else a file.
Result<Policy> ReadPolicy(const std::string& name);

// Which demand is not met, empty where all are.
std::string PolicyMismatch(const Policy& policy,
                           const whir::Parameters& parameters);

// "regimes ud, jb; at least 90 bits; at most 16 bits of grinding".
std::string PolicyWords(const Policy& policy);

}  // namespace assay::cli
