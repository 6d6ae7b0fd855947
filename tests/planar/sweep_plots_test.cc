// Laws of plots: where things lie, what is cut off, what stays readable.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

#include "cli/plot_axis.h"
#include "cli/quantity.h"
#include "cli/smith_chart.h"
#include "cli/svg_path.h"
#include "cli/svg_plot.h"

namespace assay::cli {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::vector<double> Even(double from, double to, size_t count) {
  std::vector<double> values;
  for (size_t k = 0; k < count; ++k) {
    values.push_back(from + (to - from) * double(k) / double(count - 1));
  }
  return values;
}

std::vector<double> ByRatio(double from, double to, size_t count) {
  std::vector<double> values;
  for (const double power : Even(std::log(from), std::log(to), count)) {
    values.push_back(std::exp(power));
  }
  return values;
}

size_t Count(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + part.size())) {
    ++count;
  }
  return count;
}

// The data of the first curve.
std::string CurveData(const std::string& html) {
  const size_t begin = html.find("d=\"", html.find("class=\"curve")) + 3;
  return html.substr(begin, html.find('"', begin) - begin);
}

TEST(FrequencyAxis, EvenAndGeometricGridsLieEvenly) {
  for (const auto& hz :
       {Even(1e8, 7e9, 101), Even(0, 1e9, 11), ByRatio(1e3, 1e10, 50)}) {
    const FrequencyAxis axis(hz);
    const auto& places = axis.places();
    ASSERT_EQ(places.size(), hz.size());
    EXPECT_NEAR(places.front(), PlotArea::kLeft, 1e-9);
    EXPECT_NEAR(places.back(), PlotArea::kRight, 1e-9);
    for (size_t k = 1; k < places.size(); ++k) {
      EXPECT_NEAR(places[k] - places[k - 1], places[1] - places[0], 1e-6);
    }
    EXPECT_EQ(axis.logarithmic(), hz[0] == 1e3 || hz.size() == 50);
    EXPECT_FALSE(axis.dc_apart());
  }
}

TEST(FrequencyAxis, ZeroHasAPlaceBesideALogarithm) {
  std::vector<double> hz = ByRatio(1e6, 1e9, 31);
  hz.insert(hz.begin(), 0);
  const FrequencyAxis axis(hz);
  EXPECT_TRUE(axis.logarithmic());
  EXPECT_TRUE(axis.dc_apart());
  EXPECT_GT(axis.places()[0], PlotArea::kLeft);
  EXPECT_GT(axis.places()[1] - axis.places()[0], 10);
  EXPECT_EQ(axis.ticks()[0].label, "DC");
}

TEST(FrequencyAxis, OneFrequencyLiesInTheMiddle) {
  for (const double hz : {0.0, 2.4e9}) {
    const FrequencyAxis axis(std::vector<double>{hz});
    EXPECT_NEAR(axis.places()[0], (PlotArea::kLeft + PlotArea::kRight) / 2, 1);
  }
}

// Digits of 13 units are about 8 wide.
void ExpectLegible(const std::vector<Tick>& ticks, const std::string& what) {
  double end = -kInfinite;
  size_t named = 0;
  for (const Tick& tick : ticks) {
    EXPECT_GE(tick.at, PlotArea::kLeft - 0.01) << what;
    EXPECT_LE(tick.at, PlotArea::kRight + 0.01) << what;
    if (tick.label.empty()) continue;
    const double half = 4.0 * double(tick.label.size());
    EXPECT_GE(tick.at - half, end) << what << " at " << tick.label;
    EXPECT_LE(tick.at + half, PlotArea::kWidth + 4) << what;
    end = tick.at + half;
    ++named;
  }
  EXPECT_GE(named, 2U) << what;
}

TEST(FrequencyAxis, LabelsDoNotOverlap) {
  const std::vector<double> starts = {1,   3e3,   1e6,  5e7, 1e8,
                                      9e8, 2.4e9, 1e10, 7e11};
  for (const double from : starts) {
    for (const double ratio :
         {1.01, 1.3, 2.0, 4.5, 10.0, 60.0, 300.0, 1e4, 1e7, 1e10}) {
      if (from * ratio > 1e13) continue;  // nobody's band
      const std::string what = fmt::format("{} x {}", from, ratio);
      ExpectLegible(FrequencyAxis(Even(from, from * ratio, 21)).ticks(), what);
      const auto geometric = ByRatio(from, from * ratio, 21);
      ExpectLegible(FrequencyAxis(geometric).ticks(), "log " + what);
      std::vector<double> with_dc = geometric;
      with_dc.insert(with_dc.begin(), 0);
      ExpectLegible(FrequencyAxis(with_dc).ticks(), "DC and log " + what);
    }
  }
}

