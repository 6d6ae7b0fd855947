// Reads columns piece by piece, hashes them, and evaluates them at a point.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <string_view>
#include <utility>

#include "assay/base/random_access.h"
#include "assay/base/split_mix.h"

namespace assay::binary {
namespace {

static_assert(std::endian::native == std::endian::little,
              "elements in memory are their bytes in files");

// Section 2.2: the tag, the seed, eight zeros.
constexpr std::string_view kSeedTag = "assay/splitmix/1";

Sha256Hash SeedContext(uint64_t seed) {
  Sha256Hash bytes = {};
  std::copy(kSeedTag.begin(), kSeedTag.end(), bytes.begin());
  Gf2_128::From(seed).ToBytes(
      std::span<uint8_t, 16>(bytes.data() + kSeedTag.size(), 16));
  return bytes;
}

class Generated final : public Columns {
 public:
  Generated(uint64_t seed, int n, int d) : Columns(n, d), seed_(seed) {}

  Status Read(int j, uint64_t first,
              std::span<Gf2_128> elements) const override {
    uint64_t output = 2 * ((static_cast<uint64_t>(j) << n()) + first);
    for (Gf2_128& x : elements) {
      x = {SplitMix64(seed_, output), SplitMix64(seed_, output + 1)};
      output += 2;
    }
    return {};
  }

  std::optional<uint64_t> Seed() const override { return seed_; }
  bool HashesData() const override { return false; }
  Sha256Hash Context(std::span<const Sha256Hash> /*digests*/) const override {
    return SeedContext(seed_);
  }

 private:
  uint64_t seed_;
};

class Files final : public Columns {
 public:
  Files(std::vector<std::unique_ptr<InputFile>> files, int n)
      : Columns(n, static_cast<int>(files.size())), files_(std::move(files)) {}

  Status Read(int j, uint64_t first,
              std::span<Gf2_128> elements) const override {
    return files_[static_cast<size_t>(j)]->ReadAt(
        16 * first, std::as_writable_bytes(elements));
  }

 private:
  std::vector<std::unique_ptr<InputFile>> files_;
};

class Memory final : public Columns {
 public:
  Memory(std::vector<std::span<const Gf2_128>> columns, int n)
      : Columns(n, static_cast<int>(columns.size())),
        columns_(std::move(columns)) {}

  Status Read(int j, uint64_t first,
              std::span<Gf2_128> elements) const override {
    const auto from =
        columns_[static_cast<size_t>(j)].subspan(first, elements.size());
    std::copy(from.begin(), from.end(), elements.begin());
    return {};
  }

