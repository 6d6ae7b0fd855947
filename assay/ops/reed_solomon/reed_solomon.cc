// Builds and inverts the matrices, and multiplies byte by byte.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/reed_solomon/reed_solomon.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace assay::reed_solomon {
namespace {

Matrix Identity(size_t size) {
  Matrix matrix(size, size);
  for (size_t i = 0; i < size; ++i) matrix.At(i, i) = 1;
  return matrix;
}

// target += factor * source.
void AddRow(Matrix& matrix, size_t target, size_t source, uint8_t factor) {
  if (factor == 0) return;
  for (size_t c = 0; c < matrix.columns(); ++c) {
    matrix.At(target, c) ^= gf256::Multiply(factor, matrix.At(source, c));
  }
}

void ScaleRow(Matrix& matrix, size_t row, uint8_t factor) {
  for (size_t c = 0; c < matrix.columns(); ++c) {
    matrix.At(row, c) = gf256::Multiply(factor, matrix.At(row, c));
  }
}

void SwapRows(Matrix& matrix, size_t a, size_t b) {
  for (size_t c = 0; c < matrix.columns(); ++c) {
    std::swap(matrix.At(a, c), matrix.At(b, c));
  }
}

Matrix Vandermonde(size_t rows, size_t columns) {
  Matrix matrix(rows, columns);
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < columns; ++c) {
      matrix.At(r, c) =
          gf256::Power(static_cast<uint8_t>(r), static_cast<unsigned>(c));
    }
  }
  return matrix;
}

Matrix TakeRows(const Matrix& matrix, std::span<const int> rows) {
  Matrix taken(rows.size(), matrix.columns());
  for (size_t r = 0; r < rows.size(); ++r) {
    for (size_t c = 0; c < matrix.columns(); ++c) {
      taken.At(r, c) = matrix.At(static_cast<size_t>(rows[r]), c);
    }
  }
  return taken;
}

std::vector<int> Range(int first, int last) {
  std::vector<int> range;
  for (int i = first; i < last; ++i) range.push_back(i);
  return range;
}

// c times each byte; products are linear in it.
std::array<std::byte, 256> ProductsOf(uint8_t c) {
  std::array<std::byte, 256> products = {};
  for (unsigned bit = 1; bit < products.size(); bit *= 2) {
    products[bit] =
        static_cast<std::byte>(gf256::Multiply(c, static_cast<uint8_t>(bit)));
    for (unsigned x = 1; x < bit; ++x) {
      products[bit + x] = products[bit] ^ products[x];
    }
  }
  return products;
}

}  // namespace

std::string_view NameOf(Kind kind) {
  return kind == Kind::kVandermonde ? "vandermonde" : "cauchy";
}

Status Check(const Scheme& scheme) {
  if (scheme.data >= 1 && scheme.parity >= 1 && scheme.data <= kMostShards &&
      scheme.parity <= kMostShards && scheme.shards() <= kMostShards) {
    return {};
  }
  return Error{Code::kInvalidInput,
               fmt::format("no code has {} data and {} parity shards",
                           scheme.data, scheme.parity),
               "each is at least 1, and both together are at most 256"};
}

Matrix Generator(const Scheme& scheme) {
  const auto k = static_cast<size_t>(scheme.data);
  const auto rows = static_cast<size_t>(scheme.shards());
  if (scheme.kind == Kind::kVandermonde) {
    const Matrix v = Vandermonde(rows, k);
    // The top is a Vandermonde matrix of different points: it has an inverse.
    return Multiply(v, *Invert(TakeRows(v, Range(0, scheme.data))));
  }
  Matrix matrix(rows, k);
  for (size_t c = 0; c < k; ++c) {
    matrix.At(c, c) = 1;
    for (size_t r = k; r < rows; ++r) {
      matrix.At(r, c) = gf256::Inverse(static_cast<uint8_t>(r ^ c));
    }
  }
  return matrix;
}

Matrix ParityRows(const Scheme& scheme) {
  return TakeRows(Generator(scheme), Range(scheme.data, scheme.shards()));
}

Result<Matrix> Invert(const Matrix& matrix) {
  // Gauss and Jordan.
  Matrix left = matrix;
  Matrix right = Identity(matrix.rows());
  for (size_t i = 0; i < matrix.rows(); ++i) {
    size_t pivot = i;
    while (pivot < matrix.rows() && left.At(pivot, i) == 0) ++pivot;
    if (pivot == matrix.rows()) {
      return Error{Code::kInvalidInput, "the matrix has no inverse", ""};
    }
    SwapRows(left, i, pivot);
    SwapRows(right, i, pivot);
    const uint8_t factor = gf256::Inverse(left.At(i, i));
    ScaleRow(left, i, factor);
    ScaleRow(right, i, factor);
    for (size_t r = 0; r < matrix.rows(); ++r) {
      if (r == i) continue;
      const uint8_t f = left.At(r, i);
      AddRow(left, r, i, f);
      AddRow(right, r, i, f);
    }
  }
  return right;
}

Matrix Multiply(const Matrix& a, const Matrix& b) {
  Matrix product(a.rows(), b.columns());
  for (size_t r = 0; r < a.rows(); ++r) {
    for (size_t c = 0; c < b.columns(); ++c) {
      uint8_t sum = 0;
      for (size_t i = 0; i < a.columns(); ++i) {
        sum ^= gf256::Multiply(a.At(r, i), b.At(i, c));
      }
      product.At(r, c) = sum;
    }
  }
  return product;
}

Result<Matrix> RepairRows(const Scheme& scheme, std::span<const int> present,
                          std::span<const int> wanted) {
  ASSAY_TRY(Check(scheme));
  const auto outside = [&](int i) { return i < 0 || i >= scheme.shards(); };
  if (std::any_of(present.begin(), present.end(), outside) ||
      std::any_of(wanted.begin(), wanted.end(), outside) ||
      present.size() != static_cast<size_t>(scheme.data) ||
      std::set<int>(present.begin(), present.end()).size() != present.size()) {
    return Error{Code::kInvalidInput,
                 fmt::format("{} different shards are needed, and no others",
                             scheme.data),
                 ""};
  }
  const Matrix generator = Generator(scheme);
  ASSAY_ASSIGN(inverse, Invert(TakeRows(generator, present)));
  return Multiply(TakeRows(generator, wanted), inverse);
}

void Apply(const Matrix& rows, size_t bytes, std::span<const std::byte> in,
           size_t in_stride, std::span<std::byte> out, size_t out_stride) {
  for (size_t i = 0; i < rows.rows(); ++i) {
    const std::span<std::byte> sum = out.subspan(i * out_stride, bytes);
    std::fill(sum.begin(), sum.end(), std::byte{0});
    for (size_t j = 0; j < rows.columns(); ++j) {
      const std::array<std::byte, 256> products = ProductsOf(rows.At(i, j));
      const std::span<const std::byte> shard = in.subspan(j * in_stride, bytes);
      for (size_t b = 0; b < bytes; ++b) {
        sum[b] ^= products[static_cast<size_t>(shard[b])];
      }
    }
  }
}

}  // namespace assay::reed_solomon
