// Laws of the field of 256 elements, each element tried.
// SPDX-License-Identifier: Apache-2.0
#include "assay/number/gf256.h"

#include <gtest/gtest.h>

#include <set>

namespace assay::gf256 {
namespace {

uint8_t Byte(int i) { return static_cast<uint8_t>(i); }

TEST(Gf256, ProductsCommuteAndDistribute) {
  for (int a = 0; a < 256; ++a) {
    for (int b = 0; b < 256; ++b) {
      const uint8_t product = Multiply(Byte(a), Byte(b));
      ASSERT_EQ(product, Multiply(Byte(b), Byte(a)));
      for (const int c : {1, 2, 29, 0x8e, 255}) {
        ASSERT_EQ(Multiply(Byte(a), Byte(b ^ c)),
                  product ^ Multiply(Byte(a), Byte(c)));
        ASSERT_EQ(Multiply(product, Byte(c)),
                  Multiply(Byte(a), Multiply(Byte(b), Byte(c))));
      }
    }
    EXPECT_EQ(Multiply(Byte(a), 1), a);
    EXPECT_EQ(Multiply(Byte(a), 0), 0);
  }
}

TEST(Gf256, EveryElementButZeroHasAnInverse) {
  for (int a = 1; a < 256; ++a) {
    EXPECT_EQ(Multiply(Byte(a), Inverse(Byte(a))), 1);
  }
  EXPECT_EQ(Inverse(0), 0);
}

TEST(Gf256, TwoGeneratesTheGroup) {
  std::set<uint8_t> powers;
  for (unsigned e = 0; e < 255; ++e) powers.insert(Power(kGenerator, e));
  EXPECT_EQ(powers.size(), 255u);
  EXPECT_EQ(powers.count(0), 0u);
  EXPECT_EQ(Power(kGenerator, 8), 0x1d);
  EXPECT_EQ(Power(0, 0), 1);
}

}  // namespace
}  // namespace assay::gf256