TEST(ValueRange, HoldsItsValuesAndFewTicks) {
  for (const double middle : {0.0, -31.7, 1e-3, 5e4}) {
    for (const double span : {1e-13, 0.3, 7.0, 41.0, 1e3}) {
      const std::vector<double> values = {middle, middle + span, kNone,
                                          -kInfinite};
      const ValueRange range = ValueRange::Of(values, 1);
      EXPECT_LE(range.low, middle);
      EXPECT_GE(range.high, middle + span);
      EXPECT_GE(range.high - range.low, 1);
      const auto ticks = range.Ticks();
      EXPECT_GE(ticks.size(), 2U);
      EXPECT_LE(ticks.size(), 10U);
      EXPECT_NEAR(ticks.front().at, PlotArea::kBottom, 1e-6);
      EXPECT_NEAR(ticks.back().at, PlotArea::kTop, 1e-6);
    }
  }
  const ValueRange nothing = ValueRange::Of(std::vector<double>{kNone}, 0);
  EXPECT_LT(nothing.low, nothing.high);
}

TEST(ValueRange, OfMostLeavesOutPolesAndNothingElse) {
  std::vector<double> values = Even(2, 5, 100);
  const ValueRange even = ValueRange::OfMost(values, 0);
  EXPECT_LE(even.low, 2);
  EXPECT_GE(even.high, 5);
  values[50] = 1e7;
  const ValueRange pole = ValueRange::OfMost(values, 0);
  EXPECT_LE(pole.low, 2);
  EXPECT_GE(pole.high, 4.5);
  EXPECT_LT(pole.high, 10);
}

TEST(SvgPath, SimplifyingStaysCloseToEveryPoint) {
  std::vector<Dot> line;
  for (int k = 0; k <= 4000; ++k) {
    line.push_back({k * 0.09, 100 + 80 * std::sin(k * 0.004) +
                                  20 * std::exp(-std::pow(k - 2000, 2) / 99)});
  }
  const auto few = Simplified(line);
  EXPECT_LT(few.size(), 200U);
  EXPECT_EQ(few.front().x, line.front().x);
  EXPECT_EQ(few.back().x, line.back().x);
  size_t segment = 1;
  for (const Dot& dot : line) {
    while (few[segment].x < dot.x) ++segment;
    const Dot a = few[segment - 1];
    const Dot b = few[segment];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const double away =
        ((dot.x - a.x) * (b.y - a.y) - (dot.y - a.y) * (b.x - a.x)) / length;
    ASSERT_LT(std::abs(away), 0.1);
  }
  const std::vector<Dot> straight = {{0, 0}, {1, 2}, {2, 4}, {5, 10}};
  EXPECT_EQ(Simplified(straight).size(), 2U);
  EXPECT_TRUE(Simplified({}).empty());
}

TEST(Plot, EachMarkIsATriangleOnTheCurve) {
  const auto hz = Even(1e9, 2e9, 5);
  Plot plot;
  plot.curves = {{"S11", {0, -3, -6, -9, -12}}};
  plot.marks = {0, 3};
  const FrequencyAxis axis(hz);
  const std::string html = PlotHtml(axis, plot);
  // Two, and the legend's.
  EXPECT_EQ(Count(html, "l4 7h-8z"), 3U);
  const ValueRange range = ValueRange::Of(plot.curves[0].values, 0);
  EXPECT_NE(html.find(fmt::format("M{:.6g} {:.6g}l4 7h-8z", axis.places()[3],
                                  std::round(range.Place(-9) * 10 - 45) / 10)),
            std::string::npos)
      << html;
  plot.marks = {};
  EXPECT_EQ(Count(PlotHtml(axis, plot), "l4 7h-8z"), 0U);
}

