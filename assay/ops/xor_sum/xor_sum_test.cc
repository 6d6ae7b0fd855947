// Laws of the sum of blocks.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/xor_sum/xor_sum.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "assay/base/split_mix.h"

namespace assay::xor_sum {
namespace {

std::vector<uint8_t> Random(size_t bytes) {
  std::vector<uint8_t> data;
  for (size_t i = 0; i < bytes; ++i) {
    data.push_back(static_cast<uint8_t>(SplitMix64(7, i)));
  }
  return data;
}

TEST(XorSum, GoesOnFromASum) {
  const std::vector<uint8_t> data = Random(160);
  const std::span<const uint8_t> all(data);
  for (size_t cut = 0; cut <= all.size(); cut += 16) {
    EXPECT_EQ(Add(Add({}, all.first(cut)), all.subspan(cut)), Add({}, all));
  }
}

TEST(XorSum, TwiceIsNothing) {
  const std::vector<uint8_t> data = Random(64);
  const Block start = {1, 2, 3};
  EXPECT_EQ(Add(Add(start, data), data), start);
}

TEST(XorSum, OfOneBlockIsTheBlock) {
  const std::vector<uint8_t> data = Random(16);
  const Block sum = Add({}, data);
  EXPECT_TRUE(std::equal(data.begin(), data.end(), sum.begin()));
}

}  // namespace
}  // namespace assay::xor_sum
