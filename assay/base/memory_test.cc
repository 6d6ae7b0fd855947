// What is known of the memory that is left.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/memory.h"

#include <gtest/gtest.h>

#include <sstream>

namespace assay {
namespace {

TEST(Memory, SomeIsThereAndNoneIsMadeUp) {
  EXPECT_GT(AvailableBytes(), 1u << 20);
  EXPECT_LT(AvailableBytes(), uint64_t{1} << 50);
}

TEST(Memory, FilesThatWereReadAreNoUse) {
  EXPECT_EQ(RoomInContainer(100, 90, 80), 90u);
  EXPECT_EQ(RoomInContainer(100, 120, 0), 0u);
  EXPECT_EQ(RoomInContainer(100, 10, 50), 100u);
}

TEST(Memory, StatisticsAreReadByName) {
  std::istringstream text("anon 5\nfile 7\ninactive_file 11\n");
  EXPECT_EQ(NumberOf(text, "inactive_file"), 11u);
  std::istringstream other("file 7\n");
  EXPECT_EQ(NumberOf(other, "inactive_file"), 0u);
  std::istringstream broken("file seven\ninactive_file 3\n");
  EXPECT_EQ(NumberOf(broken, "inactive_file"), 0u);
}

}  // namespace
}  // namespace assay
