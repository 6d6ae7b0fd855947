// Laws of the transform and of Reed-Solomon encoding.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/ntt/ntt.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "assay/ops/fold/fold.h"
#include "assay/ops/test_vectors.h"

namespace assay::ntt {
namespace {

using Column = std::vector<BabyBear>;

Column Transformed(Column x) {
  Transform(x);
  return x;
}

// The value at y of the polynomial with these coefficients.
BabyBear Horner(std::span<const BabyBear> coefficients, BabyBear y) {
  BabyBear value;
  for (size_t i = coefficients.size(); i-- > 0;) {
    value = value * y + coefficients[i];
  }
  return value;
}

// Column q of a row-major matrix.
Column ColumnOf(const Column& matrix, size_t columns, size_t q) {
  Column column;
  for (size_t i = q; i < matrix.size(); i += columns) {
    column.push_back(matrix[i]);
  }
  return column;
}

class NttSizes : public testing::TestWithParam<int> {
 protected:
  size_t size() const { return size_t{1} << GetParam(); }
};

TEST_P(NttSizes, ValuesAreThoseOfTheDefinition) {
  const Column x = RandomBases(1, size());
  const Column y = Transformed(x);
  const BabyBear g = BabyBear::TwoAdicGenerator(GetParam());
  for (size_t i = 0; i < size(); ++i) EXPECT_EQ(y[i], Horner(x, g.Pow(i)));
}

TEST_P(NttSizes, InverseUndoesForward) {
  const Column x = RandomBases(2, size());
  Column y = Transformed(x);
  Inverse(y);
  EXPECT_EQ(y, x);
}

TEST_P(NttSizes, TransformIsLinear) {
  const Column a = RandomBases(3, size());
  const Column b = RandomBases(4, size());
  const BabyBear scale = BabyBear::From(12345);
  Column sum = a;
  for (size_t i = 0; i < size(); ++i) sum[i] += scale * b[i];
  const Column ta = Transformed(a);
  const Column tb = Transformed(b);
  Column expected = ta;
  for (size_t i = 0; i < size(); ++i) expected[i] += scale * tb[i];
  EXPECT_EQ(Transformed(sum), expected);
}

TEST_P(NttSizes, ProductsOfValuesAreCyclicConvolutions) {
  const Column a = RandomBases(5, size());
  const Column b = RandomBases(6, size());
  Column convolution(size());
  for (size_t i = 0; i < size(); ++i) {
    for (size_t j = 0; j < size(); ++j) {
      convolution[(i + j) % size()] += a[i] * b[j];
    }
  }
  Column product = Transformed(a);
  const Column tb = Transformed(b);
  for (size_t i = 0; i < size(); ++i) product[i] *= tb[i];
  Inverse(product);
  EXPECT_EQ(product, convolution);
}

TEST_P(NttSizes, TwiddlesAreRunsOfPowers) {
  const Column twiddles = Twiddles(GetParam());
  EXPECT_EQ(twiddles[0], BabyBear::One());
  for (int log_half = 0; log_half < GetParam(); ++log_half) {
    const size_t half = size_t{1} << log_half;
    const BabyBear g = BabyBear::TwoAdicGenerator(log_half + 1);
    for (size_t j = 0; j < half; ++j) {
      EXPECT_EQ(twiddles[half + j], g.Pow(j));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(LogSizes, NttSizes, testing::Range(0, 8));

TEST(Ntt, TransformsPublishedColumns) {
  const auto vectors = ReadVectors("dft.json");
  ASSERT_FALSE(vectors["base"].empty());
  for (const auto& vector : vectors["base"]) {
    EXPECT_EQ(Transformed(BasesFromJson(vector["in"])),
              BasesFromJson(vector["out"]));
  }
  const Column in = BasesFromJson(vectors["batch_8x2"]["in"]);
  const Column out = BasesFromJson(vectors["batch_8x2"]["out"]);
  for (size_t q = 0; q < 2; ++q) {
    EXPECT_EQ(Transformed(ColumnOf(in, 2, q)), ColumnOf(out, 2, q));
  }
}

TEST(Ntt, ExtensionColumnsAreFourColumns) {
  const auto vector = ReadVectors("dft.json")["ext"];
  const auto in = ExtsFromJson(vector["in"]);
  const auto out = ExtsFromJson(vector["out"]);
  for (size_t l = 0; l < 4; ++l) {
    Column column;
    for (const Ext4& x : in) column.push_back(x.c[l]);
    Transform(column);
    for (size_t i = 0; i < out.size(); ++i) EXPECT_EQ(column[i], out[i].c[l]);
  }
}

TEST(Ntt, CodewordsAreValuesOfTheBlocks) {
  const Column message = RandomBases(7, 3 * 8);
  const Column codeword =
      Encode(message, {.log_message = 3, .log_rows = 5, .columns = 3});
  const BabyBear g = BabyBear::TwoAdicGenerator(5);
  ASSERT_EQ(codeword.size(), 3u * 32);
  for (size_t q = 0; q < 3; ++q) {
    const auto block = std::span(message).subspan(8 * q, 8);
    for (size_t i = 0; i < 32; ++i) {
      EXPECT_EQ(codeword[32 * q + i], Horner(block, g.Pow(i)));
    }
  }
}

TEST(Ntt, PlanesTakeTurns) {
  constexpr size_t kStride = 16 + 3;
  const Column message = RandomBases(8, 4 * kStride);
  const Column codeword = Encode(message, {.log_message = 2,
                                           .log_rows = 3,
                                           .columns = 16,
                                           .planes = 4,
                                           .plane_stride = kStride});
  for (size_t plane = 0; plane < 4; ++plane) {
    const Column alone =
        Encode(std::span(message).subspan(plane * kStride, 16),
               {.log_message = 2, .log_rows = 3, .columns = 4});
    for (size_t block = 0; block < 4; ++block) {
      EXPECT_TRUE(std::equal(alone.begin() + 8 * block,
                             alone.begin() + 8 * (block + 1),
                             codeword.begin() + 8 * (4 * block + plane)));
    }
  }
}

// SUFFIX commits the row-major matrix M[j][c] = t[j W + c]
// (docs/engines/whir.md, section 6), which on the bit-reversed table is PREFIX.
TEST(Ntt, ReversedTablesEncodeTheirRowMajorMatrix) {
  const Column table = RandomBases(9, 8 * 4);
  Column reversed = table;
  fold::ReverseTable(reversed);
  const Column codeword =
      Encode(reversed,
             {.log_message = 3, .log_rows = 4, .columns = 4, .reversed = true});
  for (size_t c = 0; c < 4; ++c) {
    Column column = ColumnOf(table, 4, c);
    column.resize(16);
    Transform(column);
    EXPECT_TRUE(
        std::equal(column.begin(), column.end(), codeword.begin() + 16 * c));
  }
}

}  // namespace
}  // namespace assay::ntt
