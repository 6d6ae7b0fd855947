// Laws of the files and the page that `assay bench binary` writes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>
#include <vector>

#include "cli/bench_binary_data.h"
#include "cli/log_plot.h"
#include "cli/plot_axis.h"

namespace assay::cli {
namespace {

BenchPoint Point(std::string figure, std::string curve, std::string device,
                 double x, double seconds) {
  BenchPoint point;
  point.figure = std::move(figure);
  point.curve = std::move(curve);
  point.device = std::move(device);
  point.x = x;
  point.runs = 5;
  point.median_s = point.host_s = seconds;
  point.least_s = seconds / 2;
  point.most_s = 2 * seconds;
  if (point.OfBytes()) {
    point.moved_bytes = x;
    point.roof = 1e10;
  }
  return point;
}

BenchBinaryData Data() {
  BenchBinaryData data;
  data.host = "a processor <of ours>";
  data.devices = {{"cpu", "a processor", 1e10, 1 << 20, {"a note & more"}},
                  {"cuda", "a GPU", 1e12, 1 << 20, {}}};
  for (const double log : {12.0, 10.0, 11.0}) {
    const double bytes = std::exp2(log);
    data.points.push_back(Point("read", "read", "cpu", bytes, bytes / 1e10));
    data.points.push_back(Point("GHASH", "GHASH", "cpu", bytes, bytes / 8e9));
    data.points.push_back(
        Point("GHASH", "bit-sliced", "cpu", bytes, bytes / 1e9 * (log - 9)));
    data.points.push_back(Point("GHASH", "GHASH", "cuda", bytes, bytes / 9e11));
    for (const char* d : {"d=2", "d=3"}) {
      data.points.push_back(Point("sum-check", d, "cpu", log, 1e-6 * bytes));
    }
  }
  return data;
}

TEST(BenchBinary, ReadingUndoesWriting) {
  const BenchBinaryData data = Data();
  const std::string csv = BenchCsv(data);
  const auto points = ParseBenchCsv(csv);
  ASSERT_TRUE(points.ok());
  ASSERT_EQ(points->size(), data.points.size());
  for (size_t i = 0; i < points->size(); ++i) {
    EXPECT_EQ((*points)[i].figure, data.points[i].figure);
    EXPECT_EQ((*points)[i].curve, data.points[i].curve);
    EXPECT_EQ((*points)[i].device, data.points[i].device);
    EXPECT_EQ((*points)[i].x, data.points[i].x);
    EXPECT_NEAR((*points)[i].median_s / data.points[i].median_s, 1, 1e-3);
  }
}

TEST(BenchBinary, OthersNeedFourColumnsInAnyOrder) {
  const auto points =
      ParseBenchCsv("x,median_s,curve,figure,mine\r\n1024,2e-6,a,GHASH,?\r\n");
  ASSERT_TRUE(points.ok());
  ASSERT_EQ(points->size(), 1u);
  EXPECT_EQ(points->front().Rate(), 1024 / 2e-6);
  for (const char* bad :
       {"", "x,curve,figure\n1,a,b\n", "figure,curve,x,median_s\na,b,1\n",
        "figure,curve,x,median_s\na,b,c,d\n",
        "figure,curve,x,median_s\na,b,1,0\n",
        "figure,curve,x,median_s\na,b,-1,1\n",
        "figure,curve,x,median_s\na,b,1,nan\n"}) {
    EXPECT_EQ(ParseBenchCsv(bad).error().code, Code::kInvalidInput) << bad;
  }
}

TEST(BenchBinary, CurvesRise) {
  const BenchBinaryData data = Data();
  const std::vector<BenchCurve> curves = CurvesOf(data);
  EXPECT_EQ(curves.size(), 6u);
  for (const BenchCurve& curve : curves) {
    ASSERT_EQ(curve.points.size(), 3u);
    for (size_t i = 1; i < curve.points.size(); ++i) {
      EXPECT_LT(curve.points[i - 1]->x, curve.points[i]->x);
    }
  }
}

TEST(BenchBinary, RatiosAreTheGreatestAtOnePlace) {
  const BenchBinaryData data = Data();
  const std::vector<BenchCurve> curves = CurvesOf(data);
  // 8 GB/s against 1 GB/s / 3 at 4 KiB.
  const SpeedUp most = SpeedUpOf(curves[1], curves[2]);
  EXPECT_NEAR(most.ratio, 24, 1e-9);
  EXPECT_EQ(most.x, 4096);
  EXPECT_EQ(SpeedUpOf(curves[1], curves[4]).ratio, 0);  // no place in common
}

// Every dot of every plot, in the units of the picture.
std::vector<std::pair<double, double>> Dots(const std::string& html) {
  static const std::regex kCircle(
      "<circle [^>]*cx=\"([-0-9.]+)\" "
      "cy=\"([-0-9.]+)\"");
  std::vector<std::pair<double, double>> dots;
  for (std::sregex_iterator it(html.begin(), html.end(), kCircle), end;
       it != end; ++it) {
    dots.emplace_back(std::stod((*it)[1]), std::stod((*it)[2]));
  }
  return dots;
}

TEST(BenchBinary, ThePageShowsEveryPointAndEscapesNames) {
  const BenchBinaryData data = Data();
  const std::string page = BenchPage(data);
  EXPECT_EQ(page.find("<of ours>"), std::string::npos);
  EXPECT_NE(page.find("a note &amp; more"), std::string::npos);
  EXPECT_NE(page.find("up to 24 times as fast, at 4.0 KiB"), std::string::npos);
  EXPECT_EQ(page.find("http"), std::string::npos);  // it needs no other file
  // GHASH with the roof, the sums, and the sums at n = 12 against d.
  const auto dots = Dots(page);
  EXPECT_EQ(dots.size(), 3 * 4 + 2 * 3 + 2u);
  for (const auto& [x, y] : dots) {
    EXPECT_GE(x, PlotArea::kLeft);
    EXPECT_LE(x, PlotArea::kRight);
    EXPECT_GE(y, PlotArea::kTop);
    EXPECT_LE(y, PlotArea::kBottom);
  }
}

std::string Say(double y) { return std::to_string(y); }

TEST(LogPlot, EqualRatiosAreEqualSteps) {
  LogPlot plot;
  plot.title = "a < b";
  plot.tick = plot.say = &Say;
  plot.curves = {{"none", {}}, {"one", {{10, 0.5}, {11, 5}, {12, 50}}}};
  const std::string html = LogPlotHtml(plot);
  EXPECT_NE(html.find("a &lt; b"), std::string::npos);
  EXPECT_EQ(html.find("none"), std::string::npos);
  const auto dots = Dots(html);
  ASSERT_EQ(dots.size(), 3u);
  EXPECT_NEAR(dots[1].first - dots[0].first, dots[2].first - dots[1].first,
              0.2);
  EXPECT_NEAR(dots[1].second - dots[0].second, dots[2].second - dots[1].second,
              0.2);
  EXPECT_LT(dots[2].second, dots[0].second);  // upwards
}

TEST(LogPlot, OnePointIsDrawnAndNoneIsNot) {
  LogPlot plot;
  plot.tick = plot.say = &Say;
  EXPECT_EQ(LogPlotHtml(plot), "");
  plot.curves = {{"one", {{10, 3}}}};
  const auto dots = Dots(LogPlotHtml(plot));
  ASSERT_EQ(dots.size(), 1u);
  EXPECT_TRUE(std::isfinite(dots[0].first) && std::isfinite(dots[0].second));
}

}  // namespace
}  // namespace assay::cli
