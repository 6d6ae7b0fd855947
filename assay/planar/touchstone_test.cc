// Laws of Touchstone files: order, breaks, versions, and reading back.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/touchstone.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

namespace assay::planar {
namespace {

using Version = TouchstoneOptions::Version;
using Unit = TouchstoneOptions::Unit;
using Format = TouchstoneOptions::Format;

// S_ij = i.j: the real part is the row, the imaginary part the column.
NetworkSweep Numbered(size_t ports, size_t count = 1) {
  NetworkSweep sweep;
  sweep.z0.assign(ports, 50);
  for (size_t k = 0; k < count; ++k) {
    sweep.frequency_hz.push_back(1e9 * static_cast<double>(k + 1));
    PortMatrix s(ports);
    for (size_t i = 0; i < ports; ++i) {
      for (size_t j = 0; j < ports; ++j) {
        s(i, j) = {static_cast<double>(i + 1) / 8,
                   -static_cast<double>(j + 1) / 16};
      }
    }
    sweep.s.push_back(s);
  }
  return sweep;
}

TEST(Touchstone, OnePortText) {
  NetworkSweep sweep = Numbered(1);
  sweep.s[0](0, 0) = {-0.0, -0.25};
  TouchstoneOptions options;
  options.unit = Unit::kGigaHz;
  options.comments = {"from\ntest"};
  EXPECT_EQ(*FormatTouchstone(sweep, options),
            "! from test\n# GHz S RI R 50\n1 0 -0.25\n");
}

TEST(Touchstone, TwoPortsGoColumnByColumn) {
  EXPECT_EQ(*FormatTouchstone(Numbered(2)),
            "# Hz S RI R 50\n1000000000 0.125 -0.0625 0.25 -0.0625 "
            "0.125 -0.125 0.25 -0.125\n");
}

TEST(Touchstone, FivePortsGoRowByRowWithFourPairsALine) {
  const std::string text = *FormatTouchstone(Numbered(5));
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 10);
  EXPECT_NE(text.find("\n 0.125 -0.3125\n 0.25 -0.0625 0.25 -0.125"),
            std::string::npos)
      << text;
}

TEST(Touchstone, UnequalImpedancesAreVersion2) {
  NetworkSweep sweep = Numbered(2);
  sweep.z0 = {50, 75};
  const std::string text = *FormatTouchstone(sweep);
  EXPECT_TRUE(text.starts_with(
      "[Version] 2.0\n# Hz S RI R 50\n[Number of Ports] 2\n"
      "[Two-Port Data Order] 21_12\n[Number of Frequencies] 1\n"
      "[Reference] 50 75\n[Matrix Format] Full\n[Network Data]\n"))
      << text;
  EXPECT_TRUE(text.ends_with("[End]\n"));
  TouchstoneOptions options;
  options.version = Version::k11;
  EXPECT_EQ(FormatTouchstone(sweep, options).error().code, Code::kInvalidInput);
}

TEST(Touchstone, ReadingUndoesWriting) {
  for (const size_t ports : {1, 2, 3, 4, 5, 9}) {
    for (const Version version : {Version::kAuto, Version::k20}) {
      for (const Format format : {Format::kRealImaginary,
                                  Format::kMagnitudeAngle, Format::kDbAngle}) {
        const NetworkSweep sweep = Numbered(ports, 3);
        TouchstoneOptions options;
        options.version = version;
        options.format = format;
        const std::string text = *FormatTouchstone(sweep, options);
        const auto read = ParseTouchstone(text, fmt::format("x.s{}p", ports));
        ASSERT_TRUE(read.ok()) << read.error().what << text;
        EXPECT_EQ(read->z0, sweep.z0);
        EXPECT_EQ(read->frequency_hz, sweep.frequency_hz);
        for (size_t k = 0; k < 3; ++k) {
          for (size_t i = 0; i < ports * ports; ++i) {
            EXPECT_LT(std::abs(read->s[k].values[i] - sweep.s[k].values[i]),
                      format == Format::kRealImaginary ? 1e-300 : 1e-14);
          }
        }
      }
    }
  }
}

TEST(Touchstone, NoNegativeZeroAndNoNan) {
  NetworkSweep sweep = Numbered(3);
  for (Complex& value : sweep.s[0].values) value = {-0.0, -0.0};
  for (const Format format :
       {Format::kRealImaginary, Format::kMagnitudeAngle, Format::kDbAngle}) {
    TouchstoneOptions options;
    options.format = format;
    const std::string text = *FormatTouchstone(sweep, options);
    EXPECT_EQ(text.find("-0 "), std::string::npos) << text;
    EXPECT_EQ(text.find("-0\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("inf"), std::string::npos) << text;
  }
  sweep.s[0](1, 2) = std::nan("");
  EXPECT_FALSE(FormatTouchstone(sweep).ok());
}

TEST(Touchstone, RefusesWhatIsNoSweep) {
  NetworkSweep sweep = Numbered(2, 2);
  sweep.frequency_hz[1] = sweep.frequency_hz[0];
  EXPECT_FALSE(FormatTouchstone(sweep).ok());
  sweep = Numbered(2, 2);
  sweep.s.pop_back();
  EXPECT_FALSE(FormatTouchstone(sweep).ok());
  sweep = Numbered(2);
  sweep.z0[1] = -50;
  EXPECT_FALSE(FormatTouchstone(sweep).ok());
  sweep = Numbered(2);
  sweep.z0.push_back(50);
  EXPECT_FALSE(FormatTouchstone(sweep).ok());
}

TEST(Touchstone, TheSuffixSaysThePorts) {
  const auto version = [](const char* path, size_t ports,
                          Version wanted = Version::kAuto) {
    return VersionForPath(path, ports, wanted);
  };
  EXPECT_TRUE(version("a/f.s2p", 2).ok());
  EXPECT_TRUE(version("f.S12P", 12).ok());
  EXPECT_EQ(*version("f.ts", 7), Version::k20);
  EXPECT_FALSE(version("f.s2p", 3).ok());
  EXPECT_FALSE(version("f.txt", 2).ok());
  EXPECT_FALSE(version("d.s2p/f", 2).ok());
  EXPECT_FALSE(version("f.ts", 2, Version::k11).ok());
}

TEST(Touchstone, AFailureLeavesNoFile) {
  const std::string path = ::testing::TempDir() + "planar_none.s3p";
  std::filesystem::remove(path);
  EXPECT_FALSE(WriteTouchstone(path, Numbered(2)).ok());
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(WriteTouchstone(path, Numbered(3)).ok());
  EXPECT_TRUE(std::filesystem::exists(path));
  std::filesystem::remove(path);
}

TEST(Touchstone, TheReaderNamesTheLine) {
  const auto fault = [](const std::string& text) {
    const auto read = ParseTouchstone(text, "x.s1p");
    return read.ok() ? "accepted" : read.error().what;
  };
  EXPECT_EQ(fault("# Hz S RI R 50\n1 0 nan\n"),
            "x.s1p:2: \"nan\" is no number");
  EXPECT_EQ(fault("1 0 0\n"), "x.s1p:1: data before the option line");
  EXPECT_NE(fault("# Hz S RI R 50\n1 0\n").find("no whole matrices"),
            std::string::npos);
  EXPECT_NE(fault("[Version] 1.9\n").find("x.s1p:1"), std::string::npos);
  EXPECT_NE(fault("# Hz Y RI\n").find("\"y\" is no option"), std::string::npos);
}

}  // namespace
}  // namespace assay::planar
