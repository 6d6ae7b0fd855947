// Laws of wiping and comparing secrets.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/secret.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace assay {
namespace {

TEST(Secret, AWipeReachesEveryByteAndNoOther) {
  for (size_t count = 0; count <= 40; ++count) {
    std::vector<uint8_t> bytes(48, 0xa5);
    Wipe(bytes.data() + 4, count);
    for (size_t i = 0; i < bytes.size(); ++i) {
      EXPECT_EQ(bytes[i], i >= 4 && i < 4 + count ? 0 : 0xa5) << i;
    }
  }
  std::array<uint64_t, 3> words = {1, 2, 3};
  Wipe(words);
  EXPECT_EQ(words, (std::array<uint64_t, 3>{}));
}

TEST(Secret, EqualityIsThatOfEveryBit) {
  std::vector<uint8_t> a(19, 0x3c);
  EXPECT_TRUE(EqualInConstantTime(a, std::vector<uint8_t>(a)));
  for (size_t i = 0; i < 8 * a.size(); ++i) {
    std::vector<uint8_t> b = a;
    b[i / 8] ^= static_cast<uint8_t>(1 << i % 8);
    EXPECT_FALSE(EqualInConstantTime(a, b));
  }
  EXPECT_FALSE(EqualInConstantTime(a, std::span(a).first(18)));
  EXPECT_TRUE(EqualInConstantTime({}, {}));
}

}  // namespace
}  // namespace assay
