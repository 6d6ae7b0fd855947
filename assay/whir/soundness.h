// Derives rounds, queries and grinding from a security level.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "assay/base/result.h"
#include "assay/whir/options.h"

namespace assay::whir {

// Numbers that differ between releases of the peer (docs/engines/whir.md,
// section 7): the bit length of the extension field as each regime counts it,
// and the bits granted to the test of combined claims.
struct Profile {
  int field_bits[3] = {124, 124, 124};  // by Soundness
  int claim_bits = 123;
};
inline constexpr Profile kProfile080 = {};                      // p3-whir 0.8.0
inline constexpr Profile kProfile090 = {{123, 122, 123}, 123};  // 0.9.0-rc.2

struct Round {
  int fold = 0;        // k_{i+1}: variables folded after this commitment
  int rate = 0;        // r_{i+1}: rate of the new code
  int variables = 0;   // m_i: variables of the table committed here
  int log_domain = 0;  // D_{i+1}: log2 of the new domain
  int ood = 0;         // out-of-domain samples
  int queries = 0;     // q_i, answered by the previous code
  int query_bits = 0;  // width_i: log2 of the previous code's rows
  int draws = 0;       // 0: every row is opened and nothing is drawn
  int pow = 0;         // grinding before the queries
  int fold_pow = 0;    // grinding in each fold of this round

  // Rows opened: queries, or all of them when nothing is drawn.
  uint32_t Openings() const {
    return draws > 0 ? static_cast<uint32_t>(draws) : 1u << query_bits;
  }
};

struct Final {
  int variables = 0;  // m_f: the last table is sent whole, 2^m_f values
  int queries = 0;
  int query_bits = 0;
  int draws = 0;
  int pow = 0;
  int fold_pow = 0;

  uint32_t Openings() const {
    return draws > 0 ? static_cast<uint32_t>(draws) : 1u << query_bits;
  }
};

struct Schedule {
  Parameters parameters;
  int first_fold = 0;  // k_0
  int log_domain = 0;  // D_0 = n + rate
  int commitment_ood = 0;
  int starting_fold_pow = 0;
  std::vector<Round> rounds;
  Final final;
};

// Rounds, queries and grinding by docs/engines/whir.md, section 7, in f64 in
// the written order. Fails with kInvalidInput for parameters out of range,
// and with kUnsupported when no proof of this security exists; the hint names
// the smallest changes that are feasible, found by deriving them. A reduction
// that gives the default rates is written as 0 in the schedule's parameters.
// Microseconds, and a millisecond for a hint.
Result<Schedule> Derive(const Parameters& parameters,
                        const Profile& profile = kProfile080);

}  // namespace assay::whir
