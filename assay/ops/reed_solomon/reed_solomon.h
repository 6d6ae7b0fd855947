// What erasure coding computes: rows of a matrix over GF(2^8) times shards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/number/gf256.h"

// k data shards and m parity shards of equal length, k + m <= 256. Any k of
// them give all the others. Erasures only: which shards are damaged has to be
// known. Coefficients, shards and times are public: nothing is constant-time.
namespace assay::reed_solomon {

// Rows of bytes.
class Matrix {
 public:
  Matrix(size_t rows, size_t columns)
      : columns_(columns), cells_(rows * columns) {}

  size_t rows() const { return columns_ == 0 ? 0 : cells_.size() / columns_; }
  size_t columns() const { return columns_; }
  uint8_t& At(size_t r, size_t c) { return cells_[r * columns_ + c]; }
  uint8_t At(size_t r, size_t c) const { return cells_[r * columns_ + c]; }
  std::span<const uint8_t> Row(size_t r) const {
    return std::span(cells_).subspan(r * columns_, columns_);
  }
  std::span<const uint8_t> cells() const { return cells_; }

 private:
  size_t columns_;
  std::vector<uint8_t> cells_;
};

// Two codes over the same field: other parity bytes, the same strength.
enum class Kind : uint8_t {
  // V[r][c] = r^c (0^0 = 1), times the inverse of its top k rows: the default
  // of klauspost/reedsolomon, reed-solomon-erasure and Backblaze's library.
  kVandermonde,
  // 1 / (r xor c) below the identity: ISA-L's cauchy1.
  kCauchy,
};

std::string_view NameOf(Kind kind);  // "vandermonde", "cauchy"

struct Scheme {
  Kind kind = Kind::kVandermonde;
  int data = 0;    // k
  int parity = 0;  // m

  int shards() const { return data + parity; }
};

inline constexpr int kMostShards = 256;

// Fails with kInvalidInput unless 1 <= k, 1 <= m and k + m <= 256.
Status Check(const Scheme& scheme);

// The (k + m) x k matrix whose top is the identity: shard r is row r times the
// data shards. k^2 (k + m) products for kVandermonde. Precondition: Check.
Matrix Generator(const Scheme& scheme);

// Rows k .. k + m - 1 of it.
Matrix ParityRows(const Scheme& scheme);

// Fails with kInvalidInput where no inverse exists. Precondition: a square.
Result<Matrix> Invert(const Matrix& matrix);

// a b; precondition: the sizes fit.
Matrix Multiply(const Matrix& a, const Matrix& b);

// The matrix that turns the k shards `present` into the shards `wanted`: the
// rows wanted of the generator times the inverse of its rows present. Fails
// with kInvalidInput unless `present` names k different shards. k^3 products.
Result<Matrix> RepairRows(const Scheme& scheme, std::span<const int> present,
                          std::span<const int> wanted);

// out_i = sum_j rows[i][j] in_j, byte by byte. `in`: columns() shards,
// `in_stride` bytes apart; `out` likewise.
void Apply(const Matrix& rows, size_t bytes, std::span<const std::byte> in,
           size_t in_stride, std::span<std::byte> out, size_t out_stride);

}  // namespace assay::reed_solomon
