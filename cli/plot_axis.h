// Places frequencies and values on the axes of a plot.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

namespace assay::cli {

// The area of every plot, in the units of its picture.
struct PlotArea {
  static constexpr double kWidth = 420, kHeight = 300;
  static constexpr double kLeft = 54, kRight = 402, kTop = 10, kBottom = 250;
};

struct Tick {
  double at = 0;      // in the picture
  std::string label;  // empty: a line only
};

// "2.4 GHz", "0 Hz": with so many digits at most, and the prefix that fits.
// With kExactDigits in hertz, so that no two numbers have the same text.
constexpr int kExactDigits = 17;
std::string HertzText(double hz, int digits = 6);

// The fewest digits, from six on, with which frequencies that differ have
// texts that differ.
int HertzDigits(std::span<const double> hz);

// Where frequencies lie from left to right: evenly, or by their logarithm
// where they grow by a constant ratio. There 0 Hz has a place of its own at
// the left.
class FrequencyAxis {
 public:
  // Precondition: `hz` rises and is not empty.
  explicit FrequencyAxis(std::span<const double> hz);

  bool logarithmic() const { return logarithmic_; }
  // 0 Hz is apart from the rest: no line leads there.
  bool dc_apart() const { return dc_apart_; }
  const std::vector<double>& places() const { return places_; }
  const std::vector<Tick>& ticks() const { return ticks_; }
  const std::string& title() const { return title_; }

 private:
  double Place(double hz) const;
  void EvenTicks();
  void LogTicks();

  bool logarithmic_ = false, dc_apart_ = false;
  double low_ = 0, high_ = 0;  // hertz at the ends, or their logarithms
  double left_ = PlotArea::kLeft;
  std::vector<double> places_;
  std::vector<Tick> ticks_;
  std::string title_;
};

// A range with rounded ends that holds the finite ones of `values` and at
// least `least_span`, with the step of its ticks.
struct ValueRange {
  double low = 0, high = 1, step = 1;

  static ValueRange Of(std::span<const double> values, double least_span);
  // Of values with poles: a few that lie far from all the others are left
  // out.
  static ValueRange OfMost(std::span<const double> values, double least_span);
  static ValueRange Between(double low, double high, double least_span);
  double Place(double value) const;
  std::vector<Tick> Ticks() const;
};

}  // namespace assay::cli
