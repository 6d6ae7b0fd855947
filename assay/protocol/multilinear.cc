// Scalar multilinear arithmetic, shared by verifiers and tests.
// SPDX-License-Identifier: Apache-2.0
#include "assay/protocol/multilinear.h"

#include <cstddef>

namespace assay {
namespace {

// Binds the last variable of a table of 2 * |result| entries to x.
template <class T>
std::vector<Ext4> BindLast(std::span<const T> table, const Ext4& x) {
  std::vector<Ext4> result(table.size() / 2);
  for (size_t b = 0; b < result.size(); ++b) {
    const T low = table[2 * b];
    const T difference = table[2 * b + 1] - low;
    if constexpr (sizeof(T) == sizeof(BabyBear)) {
      result[b] = x * difference;
      result[b].c[0] += low;
    } else {
      result[b] = low + x * difference;
    }
  }
  return result;
}

// Binds the variables from the last to the first.
Ext4 BindAll(std::vector<Ext4> table, std::span<const Ext4> point) {
  size_t size = table.size();
  for (size_t i = point.size(); i-- > 0;) {
    size /= 2;
    for (size_t b = 0; b < size; ++b) {
      table[b] = table[2 * b] + point[i] * (table[2 * b + 1] - table[2 * b]);
    }
  }
  return table[0];
}

}  // namespace

Ext4 Eq(std::span<const Ext4> z, std::span<const Ext4> x) {
  Ext4 result = Ext4::One();
  for (size_t i = 0; i < z.size(); ++i) {
    // z x + (1 - z)(1 - x) = 1 - z - x + 2 z x
    const Ext4 zx = z[i] * x[i];
    result *= Ext4::One() - z[i] - x[i] + zx + zx;
  }
  return result;
}

Ext4 EvalBase(std::span<const BabyBear> table, std::span<const Ext4> point) {
  if (point.empty()) return Ext4::From(table[0]);
  return BindAll(BindLast(table, point.back()), point.first(point.size() - 1));
}

Ext4 EvalExt(std::span<const Ext4> table, std::span<const Ext4> point) {
  if (point.empty()) return table[0];
  return BindAll(BindLast(table, point.back()), point.first(point.size() - 1));
}

std::vector<Ext4> Expand(const Ext4& z, int m) {
  std::vector<Ext4> point(static_cast<size_t>(m));
  Ext4 power = z;
  for (size_t i = point.size(); i-- > 0;) {
    point[i] = power;
    power *= power;
  }
  return point;
}

Ext4 Select(BabyBear y, std::span<const Ext4> x) {
  Ext4 result = Ext4::One();
  for (size_t i = x.size(); i-- > 0;) {
    result *= x[i] * (y - BabyBear::One()) + Ext4::One();
    y *= y;
  }
  return result;
}

Ext4 EvalUnivariate(std::span<const Ext4> coefficients, BabyBear y) {
  Ext4 result = Ext4::Zero();
  for (size_t i = coefficients.size(); i-- > 0;) {
    result = result * y + coefficients[i];
  }
  return result;
}

}  // namespace assay