 private:
  std::vector<std::span<const Gf2_128>> columns_;
};

Status CheckCount(size_t count) {
  if (count >= 1 && count <= kMaxFactors) return {};
  return Error{Code::kInvalidInput,
               fmt::format("{} columns are not 1 to {}", count, kMaxFactors),
               ""};
}

// log2 of a column's elements. `name`: of the column.
Result<int> VariablesOf(uint64_t bytes, std::string_view name) {
  const uint64_t size = bytes / 16;
  if (bytes % 16 != 0 || size < 2 || !std::has_single_bit(size) ||
      size > uint64_t{1} << kMaxVariables) {
    return Error{
        Code::kInvalidInput,
        fmt::format("{} has {} bytes, not 16 times a power of two", name,
                    bytes),
        fmt::format("a column holds 2^1 to 2^{} elements", kMaxVariables)};
  }
  return std::countr_zero(size);
}

Error SizesDiffer(std::string_view a, std::string_view b) {
  return Error{Code::kInvalidInput,
               fmt::format("{} and {} differ in size", a, b),
               "all columns have the same number of elements"};
}

// The weights eq(point, i) of all indices of point.size() bits.
std::vector<Gf2_128> Weights(std::span<const Gf2_128> point) {
  std::vector<Gf2_128> weights = {Gf2_128::One()};
  for (const Gf2_128& x : point) {
    const size_t size = weights.size();
    weights.resize(2 * size);
    for (size_t i = 0; i < size; ++i) {
      weights[i + size] = weights[i] * x;
      weights[i] += weights[i + size];
    }
  }
  return weights;
}

}  // namespace

Sha256Hash Columns::Context(std::span<const Sha256Hash> digests) const {
  Sha256 hash;
  for (const Sha256Hash& digest : digests) hash.Update(digest);
  return hash.Finish();
}

std::unique_ptr<Columns> SeedColumns(uint64_t seed, int n, int d) {
  return std::make_unique<Generated>(seed, n, d);
}

std::optional<uint64_t> SeedOf(const Sha256Hash& context) {
  const uint64_t seed =
      Gf2_128::FromBytes(
          std::span<const uint8_t, 16>(context.data() + kSeedTag.size(), 16))
          .low;
  if (context != SeedContext(seed)) return std::nullopt;
  return seed;
}

Result<std::unique_ptr<Columns>> FileColumns(
    const std::vector<std::string>& paths) {
  ASSAY_TRY(CheckCount(paths.size()));
  std::vector<std::unique_ptr<InputFile>> files;
  for (const std::string& path : paths) {
    ASSAY_ASSIGN(file, InputFile::Open(path));
    if (!files.empty() && file->size() != files[0]->size()) {
      return SizesDiffer(paths[0], path);
    }
    files.push_back(std::move(file));
  }
  ASSAY_ASSIGN(n, VariablesOf(files[0]->size(), paths[0]));
  return std::unique_ptr<Columns>(std::make_unique<Files>(std::move(files), n));
}

Result<std::unique_ptr<Columns>> MemoryColumns(
    std::vector<std::span<const Gf2_128>> columns) {
  ASSAY_TRY(CheckCount(columns.size()));
  for (const auto& column : columns) {
    if (column.size() != columns[0].size()) {
      return SizesDiffer("the first column", "another one");
    }
  }
  ASSAY_ASSIGN(n, VariablesOf(columns[0].size_bytes(), "a column"));
  return std::unique_ptr<Columns>(
      std::make_unique<Memory>(std::move(columns), n));
}

Sha256Hash PieceDigest(std::span<const Gf2_128> piece) {
  return Sha256Of(std::span(reinterpret_cast<const uint8_t*>(piece.data()),
                            piece.size_bytes()));
}

Result<Sha256Hash> ContextOf(const Columns& columns) {
  std::vector<Sha256Hash> digests;
  if (columns.HashesData()) {
    std::vector<Gf2_128> piece(columns.PieceSize());
    for (int j = 0; j < columns.d(); ++j) {
      for (uint64_t k = 0; k < columns.Pieces(); ++k) {
        ASSAY_TRY(columns.Read(j, k * piece.size(), piece));
        digests.push_back(PieceDigest(piece));
      }
    }
  }
  return columns.Context(digests);
}

Result<Gf2_128> EvaluateColumn(const Columns& columns, int j,
                               std::span<const Gf2_128> point) {
  // The low variables by weights, a block at a time; the high ones as a
  // counter carries: two neighbours of one level join on the next.
  constexpr size_t kLowVariables = 10;
  const size_t low = std::min(kLowVariables, point.size());
  const std::vector<Gf2_128> weights = Weights(point.first(low));
  std::vector<Gf2_128> piece(columns.PieceSize());
  std::vector<Gf2_128> waiting(point.size() + 1);
  Gf2_128 value;
  uint64_t blocks = 0;
  for (uint64_t k = 0; k < columns.Pieces(); ++k) {
    ASSAY_TRY(columns.Read(j, k * piece.size(), piece));
    for (size_t at = 0; at < piece.size(); at += weights.size()) {
      SumOfProducts sum;
      for (size_t i = 0; i < weights.size(); ++i) {
        sum.Add(piece[at + i], weights[i]);
      }
      value = sum.Sum();
      size_t level = low;
      for (uint64_t carry = blocks; (carry & 1) != 0; carry >>= 1) {
        value = waiting[level] + point[level] * (waiting[level] + value);
        ++level;
      }
      waiting[level] = value;
      ++blocks;
    }
  }
  return value;
}

}  // namespace assay::binary
