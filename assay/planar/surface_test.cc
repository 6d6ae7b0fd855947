// Laws of the surface impedance.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/surface.h"

#include <gtest/gtest.h>

#include <cmath>

#include "assay/ops/green/images.h"

namespace assay::planar {
namespace {

constexpr double kCopper = 5.8e7;

TEST(Surface, ThinMetalHasItsResistanceAtLowFrequencies) {
  for (const bool two_sided : {false, true}) {
    const Conductor metal = {kCopper, 35e-6, 0, two_sided};
    for (const double omega : {1e-3, 1.0, 1e2}) {
      EXPECT_NEAR(SurfaceImpedance(metal, omega).real() * kCopper * 35e-6, 1,
                  1e-9);
    }
  }
}

TEST(Surface, ThickMetalHasTheSkinEffect) {
  const double omega = 2 * green::kPi * 10e9;
  const double delta = std::sqrt(2 / (omega * green::kMu0 * kCopper));
  EXPECT_NEAR(delta, 0.66e-6, 0.01e-6);
  const auto one = SurfaceImpedance({kCopper, 35e-6, 0, false}, omega);
  EXPECT_NEAR(one.real() * kCopper * delta, 1, 1e-12);
  EXPECT_NEAR(one.imag(), one.real(), 1e-12 * one.real());
  const auto two = SurfaceImpedance({kCopper, 35e-6, 0, true}, omega);
  EXPECT_NEAR(std::abs(two) / std::abs(one), 0.5, 1e-12);
}

TEST(Surface, TheSeriesMeetsTheHyperbolicForm) {
  // |x| = 1e-4 lies at omega mu0 sigma t^2 = 1e-8.
  const Conductor metal = {kCopper, 35e-6, 0, false};
  const double omega = 1e-8 / (green::kMu0 * kCopper * 35e-6 * 35e-6);
  const auto below = SurfaceImpedance(metal, omega * (1 - 1e-9));
  const auto above = SurfaceImpedance(metal, omega * (1 + 1e-9));
  EXPECT_NEAR(std::abs(below - above) / std::abs(above), 0, 1e-11);
}

TEST(Surface, RoughMetalLosesAtMostTwice) {
  const Conductor smooth = {kCopper, 35e-6, 0, false};
  Conductor rough = smooth;
  rough.roughness = 100e-6;
  const double omega = 2 * green::kPi * 10e9;
  const double ratio = SurfaceImpedance(rough, omega).real() /
                       SurfaceImpedance(smooth, omega).real();
  EXPECT_GT(ratio, 1.99);
  EXPECT_LE(ratio, 2);
  EXPECT_EQ(SurfaceImpedance(rough, omega).imag(),
            SurfaceImpedance(smooth, omega).imag());
}

TEST(Surface, APerfectConductorHasNone) {
  EXPECT_EQ(SurfaceImpedance({}, 1e9), std::complex<double>(0));
}

}  // namespace
}  // namespace assay::planar
