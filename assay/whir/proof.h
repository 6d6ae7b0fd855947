// The parts of a WHIR proof, its bytes and a strict reader.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "assay/base/result.h"
#include "assay/number/ext4.h"
#include "assay/ops/poseidon2/poseidon2.h"
#include "assay/whir/options.h"

namespace assay::whir {

using poseidon2::Digest;

struct SumcheckPart {
  struct Message {
    Ext4 at_zero;  // h(0)
    Ext4 leading;  // coefficient of X^2
  };
  std::vector<Message> messages;
  std::vector<BabyBear> witnesses;  // one a message, or none without grinding
};

struct Opening {
  bool extension = false;        // false only against the first commitment
  uint32_t row_elements = 0;     // 2^k, or 4 * 2^k where extension
  std::vector<BabyBear> rows;    // one row a query, flattened
  std::vector<Digest> siblings;  // merkle::Prune's list

  size_t RowCount() const {
    return row_elements == 0 ? 0 : rows.size() / row_elements;
  }
  std::span<const BabyBear> Row(size_t i) const {
    return std::span(rows).subspan(i * row_elements, row_elements);
  }
};

struct RoundPart {
  Digest commitment;
  std::vector<Ext4> ood_answers;
  BabyBear pow_witness;
  Opening opening;
  SumcheckPart sumcheck;
};

struct Proof {
  Digest commitment;
  std::vector<Ext4> initial_ood_answers;
  SumcheckPart initial_sumcheck;
  std::vector<RoundPart> rounds;
  std::vector<Ext4> final_poly;
  BabyBear final_pow_witness;
  Opening final_opening;
  bool has_final_sumcheck = false;
  SumcheckPart final_sumcheck;
  std::vector<Ext4> evals;  // the claimed value at each point
};

// A proof file: 64-byte header, then the body (docs/engines/whir.md,
// sections 11 and 12).
struct ProofFile {
  Parameters parameters;
  uint64_t seed = 0;
  Proof proof;
};

inline constexpr size_t kHeaderBytes = 64;

// Header and body. Cost: linear. Precondition: round_rates is empty.
std::vector<std::byte> Encode(const ProofFile& file);

// The header alone; rejects unknown values and set reserved bytes with
// kCorrupt.
Result<ProofFile> DecodeHeader(std::span<const std::byte> bytes);

// Header and body. Strict: minimal varints, elements below p, row lengths all
// equal and a power of two (of elements or of extension elements), no
// trailing bytes, nothing allocated beyond what the bytes can hold. Fails
// with kCorrupt and the offset.
Result<ProofFile> Decode(std::span<const std::byte> bytes);

// Fails with kCorrupt where another header would mean the same proof: a
// reduction that equals the default, or one where no round exists. Stricter
// than the peer, so that no bit of a header is free. The seed is not looked
// at: it binds where it gives the points, and nowhere else.
Status CheckCanonicalHeader(const ProofFile& file);

}  // namespace assay::whir
