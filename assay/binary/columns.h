// Where the columns of a sum-check come from: a seed, files, or memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "assay/base/result.h"
#include "assay/binary/statement.h"

namespace assay::binary {

// Columns are hashed by pieces of 2^20 bytes, the last one of a short column
// shorter.
inline constexpr uint64_t kPieceElements = uint64_t{1} << 16;

// d columns of 2^n elements. Several threads may read at once.
class Columns {
 public:
  virtual ~Columns() = default;

  int n() const { return n_; }
  int d() const { return d_; }
  uint64_t size() const { return uint64_t{1} << n_; }
  uint64_t PieceSize() const {
    return size() < kPieceElements ? size() : kPieceElements;
  }
  uint64_t Pieces() const { return size() / PieceSize(); }

  // Elements `first` and following of column j. Fails with kIo.
  virtual Status Read(int j, uint64_t first,
                      std::span<Gf2_128> elements) const = 0;

  // The seed that the columns are generated from, if they are.
  virtual std::optional<uint64_t> Seed() const { return std::nullopt; }

  // True where the context is a hash of the elements (of the digests of their
  // pieces, column by column); false where `digests` may be empty.
  virtual bool HashesData() const { return true; }
  virtual Sha256Hash Context(std::span<const Sha256Hash> digests) const;

 protected:
  Columns(int n, int d) : n_(n), d_(d) {}

 private:
  int n_;
  int d_;
};

// The generated instance of a seed: element i of column j is outputs 2c and
// 2c+1 of SplitMix64, c = j 2^n + i; section 2.1. Precondition: n and d in
// their ranges.
std::unique_ptr<Columns> SeedColumns(uint64_t seed, int n, int d);

// The seed that a context names, where it is that of a generated instance.
std::optional<uint64_t> SeedOf(const Sha256Hash& context);

// One file a column, 16 bytes little-endian an element. The files stay open.
// Fails with kIo; with kInvalidInput for sizes that differ or are no power of
// two of elements, at least two, or for more than six files.
Result<std::unique_ptr<Columns>> FileColumns(
    const std::vector<std::string>& paths);

// Columns that the caller keeps alive. Fails with kInvalidInput as above.
Result<std::unique_ptr<Columns>> MemoryColumns(
    std::vector<std::span<const Gf2_128>> columns);

Sha256Hash PieceDigest(std::span<const Gf2_128> piece);

// The context of columns, reading all of them where it hashes data. 2^n d
// elements at about 1 GB/s.
Result<Sha256Hash> ContextOf(const Columns& columns);

// P_j at a point, point[k] being the value of x_k, by one pass over the
// column: one product an element, some hundred KiB. Fails with kIo.
Result<Gf2_128> EvaluateColumn(const Columns& columns, int j,
                               std::span<const Gf2_128> point);

}  // namespace assay::binary
