// The parts of a sum-check proof, its bytes and a strict reader.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "assay/base/result.h"
#include "assay/binary/statement.h"

namespace assay::binary {

struct Proof {
  Statement statement;
  // Round k's coefficients a_0 to a_(d-1) from element k d on.
  std::vector<Gf2_128> messages;
  // P_0(r) to P_(d-1)(r).
  std::vector<Gf2_128> values;

  std::span<const Gf2_128> Message(int round) const {
    const auto d = static_cast<size_t>(statement.d);
    return std::span(messages).subspan(static_cast<size_t>(round) * d, d);
  }
};

// The largest file there is.
inline constexpr size_t kMaxProofBytes =
    kStatementBytes + size_t{16} * kMaxFactors * (kMaxVariables + 1);

// 80 + 16 d (n + 1) bytes. Precondition: the sizes agree with the statement.
std::vector<std::byte> Encode(const Proof& proof);

// Fails with kCorrupt: what DecodeStatement refuses, and any other length.
Result<Proof> Decode(std::span<const std::byte> bytes);

}  // namespace assay::binary
