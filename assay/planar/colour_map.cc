// Paths through the CIE Lab space, walked in equal steps.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/colour_map.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace assay::planar {
namespace {

using Triple = std::array<double, 3>;

// White of sRGB and its primaries' tristimulus values (IEC 61966-2-1).
constexpr Triple kWhite = {0.95047, 1, 1.08883};
constexpr std::array<Triple, 3> kToXyz = {{{0.4124564, 0.3575761, 0.1804375},
                                           {0.2126729, 0.7151522, 0.0721750},
                                           {0.0193339, 0.1191920, 0.9503041}}};
constexpr std::array<Triple, 3> kFromXyz = {
    {{3.2404542, -1.5371385, -0.4985314},
     {-0.9692660, 1.8760108, 0.0415560},
     {0.0556434, -0.2040259, 1.0572252}}};
// Where CIE's cube root becomes a line, and sRGB's power too.
constexpr double kKnee = 6.0 / 29;
constexpr double kLinear = 0.0031308;

Triple Times(const std::array<Triple, 3>& matrix, const Triple& x) {
  Triple y = {};
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) y[i] += matrix[i][j] * x[j];
  }
  return y;
}

// Linear red, green and blue; outside 0 to 1 where no screen shows it.
Triple LinearRgb(const Lab& lab) {
  const double y = (lab.lightness + 16) / 116;
  Triple xyz = {y + lab.a / 500, y, y - lab.b / 200};
  for (size_t i = 0; i < 3; ++i) {
    const double t = xyz[i];
    xyz[i] = kWhite[i] *
             (t > kKnee ? t * t * t : 3 * kKnee * kKnee * (t - 4.0 / 29));
  }
  return Times(kFromXyz, xyz);
}

bool Shown(const Triple& rgb) {
  return std::all_of(rgb.begin(), rgb.end(), [](double value) {
    return value >= -1e-9 && value <= 1 + 1e-9;
  });
}

Lab FromPolar(double lightness, double chroma, double degrees) {
  const double angle = degrees * std::numbers::pi / 180;
  return {lightness, chroma * std::cos(angle), chroma * std::sin(angle)};
}

// The colour of that lightness and hue with the chroma, or as much of it as a
// screen shows.
Lab InGamut(double lightness, double chroma, double degrees) {
  double low = 0;
  double high = chroma;
  if (Shown(LinearRgb(FromPolar(lightness, high, degrees)))) low = high;
  for (int step = 0; step < 40 && low < high; ++step) {
    const double middle = (low + high) / 2;
    const bool shown = Shown(LinearRgb(FromPolar(lightness, middle, degrees)));
    (shown ? low : high) = middle;
  }
  return FromPolar(lightness, low, degrees);
}

uint8_t Encoded(double linear) {
  const double value = std::clamp(linear, 0.0, 1.0);
  const double coded = value <= kLinear
                           ? 12.92 * value
                           : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
  return static_cast<uint8_t>(std::lround(255 * coded));
}

Colour ColourOf(const Lab& lab) {
  const Triple rgb = LinearRgb(lab);
  return {Encoded(rgb[0]), Encoded(rgb[1]), Encoded(rgb[2])};
}

double Distance(const Lab& p, const Lab& q) {
  return std::hypot(p.lightness - q.lightness, p.a - q.a, p.b - q.b);
}

// `count` colours of a path from t = 0 to 1, the same distance apart.
template <class Path>
std::vector<Colour> EvenSteps(const Path& path, size_t count) {
  constexpr size_t kFine = 1024;
  std::vector<Lab> points;
  std::vector<double> way = {0};
  for (size_t i = 0; i <= kFine; ++i) {
    points.push_back(path(static_cast<double>(i) / kFine));
    if (i > 0) way.push_back(way.back() + Distance(points[i], points[i - 1]));
  }
  std::vector<Colour> colours;
  for (size_t k = 0; k < count; ++k) {
    const double target =
        way.back() * static_cast<double>(k) / static_cast<double>(count - 1);
    const auto found = std::lower_bound(way.begin(), way.end(), target);
    const auto index = static_cast<size_t>(found - way.begin());
    colours.push_back(ColourOf(points[std::min(index, kFine)]));
  }
  return colours;
}

}  // namespace

Lab LabOf(Colour colour) {
  Triple rgb = {colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0};
  for (double& value : rgb) {
    value = value <= 12.92 * kLinear ? value / 12.92
                                     : std::pow((value + 0.055) / 1.055, 2.4);
  }
  Triple xyz = Times(kToXyz, rgb);
  for (size_t i = 0; i < 3; ++i) {
    const double t = xyz[i] / kWhite[i];
    xyz[i] = t > kKnee * kKnee * kKnee ? std::cbrt(t)
                                       : t / (3 * kKnee * kKnee) + 4.0 / 29;
  }
  return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

std::vector<Colour> SequentialMap(size_t count) {
  return EvenSteps(
      [](double t) {
        const double swell = std::sin(std::numbers::pi * (0.12 + 0.76 * t));
        return InGamut(14 + 80 * t, 78 * swell, 292 + 168 * t);
      },
      count);
}

std::vector<Colour> DivergingMap(size_t count) {
  const auto arm = [](double degrees) {
    return
        [degrees](double t) { return InGamut(84 - 48 * t, 72 * t, degrees); };
  };
  const size_t half = count / 2 + 1;
  std::vector<Colour> colours = EvenSteps(arm(268), half);
  std::reverse(colours.begin(), colours.end());
  const std::vector<Colour> positive = EvenSteps(arm(48), half);
  colours.insert(colours.end(), positive.begin() + 1, positive.end());
  return colours;
}

}  // namespace assay::planar
