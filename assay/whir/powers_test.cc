// Laws of powers, against one exponent at a time.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/powers.h"

#include <gtest/gtest.h>

#include <vector>

namespace assay::whir {
namespace {

TEST(Powers, AreThoseOfTheGenerator) {
  for (const int bits : {0, 1, 2, 5, 12, 17, 27}) {
    const BabyBear g = BabyBear::TwoAdicGenerator(bits);
    const uint32_t size = uint32_t{1} << bits;
    for (const uint32_t count : {0u, 1u, 3u, 400u}) {
      std::vector<uint32_t> exponents;
      for (uint32_t i = 0; i < count; ++i) {
        exponents.push_back((i * 2654435761u) % size);
      }
      if (count > 1) exponents.back() = size - 1;
      const std::vector<BabyBear> powers = PowersOf(bits, exponents);
      ASSERT_EQ(powers.size(), count);
      for (uint32_t i = 0; i < count; ++i) {
        EXPECT_EQ(powers[i], g.Pow(exponents[i])) << bits << " " << i;
      }
    }
  }
}

TEST(Powers, AGeometricRowMultipliesItsNeighbours) {
  const Ext4 first = {{BabyBear::From(3), BabyBear::From(1), BabyBear::From(4),
                       BabyBear::From(15)}};
  const Ext4 ratio = {{BabyBear::From(9), BabyBear::From(2), BabyBear::From(6),
                       BabyBear::From(5)}};
  for (const size_t count : {0, 1, 3, 4, 5, 90}) {
    const std::vector<Ext4> row = Geometric(first, ratio, count);
    ASSERT_EQ(row.size(), count);
    for (size_t j = 0; j < count; ++j) {
      EXPECT_EQ(row[j], j == 0 ? first : row[j - 1] * ratio) << j;
    }
  }
}

}  // namespace
}  // namespace assay::whir
