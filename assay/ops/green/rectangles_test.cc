// Laws of the mean inverse distance of rectangles.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/green/rectangles.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "assay/ops/green/images.h"

namespace assay::green {
namespace {

double Relative(double value, double expected) {
  return std::abs(value - expected) / std::abs(expected);
}

TEST(Rectangles, IntegralsAreThoseOfQuadrature) {
  std::ifstream file(ASSAY_TESTDATA "/planar/rect_integral.json");
  const auto data = nlohmann::json::parse(file);
  int cases = 0;
  for (const auto& row : data["cases"]) {
    if (!row["case"].is_object()) continue;
    const auto& c = row["case"];
    const RectanglePair pair = {c["l1"], c["w1"], c["l2"], c["w2"],
                                c["dx"], c["dy"], c["z"]};
    EXPECT_LT(Relative(RectangleIntegral(pair), row["brute"]), 1e-12) << c;
    ++cases;
  }
  EXPECT_EQ(cases, 7);
}

TEST(Rectangles, TheUnitSquareHasItsClosedForm) {
  const double expected =
      4 * (std::log(1 + std::sqrt(2.0)) + (1 - std::sqrt(2.0)) / 3);
  EXPECT_LT(Relative(RectangleIntegral({1, 1, 1, 1}), expected), 1e-14);
}

// Ruehli (1972), eq. 15: a tape of no thickness, u = length over width.
double TapeInductance(double length, double width) {
  const double u = length / width;
  return kMu0 / (6 * kPi) * length *
         (3 * std::asinh(u) + u * u + 1 / u + 3 * u * std::asinh(1 / u) -
          std::pow(std::pow(u, 4.0 / 3) + std::pow(u, -2.0 / 3), 1.5));
}

TEST(Rectangles, ATapeHasRuehlisInductance) {
  for (const auto& [l, w] :
       {std::pair{10e-3, 1e-3}, {1e-3, 1e-3}, {1e-3, 10e-3}, {5e-3, 0.2e-3}}) {
    const double value =
        kMu0 / (4 * kPi) * RectangleIntegral({l, w, l, w}) / (w * w);
    EXPECT_LT(Relative(value, TapeInductance(l, w)), 1e-9) << l << " " << w;
  }
  EXPECT_NEAR(TapeInductance(10e-3, 1e-3), 7.05730e-9, 1e-14);
}

TEST(Rectangles, IntegralsAddOverPartsOfARectangle) {
  // One rectangle 3 x 2 cut at x = 1: parts 1 x 2 and 2 x 2.
  const RectanglePair whole = {3, 2, 1.3, 0.7, 0.4, -1.1, 0.2};
  RectanglePair left = whole, right = whole;
  left.x1 = 1;
  left.dx = whole.dx + 1;
  right.x1 = 2;
  right.dx = whole.dx - 0.5;
  EXPECT_LT(Relative(RectangleIntegral(left) + RectangleIntegral(right),
                     RectangleIntegral(whole)),
            1e-13);
}

TEST(Rectangles, SwappingOrMirroringChangesNothing) {
  const RectanglePair pair = {1, 2, 0.5, 0.3, 1.7, -0.4, 0.6};
  const double value = RectangleIntegral(pair);
  EXPECT_NEAR(RectangleIntegral({0.5, 0.3, 1, 2, -1.7, 0.4, 0.6}), value,
              1e-14);
  EXPECT_NEAR(RectangleIntegral({1, 2, 0.5, 0.3, -1.7, 0.4, -0.6}), value,
              1e-14);
  EXPECT_NEAR(RectangleIntegral({2, 1, 0.3, 0.5, -0.4, 1.7, 0.6}), value,
              1e-14);
}

// Pairs `distance` apart in several directions.
template <class Visit>
void ForDirections(double distance, Visit visit) {
  for (const double angle : {0.0, 0.3, kPi / 4, 1.2, kPi / 2}) {
    for (const double tilt : {0.0, 0.5, kPi / 2}) {
      visit(distance * std::cos(angle) * std::cos(tilt),
            distance * std::sin(angle) * std::cos(tilt),
            distance * std::sin(tilt));
    }
  }
}

TEST(Rectangles, BothFormsAgreeAtTheSwitch) {
  ForDirections(kSwitch, [](double dx, double dy, double z) {
    const RectanglePair equal = {1, 1, 1, 1, dx, dy, z};
    EXPECT_LT(Relative(MultipoleMean(equal), RectangleIntegral(equal)), 1e-9);
    const RectanglePair half = {0.5, 1, 1, 1, dx, dy, z};
    EXPECT_LT(Relative(MultipoleMean(half), RectangleIntegral(half) / 0.5),
              1e-9);
    const RectanglePair flat = {1, 0.3, 1, 0.3, dx, dy, z};
    EXPECT_LT(Relative(MultipoleMean(flat), RectangleIntegral(flat) / 0.09),
              1e-9);
  });
}

TEST(Rectangles, MeansDoNotJumpAtTheSwitch) {
  for (const FarForm form : {FarForm::kMultipole, FarForm::kPoint}) {
    const double limit = form == FarForm::kMultipole ? kSwitch : kPointSwitch;
    const double near =
        MeanInverseDistance({1, 1, 1, 1, limit - 1e-12, 0, 0}, form);
    const double far =
        MeanInverseDistance({1, 1, 1, 1, limit + 1e-12, 0, 0}, form);
    const double jump = Relative(near, far);
    EXPECT_LT(jump, form == FarForm::kMultipole ? 1e-9 : 4e-3);
    // The point form's jump is what spec 4 warns of.
    if (form == FarForm::kPoint) {
      EXPECT_GT(jump, 1e-3);
    }
  }
}

}  // namespace
}  // namespace assay::green
