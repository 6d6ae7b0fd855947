// Laws of the texts for bytes, times and numbers.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/text.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Text, BytesHaveThreeDigitsAndAUnit) {
  EXPECT_EQ(HumanBytes(0), "0 B");
  EXPECT_EQ(HumanBytes(1023), "1023 B");
  EXPECT_EQ(HumanBytes(1024), "1.0 KiB");
  EXPECT_EQ(HumanBytes(5046586573), "4.7 GiB");
  EXPECT_EQ(HumanBytes(uint64_t{320} << 20), "320 MiB");
  EXPECT_EQ(HumanBytes((uint64_t{1} << 20) - 1), "1.0 MiB");
  EXPECT_EQ(HumanBytes(~uint64_t{0}), "16.0 EiB");
}

TEST(Text, BytesRoundedUpAreEnough) {
  EXPECT_EQ(HumanBytesUp(1023), "1023 B");
  EXPECT_EQ(HumanBytesUp(1024), "1.0 KiB");
  EXPECT_EQ(HumanBytesUp(1025), "1.1 KiB");
  EXPECT_EQ(HumanBytesUp((uint64_t{320} << 20) + 1), "321 MiB");
  for (uint64_t bytes = 1; bytes < uint64_t{1} << 49; bytes += 1 + bytes / 7) {
    const auto again = ParseBytes(HumanBytesUp(bytes));
    ASSERT_TRUE(again.ok()) << bytes;
    EXPECT_GE(*again, bytes);
    EXPECT_LE(*again, bytes + bytes / 8);
  }
}

TEST(Text, TimesChooseTheirUnit) {
  EXPECT_EQ(HumanTime(0), "0 ns");
  EXPECT_EQ(HumanTime(870e-9), "870 ns");
  EXPECT_EQ(HumanTime(0.00125), "1.25 ms");
  EXPECT_EQ(HumanTime(0.9999), "1.00 s");
  EXPECT_EQ(HumanTime(12.34), "12.3 s");
  EXPECT_EQ(HumanTime(59.99), "1 min 00 s");
  EXPECT_EQ(HumanTime(245), "4 min 05 s");
  EXPECT_EQ(HumanTime(7500), "2 h 05 min");
  EXPECT_EQ(HumanTime(-1), "unknown");
}

TEST(Text, BytesAreReadWithUnits) {
  EXPECT_EQ(*ParseBytes("4096"), 4096u);
  EXPECT_EQ(*ParseBytes("8G"), uint64_t{8} << 30);
  EXPECT_EQ(*ParseBytes("512 MiB"), uint64_t{512} << 20);
  EXPECT_EQ(*ParseBytes("1.5gib"), uint64_t{3} << 29);
  EXPECT_EQ(*ParseBytes("0"), 0u);
  EXPECT_EQ(*ParseBytes(" 7 B "), 7u);
}

TEST(Text, BadBytesAreRefused) {
  for (const char* bad :
       {"", "G", "-1", "1X", "1 G G", "1e300T", "nan", "inf", "9999999T"}) {
    EXPECT_FALSE(ParseBytes(bad).ok()) << bad;
  }
}

TEST(Text, WholeNumbersAreReadWhole) {
  EXPECT_EQ(*ParseInt("-12"), -12);
  EXPECT_EQ(*ParseInt("0x10"), 16);
  EXPECT_EQ(*ParseUnsigned("18446744073709551615"), ~uint64_t{0});
  for (const char* bad :
       {"", "1.5", "12a", "0x", "0x-1", "--1", " ", "99999999999999999999"}) {
    EXPECT_FALSE(ParseInt(bad).ok()) << bad;
  }
  EXPECT_FALSE(ParseUnsigned("-1").ok());
}

TEST(Text, JsonStringsAreSafe) {
  EXPECT_EQ(EscapeJson("a\"b\\c\n\x01"), "a\\\"b\\\\c\\n\\u0001");
  EXPECT_EQ(EscapeJson("gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
  EXPECT_EQ(EscapeJson("\xff"
                       "a\xc3"),
            "\\ufffda\\ufffd");
  EXPECT_EQ(EscapeJson("\xed\xa0\x80"), "\\ufffd\\ufffd\\ufffd");
}

TEST(Text, HtmlIsSafe) {
  EXPECT_EQ(EscapeHtml("<a href='\"'>&"),
            "&lt;a href=&#39;&quot;&#39;&gt;&amp;");
}

TEST(Text, HertzTakePrefixes) {
  EXPECT_EQ(*ParseHertz("2.4e9"), 2.4e9);
  EXPECT_EQ(*ParseHertz("2.5GHz"), 2.5e9);
  EXPECT_EQ(*ParseHertz(" 100 MHz "), 100e6);
  EXPECT_EQ(*ParseHertz("1k"), 1e3);
  EXPECT_EQ(*ParseHertz("0"), 0);
  EXPECT_EQ(*ParseHertz("1ghz"), 1e9);
  EXPECT_EQ(*ParseHertz("2 mhz"), 2e6);
  EXPECT_FALSE(ParseHertz("2mHz").ok());  // may be milli
  EXPECT_FALSE(ParseHertz("2m").ok());
  for (const char* bad : {"", "-1", "GHz", "1 xHz", "nan", "1e400", "2..1"}) {
    EXPECT_FALSE(ParseHertz(bad).ok()) << bad;
  }
}

TEST(Text, ControlCharactersDoNotReachATerminal) {
  EXPECT_EQ(Printable("a\x1b[31mb\n"), "a\\x1b[31mb\\x0a");
  EXPECT_EQ(Printable("h\u00e4"), "h\u00e4");
  EXPECT_EQ(Printable(std::string(20, 'x') + std::string(20, 'y'), 10),
            "xxxxx ... yyyyy");
  // A control of eight bits, and letters that are cut in half.
  EXPECT_EQ(Printable("a\u009b31m"), "a\\x9b31m");
  EXPECT_EQ(Printable("xxx\u00e4yyyyyy\u00e4zzz", 8), "xxx\\xc3 ... \\xa4zzz");
}

}  // namespace
}  // namespace assay
