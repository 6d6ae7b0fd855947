// Laws of options that are described once.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/options.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

enum class Color : uint8_t { kRed, kGreen };

struct Sample {
  int fold = 4;
  uint64_t memory = 0;
  Color color = Color::kGreen;
  bool loud = false;
  std::string note = "none";
  double loss = 0.02;
};

template <class V>
void Describe(V& v, Sample& s) {
  v.Int("fold", s.fold, {1, 6}, "variables folded in one round");
  v.Bytes("memory", s.memory, "most memory");
  v.Enum("color", s.color, {{"red", Color::kRed}, {"green", Color::kGreen}},
         "which one");
  v.Flag("loud", s.loud, "say more");
  v.Text("note", s.note, "anything");
  v.Real("loss", s.loss, {0, 1}, "a share");
}

struct Described {
  Described() { Describe(table, sample); }
  Sample sample;
  OptionTable table;
};

TEST(Options, EachMemberIsListedInOrder) {
  const Described d;
  ASSERT_EQ(d.table.options().size(), 6u);
  EXPECT_EQ(d.table.options()[0].name, "fold");
  EXPECT_EQ(d.table.options()[0].range, "1..6");
  EXPECT_EQ(d.table.Find("color")->choices,
            (std::vector<std::string>{"red", "green"}));
  EXPECT_EQ(d.table.Find("absent"), nullptr);
}

TEST(Options, SetStoresIntoTheStruct) {
  const Described d;
  EXPECT_TRUE(d.table.Set("fold", "6").ok());
  EXPECT_TRUE(d.table.Set("memory", "2KiB").ok());
  EXPECT_TRUE(d.table.Set("color", "red").ok());
  EXPECT_TRUE(d.table.Set("loud", "").ok());
  EXPECT_TRUE(d.table.Set("note", "a b").ok());
  EXPECT_TRUE(d.table.Set("loss", "2.5e-3").ok());
  EXPECT_EQ(d.sample.loss, 2.5e-3);
  EXPECT_EQ(d.sample.fold, 6);
  EXPECT_EQ(d.sample.memory, 2048u);
  EXPECT_EQ(d.sample.color, Color::kRed);
  EXPECT_TRUE(d.sample.loud);
  EXPECT_EQ(d.sample.note, "a b");
}

TEST(Options, GetReturnsWhatSetReads) {
  const Described d;
  for (const Option& option : d.table.options()) {
    const std::string before = option.get();
    EXPECT_TRUE(option.set(before).ok()) << option.name;
    EXPECT_EQ(option.get(), before) << option.name;
  }
}

TEST(Options, ARefusedValueChangesNothing) {
  const Described d;
  for (const char* bad : {"0", "7", "four", "", "4294967300"}) {
    const Status status = d.table.Set("fold", bad);
    ASSERT_FALSE(status.ok()) << bad;
    EXPECT_EQ(status.error().code, Code::kInvalidInput);
  }
  EXPECT_FALSE(d.table.Set("color", "blue").ok());
  EXPECT_FALSE(d.table.Set("loud", "maybe").ok());
  EXPECT_FALSE(d.table.Set("memory", "lots").ok());
  for (const char* bad : {"nan", "1.5", "-1", "", "0.1x", "inf"}) {
    EXPECT_FALSE(d.table.Set("loss", bad).ok()) << bad;
  }
  EXPECT_EQ(d.sample.loss, 0.02);
  EXPECT_EQ(d.sample.fold, 4);
  EXPECT_EQ(d.sample.color, Color::kGreen);
}

TEST(Options, ErrorsSayWhatWouldWork) {
  const Described d;
  EXPECT_EQ(d.table.Set("fold", "9").error().what,
            "fold is \"9\"; it takes a whole number in 1..6");
  EXPECT_EQ(d.table.Set("color", "blue").error().what,
            "color is \"blue\"; it takes one of red, green");
  const Status unknown = d.table.Set("fild", "1");
  EXPECT_EQ(unknown.error().what, "unknown option fild");
  EXPECT_NE(unknown.error().hint.find("fold"), std::string::npos);
}

}  // namespace
}  // namespace assay