TEST(Plot, ACurveBreaksWhereItHasNoValue) {
  Plot plot;
  plot.curves = {{"S11", {1, 5, kNone, 2, -kInfinite, 3}}};
  const std::string html = PlotHtml(FrequencyAxis(Even(1, 2, 6)), plot);
  const std::string data = CurveData(html);
  // A line and two rings.
  EXPECT_EQ(Count(data, "M"), 3U) << data;
  EXPECT_EQ(Count(data, "L"), 1U) << data;
  EXPECT_NE(html.find("[[1,5,null,2,null,3]]"), std::string::npos);
}

TEST(Plot, APhaseLeavesThroughOneEndAndComesBackThroughTheOther) {
  Plot plot;
  plot.degrees = true;
  plot.curves = {{"S11", {-170, 170, 150}}};
  const FrequencyAxis axis(Even(1, 3, 3));
  const std::string data = CurveData(PlotHtml(axis, plot));
  const double middle = (axis.places()[0] + axis.places()[1]) / 2;
  EXPECT_EQ(Count(data, "M"), 2U) << data;
  EXPECT_NE(data.find(fmt::format("L{:.6g} {:.6g}M{:.6g} {:.6g}", middle,
                                  PlotArea::kBottom, middle, PlotArea::kTop)),
            std::string::npos)
      << data;
}

TEST(Plot, ZeroHertzBesideALogarithmIsARing) {
  std::vector<double> hz = ByRatio(1e6, 1e9, 4);
  hz.insert(hz.begin(), 0);
  Plot plot;
  plot.curves = {{"S11", {1, 2, 3, 4, 5}}};
  const std::string data = CurveData(PlotHtml(FrequencyAxis(hz), plot));
  EXPECT_EQ(Count(data, "M"), 2U) << data;
  EXPECT_EQ(Count(data, "a3 3"), 2U) << data;
}

TEST(Plot, NamesAreText) {
  Plot plot;
  plot.title = "<b>&";
  plot.unit = "\"><i>";
  plot.curves = {{"<u>'\"\n", {1, 2}}};
  const std::string html = PlotHtml(FrequencyAxis(Even(1, 2, 2)), plot);
  for (const char* tag : {"<b>", "<i>", "<u>"}) {
    EXPECT_EQ(html.find(tag), std::string::npos) << tag;
  }
}

TEST(SmithChart, ShortMatchAndOpenLieOnTheAxis) {
  // Rings around single points: short at the left, open at the right.
  for (const auto& [s, x] : {std::pair{-1.0, 38}, {0.0, 210}, {1.0, 382}}) {
    const std::vector<SmithCurve> curves = {{"S11", {{s, 0}}}};
    EXPECT_NE(SmithHtml(curves, {}).find(fmt::format("\"M{} 200a3", x - 3)),
              std::string::npos);
  }
  // An inductor lies above, and triangles where asked.
  const std::vector<SmithCurve> curves = {{"S11", {{0, 1}, {1, 0}}}};
  const std::string html = SmithHtml(curves, std::vector<size_t>{0});
  EXPECT_NE(html.find("M210 28L382 200"), std::string::npos);
  EXPECT_NE(html.find("M210 23.5l4 7h-8z"), std::string::npos);
}

TEST(Quantity, PrefixesLeaveOneToThousand) {
  EXPECT_EQ(QuantityText(4.7123e-9, "H"), "4.712 nH");
  EXPECT_EQ(QuantityText(0, "H"), "0 H");
  EXPECT_EQ(QuantityText(-1.5e-13, "F"), "-150 fF");
  EXPECT_EQ(QuantityText(999.99, "\u03A9"), "1 k\u03A9");
  EXPECT_EQ(QuantityText(0.5e-15, "F"), "0.5 fF");
  EXPECT_EQ(HertzText(2.4e9), "2.4 GHz");
  EXPECT_EQ(HertzText(0), "0 Hz");
}

TEST(Quantity, ParametersOfManyPortsAreNamedApart) {
  EXPECT_EQ(ParameterName(1, 0, 2), "S21");
  EXPECT_EQ(ParameterName(0, 10, 11), "S1,11");
  EXPECT_EQ(ParameterName(10, 0, 11), "S11,1");
}

}  // namespace
}  // namespace assay::cli
