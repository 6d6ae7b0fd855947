// The error terms of a WHIR proof in each decoding regime, in bits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/whir/soundness.h"

namespace assay::whir {

// Bounds of one regime at one security level, in f64 and in the order of
// docs/engines/whir.md, section 7, so that ceilings agree with the peer's.
// `variables` are those of the committed table, `rate` is the code's.
class ErrorBounds {
 public:
  ErrorBounds(Soundness soundness, int security, int pow, int field_bits);

  // log2 of the number of codewords near a word.
  double ListSize(int variables, int rate) const;
  // Queries that leave an error below 2^-(security - pow).
  int Queries(int rate) const;
  // Bits that these queries give.
  double QueryBits(int rate, int queries) const;
  // Out-of-domain samples that leave one codeword; -1 where none do.
  int OodSamples(int variables, int rate) const;
  // Grinding in each fold of a table.
  int FoldPow(int variables, int rate) const;
  // Grinding before queries of a round, at the old rate, whose claims are
  // combined over the table committed with `variables` and `new_rate`.
  int RoundPow(int rate, int queries, int ood, int variables,
               int new_rate) const;
  // Grinding before the final queries, and in the final folds.
  int FinalPow(int rate, int queries) const;
  int FinalFoldPow() const;
  // Bits left after `claims` claims are combined at the start.
  double ClaimBits(int claim_bits, int claims, int variables, int rate) const;

 private:
  double LogEta(int rate) const;
  double LogOneMinusDelta(int rate) const;
  double ProximityGaps(int variables, int rate) const;
  int Missing(double bits) const;

  Soundness soundness_;
  double security_;
  double level_;  // security that queries must give without grinding
  double field_bits_;
};

}  // namespace assay::whir
