// Average the inverse distance of two parallel rectangles.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/green/rectangles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace assay::green {
namespace {

// A function whose fourth derivative d4/dx2dy2 is 1/R, but for terms that the
// second differences remove. Those terms are why asinh may stand for
// ln(x + R), which loses all digits where x < 0 (spec 4).
double Antiderivative(double x, double y, double z) {
  x = std::abs(x);
  y = std::abs(y);
  const double xx = x * x, yy = y * y, zz = z * z;
  const double r = std::sqrt(xx + yy + zz);
  double sum = -(xx + yy - 2 * zz) * r / 6;
  // A term whose factor vanishes has the limit 0.
  if (yy + zz > 0)
    sum += (yy - zz) / 2 * x * std::asinh(x / std::sqrt(yy + zz));
  if (xx + zz > 0)
    sum += (xx - zz) / 2 * y * std::asinh(y / std::sqrt(xx + zz));
  if (z > 0) sum -= x * y * z * std::atan(x * y / (z * r));
  return sum;
}

// Offsets of the second difference over two intervals, and their signs.
std::array<double, 4> Offsets(double centre, double side1, double side2) {
  return {centre + (side1 + side2) / 2, centre + (side1 - side2) / 2,
          centre + (side2 - side1) / 2, centre - (side1 + side2) / 2};
}
constexpr std::array<double, 4> kSigns = {1, -1, -1, 1};

double DistanceSquared(const RectanglePair& pair) {
  return pair.dx * pair.dx + pair.dy * pair.dy + pair.z * pair.z;
}

double Areas(const RectanglePair& pair) {
  return pair.x1 * pair.y1 * pair.x2 * pair.y2;
}

}  // namespace

double RectangleIntegral(const RectanglePair& pair) {
  const auto xs = Offsets(pair.dx, pair.x1, pair.x2);
  const auto ys = Offsets(pair.dy, pair.y1, pair.y2);
  const double z = std::abs(pair.z);
  double sum = 0;
  for (size_t a = 0; a < 4; ++a) {
    for (size_t b = 0; b < 4; ++b) {
      sum += kSigns[a] * kSigns[b] * Antiderivative(xs[a], ys[b], z);
    }
  }
  return sum;
}

double MultipoleMean(const RectanglePair& pair) {
  const double xx = pair.dx * pair.dx, yy = pair.dy * pair.dy;
  const double rr = DistanceSquared(pair);
  const double g = 1 / std::sqrt(rr);
  const double g3 = g / rr, g5 = g3 / rr, g7 = g5 / rr, g9 = g7 / rr;
  const double gxx = 3 * xx * g5 - g3;
  const double gyy = 3 * yy * g5 - g3;
  const double gxxxx = 105 * xx * xx * g9 - 90 * xx * g7 + 9 * g5;
  const double gyyyy = 105 * yy * yy * g9 - 90 * yy * g7 + 9 * g5;
  const double gxxyy = 105 * xx * yy * g9 - 15 * (xx + yy) * g7 + 3 * g5;
  const double x1 = pair.x1 * pair.x1, x2 = pair.x2 * pair.x2;
  const double y1 = pair.y1 * pair.y1, y2 = pair.y2 * pair.y2;
  // Moments of the difference of two uniform variables: variance (a^2+b^2)/12,
  // fourth moment (a^4+b^4)/80 + a^2 b^2/24.
  return g + ((x1 + x2) * gxx + (y1 + y2) * gyy) / 24 +
         ((x1 * x1 + x2 * x2) / 1920 + x1 * x2 / 576) * gxxxx +
         ((y1 * y1 + y2 * y2) / 1920 + y1 * y2 / 576) * gyyyy +
         (x1 + x2) * (y1 + y2) / 576 * gxxyy;
}

double MeanInverseDistance(const RectanglePair& pair, FarForm form) {
  const double side = std::max({pair.x1, pair.y1, pair.x2, pair.y2});
  const double limit =
      (form == FarForm::kMultipole ? kSwitch : kPointSwitch) * side;
  if (DistanceSquared(pair) < limit * limit) {
    return RectangleIntegral(pair) / Areas(pair);
  }
  if (form == FarForm::kMultipole) return MultipoleMean(pair);
  return 1 / std::sqrt(DistanceSquared(pair));
}

}  // namespace assay::green
