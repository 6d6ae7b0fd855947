// Laws of random bytes.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/random.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <vector>

namespace assay {
namespace {

TEST(RandomBytes, DifferEachTimeAndFillWhatIsAsked) {
  std::set<std::vector<uint8_t>> seen;
  for (int i = 0; i < 100; ++i) {
    std::vector<uint8_t> bytes(32);
    ASSERT_TRUE(RandomBytes(bytes).ok());
    EXPECT_TRUE(seen.insert(bytes).second);
  }
  // More than the system gives at once; half of the bits, within 20 deviations.
  std::vector<uint8_t> bytes(100000);
  ASSERT_TRUE(RandomBytes(bytes).ok());
  int ones = 0;
  for (const uint8_t byte : bytes) ones += std::popcount(byte);
  EXPECT_NEAR(ones, 400000, 9000);
  EXPECT_TRUE(RandomBytes({}).ok());
}

}  // namespace
}  // namespace assay
