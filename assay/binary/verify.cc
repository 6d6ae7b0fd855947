// Replays the rounds of a sum-check and evaluates the columns at its end.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "assay/ops/product_sumcheck/product_sumcheck.h"
#include "assay/protocol/sha256_challenger.h"

namespace assay::binary {
namespace {

Verdict Reject(std::string check, std::string detail) {
  return {false, std::move(check), std::move(detail)};
}

// Proofs that were built by hand may have any sizes.
bool SizesAgree(const Proof& proof) {
  const Statement& s = proof.statement;
  return s.n >= 1 && s.n <= kMaxVariables && s.d >= 1 && s.d <= kMaxFactors &&
         proof.values.size() == static_cast<size_t>(s.d) &&
         proof.messages.size() ==
             static_cast<size_t>(s.d) * static_cast<size_t>(s.n);
}

}  // namespace

Reduction Reduce(const Proof& proof) {
  Reduction result;
  if (!SizesAgree(proof)) {
    result.verdict = Reject("format", "n, d and the lengths do not agree");
    return result;
  }
  const Statement& statement = proof.statement;
  Sha256Challenger challenger;
  challenger.Observe(EncodeStatement(statement));
  Gf2_128 claim = statement.sum;
  for (int round = 0; round < statement.n; ++round) {
    const auto message = proof.Message(round);
    for (const Gf2_128& x : message) challenger.Observe(x);
    std::vector<Gf2_128> coefficients(message.begin(), message.end());
    coefficients.push_back(product_sumcheck::TopCoefficient(claim, message));
    const Gf2_128 r = challenger.SampleElement();
    claim = product_sumcheck::Evaluate(coefficients, r);
    result.point.push_back(r);
  }
  Gf2_128 product = Gf2_128::One();
  for (const Gf2_128& value : proof.values) product *= value;
  if (product != claim) {
    result.verdict = Reject(
        "claim", "the product of the values is not what the rounds lead to");
    result.point.clear();
    return result;
  }
  // Round k binds x_(n-1-k).
  std::reverse(result.point.begin(), result.point.end());
  result.verdict.accepted = true;
  return result;
}

Result<Verdict> Verify(const Proof& proof, const Columns& columns) {
  const Statement& statement = proof.statement;
  if (statement.n != columns.n() || statement.d != columns.d()) {
    return Reject(
        "columns",
        fmt::format("the proof is about n={}, d={}, the columns are "
                    "n={}, d={}",
                    statement.n, statement.d, columns.n(), columns.d()));
  }
  Reduction reduction = Reduce(proof);
  ASSAY_ASSIGN(context, ContextOf(columns));
  if (context != statement.context) {
    return Reject("context", "the proof is about other columns");
  }
  if (!reduction.verdict.accepted) return std::move(reduction.verdict);
  for (int j = 0; j < columns.d(); ++j) {
    ASSAY_ASSIGN(value, EvaluateColumn(columns, j, reduction.point));
    if (value != proof.values[static_cast<size_t>(j)]) {
      return Reject("values",
                    fmt::format("column {} has another value at the point", j));
    }
  }
  return std::move(reduction.verdict);
}

}  // namespace assay::binary
