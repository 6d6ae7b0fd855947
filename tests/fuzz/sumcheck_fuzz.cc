// Hands arbitrary bytes to the reader of sum-check proofs and to the verifier.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "assay/binary/columns.h"
#include "assay/binary/proof.h"
#include "assay/binary/verify.h"

namespace {

using assay::binary::Proof;

// Larger columns take longer and reach no other line.
constexpr int kMostVariables = 8;

void Check(bool holds) {
  if (!holds) std::abort();
}

// A reader that accepts two spellings of a proof would be no strict one.
void CheckOneSpelling(const Proof& proof, std::span<const std::byte> bytes) {
  const std::vector<std::byte> again = assay::binary::Encode(proof);
  Check(std::equal(again.begin(), again.end(), bytes.begin(), bytes.end()));
}

void CheckVerdicts(const Proof& proof) {
  const auto reduction = assay::binary::Reduce(proof);
  Check(reduction.verdict.accepted == reduction.verdict.check.empty());
  Check(reduction.point.size() == (reduction.verdict.accepted
                                       ? static_cast<size_t>(proof.statement.n)
                                       : 0));
  const auto seed = assay::binary::SeedOf(proof.statement.context);
  if (proof.statement.n > kMostVariables || !seed) return;
  const auto columns =
      assay::binary::SeedColumns(*seed, proof.statement.n, proof.statement.d);
  const auto verdict = assay::binary::Verify(proof, *columns);
  Check(verdict.ok());
  Check(verdict->accepted == verdict->check.empty());
  // Nothing is accepted whose transcript is not.
  Check(!verdict->accepted || reduction.verdict.accepted);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  const auto proof = assay::binary::Decode(bytes);
  if (!proof.ok()) return 0;
  CheckOneSpelling(*proof, bytes);
  CheckVerdicts(*proof);
  return 0;
}
