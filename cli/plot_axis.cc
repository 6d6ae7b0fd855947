// Ticks at 1, 2 and 5 times a power of ten.
// SPDX-License-Identifier: Apache-2.0
#include "cli/plot_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace assay::cli {
namespace {

constexpr double kMostTicks = 7;
constexpr double kDcWidth = 48;

struct HertzPrefix {
  double scale;
  const char* unit;
};

HertzPrefix HertzPrefixOf(double hz) {
  if (hz >= 1e12) return {1e12, "THz"};
  if (hz >= 1e9) return {1e9, "GHz"};
  if (hz >= 1e6) return {1e6, "MHz"};
  if (hz >= 1e3) return {1e3, "kHz"};
  return {1, "Hz"};
}

// The least rounded step that makes at most kMostTicks of `span`.
double StepOf(double span) {
  const double least = span / kMostTicks;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

// Multiples of `step` in a range, without rounding's last digits.
std::vector<double> Multiples(double low, double high, double step) {
  std::vector<double> values;
  const auto first = static_cast<int64_t>(std::ceil(low / step - 1e-6));
  const auto last = static_cast<int64_t>(std::floor(high / step + 1e-6));
  for (int64_t k = first; k <= last; ++k) {
    values.push_back(static_cast<double>(k) * step);
  }
  return values;
}

// True where the positive frequencies grow by one ratio and not by one step.
bool GrowsByRatio(std::span<const double> hz) {
  if (hz.size() < 3 || hz.back() < 4 * hz.front()) return false;
  const double ratio =
      std::log(hz.back() / hz.front()) / static_cast<double>(hz.size() - 1);
  for (size_t k = 1; k < hz.size(); ++k) {
    if (std::abs(std::log(hz[k] / hz[k - 1]) - ratio) > 0.05 * ratio) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string HertzText(double hz, int digits) {
  if (digits >= kExactDigits) return fmt::format("{} Hz", hz);
  const HertzPrefix prefix = HertzPrefixOf(hz);
  return fmt::format("{:.{}g} {}", hz / prefix.scale, digits, prefix.unit);
}

int HertzDigits(std::span<const double> hz) {
  const std::set<double> values(hz.begin(), hz.end());
  int digits = 6;
  for (; digits < kExactDigits; ++digits) {
    std::set<std::string> texts;
    for (const double value : values) texts.insert(HertzText(value, digits));
    if (texts.size() == values.size()) break;
  }
  return digits;
}

FrequencyAxis::FrequencyAxis(std::span<const double> hz) {
  const std::span<const double> above = hz.subspan(hz.front() > 0 ? 0 : 1);
  logarithmic_ = !above.empty() && GrowsByRatio(above);
  dc_apart_ = logarithmic_ && above.size() < hz.size();
  if (dc_apart_) left_ += kDcWidth;
  low_ = logarithmic_ ? std::log10(above.front()) : hz.front();
  high_ = logarithmic_ ? std::log10(above.back()) : hz.back();
  if (!(high_ > low_)) {  // one frequency: in the middle
    const double room = high_ > 0 ? high_ / 10 : 1;
    low_ -= room;
    high_ += room;
  }
  if (dc_apart_) {
    places_.push_back(PlotArea::kLeft + kDcWidth / 4);
    ticks_.push_back({places_[0], "DC"});
  }
  for (const double f : dc_apart_ ? above : hz) places_.push_back(Place(f));
  logarithmic_ ? LogTicks() : EvenTicks();
}

double FrequencyAxis::Place(double hz) const {
  const double value = logarithmic_ ? std::log10(hz) : hz;
  return left_ + (PlotArea::kRight - left_) * (value - low_) / (high_ - low_);
}

void FrequencyAxis::EvenTicks() {
  const HertzPrefix prefix = HertzPrefixOf(high_);
  title_ = fmt::format("frequency in {}", prefix.unit);
  for (const double hz : Multiples(low_, high_, StepOf(high_ - low_))) {
    // The step's digits count, however many come before them.
    ticks_.push_back({Place(hz), fmt::format("{:.6g}", hz / prefix.scale)});
  }
}

void FrequencyAxis::LogTicks() {
  title_ = "frequency in Hz";
  const double decades = high_ - low_;
  const int every = static_cast<int>(std::ceil(decades / kMostTicks));
  for (int d = static_cast<int>(std::floor(low_)); d <= high_; ++d) {
    for (int digit = 1; digit < 10; ++digit) {
      const double hz = digit * std::pow(10, d);
      const double place = std::log10(hz);
      if (place < low_ - 1e-9 || place > high_ + 1e-9) continue;
      if (digit > 1 && decades > 4) continue;
      const bool named = (digit == 1 && d % every == 0) ||
                         (decades < 2.5 && (digit == 2 || digit == 5)) ||
                         (decades < 1 && digit == 3);
      const HertzPrefix prefix = HertzPrefixOf(hz * (1 + 1e-9));
      const std::string_view unit = prefix.unit;
      ticks_.push_back(
          {Place(hz), named ? fmt::format("{:.3g}{}", hz / prefix.scale,
                                          unit.substr(0, unit.size() - 2))
                            : ""});
    }
  }
}

ValueRange ValueRange::Of(std::span<const double> values, double least_span) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  if (!(low <= high)) return Between(0, 1, least_span);
  return Between(low, high, least_span);
}

ValueRange ValueRange::OfMost(std::span<const double> values,
                              double least_span) {
  std::vector<double> sorted;
  for (const double value : values) {
    if (std::isfinite(value)) sorted.push_back(value);
  }
  if (sorted.size() < 8) return Of(sorted, least_span);
  std::sort(sorted.begin(), sorted.end());
  const size_t tail = sorted.size() / 12;
  const double low = sorted[tail];
  const double high = sorted[sorted.size() - 1 - tail];
  const double room = high - low;
  // An even curve reaches a tenth beyond, a pole much more.
  return Between(sorted.front() < low - room ? low - room / 4 : sorted.front(),
                 sorted.back() > high + room ? high + room / 4 : sorted.back(),
                 least_span);
}

ValueRange ValueRange::Between(double low, double high, double least_span) {
  // Rounding is no shape of a curve.
  const double size = std::max(std::abs(low), std::abs(high));
  const double span = std::max({high - low, least_span, 1e-3 * size});
  ValueRange range;
  if (!(span > 0)) return range;
  const double middle = (low + high) / 2;
  range.step = StepOf(span);
  range.low = std::floor((middle - span / 2) / range.step + 1e-6) * range.step;
  range.high = std::ceil((middle + span / 2) / range.step - 1e-6) * range.step;
  return range;
}

double ValueRange::Place(double value) const {
  return PlotArea::kBottom -
         (PlotArea::kBottom - PlotArea::kTop) * (value - low) / (high - low);
}

std::vector<Tick> ValueRange::Ticks() const {
  std::vector<Tick> ticks;
  for (const double value : Multiples(low, high, step)) {
    ticks.push_back({Place(value), fmt::format("{:.5g}", value)});
  }
  return ticks;
}

}  // namespace assay::cli
