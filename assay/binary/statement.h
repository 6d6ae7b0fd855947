// What a sum-check claims: the sum of a product of columns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "assay/base/result.h"
#include "assay/hash/sha256.h"
#include "assay/number/gf2_128.h"

namespace assay::binary {

inline constexpr int kMaxVariables = 40;
inline constexpr int kMaxFactors = 6;
inline constexpr size_t kStatementBytes = 80;

// sum over b in {0,1}^n of prod_j P_j(b) = sum, for d multilinear P_j whose
// values are columns of 2^n elements (docs/engines/binary.md, section 2).
struct Statement {
  int n = 0;  // 1 to kMaxVariables
  int d = 0;  // 1 to kMaxFactors
  Gf2_128 sum;
  Sha256Hash context = {};  // ties the challenges to the columns

  friend bool operator==(const Statement&, const Statement&) = default;
};

// Tag, n, d, sum, context: section 2.2.
std::array<uint8_t, kStatementBytes> EncodeStatement(
    const Statement& statement);

// Fails with kCorrupt: fewer bytes, another tag, n or d out of range.
Result<Statement> DecodeStatement(std::span<const uint8_t> bytes);

}  // namespace assay::binary
