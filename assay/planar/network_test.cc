// Laws of port parameters: circuits known by hand, and what power allows.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace assay::planar {
namespace {

constexpr Complex kJ{0, 1};

double Distance(const PortMatrix& a, const PortMatrix& b) {
  double most = a.ports == b.ports ? 0 : 1e300;
  for (size_t i = 0; i < a.values.size(); ++i) {
    most = std::max(most, std::abs(a.values[i] - b.values[i]));
  }
  return most;
}

// A series impedance between two ports.
PortMatrix Series(Complex z) {
  PortMatrix y(2);
  y(0, 0) = y(1, 1) = 1.0 / z;
  y(0, 1) = y(1, 0) = -1.0 / z;
  return y;
}

// A reciprocal passive network: Y = G + jB, G positive, both symmetric.
PortMatrix RandomPassive(size_t ports, double loss, std::mt19937& random) {
  std::normal_distribution<double> normal;
  PortMatrix root(ports);
  PortMatrix y(ports);
  for (Complex& x : root.values) x = normal(random);
  for (size_t i = 0; i < ports; ++i) {
    for (size_t j = 0; j <= i; ++j) {
      Complex sum = kJ * normal(random) * 0.02;
      for (size_t k = 0; k < ports; ++k) {
        sum += loss * 0.01 * root(i, k) * root(j, k);
      }
      y(i, j) = y(j, i) = sum;
    }
  }
  return y;
}

TEST(Network, ASeriesImpedanceIsAsInEveryBook) {
  const Complex z{30, 40};
  const double z1 = 50;
  const double z2 = 75;
  const PortMatrix s = *SFromY(Series(z), std::vector{z1, z2});
  EXPECT_LT(std::abs(s(0, 0) - (z + z2 - z1) / (z + z1 + z2)), 1e-14);
  EXPECT_LT(std::abs(s(1, 0) - 2 * std::sqrt(z1 * z2) / (z + z1 + z2)), 1e-14);
  EXPECT_LT(std::abs(s(0, 1) - s(1, 0)), 1e-14);
}

TEST(Network, OpenAndMatchedOnePorts) {
  PortMatrix y(1);
  EXPECT_EQ((*SFromY(y, std::vector{50.0}))(0, 0), 1.0);
  y(0, 0) = 1.0 / 75;
  EXPECT_LT(std::abs((*SFromY(y, std::vector{75.0}))(0, 0)), 1e-15);
}

TEST(Network, ShortsNearDcStillHaveParameters) {
  const PortMatrix s = *SFromY(Series(1e-18 * kJ), std::vector{50.0, 50.0});
  EXPECT_LT(std::abs(s(0, 0)), 1e-3);
  EXPECT_LT(std::abs(std::abs(s(1, 0)) - 1), 1e-3);
}

TEST(Network, PassiveNetworksGainNothingForUnequalImpedances) {
  std::mt19937 random(1);
  for (size_t ports = 1; ports <= 6; ++ports) {
    std::vector<double> z0;
    for (size_t i = 0; i < ports; ++i) {
      z0.push_back(5 * std::pow(3.0, static_cast<double>(i)));
    }
    for (int trial = 0; trial < 20; ++trial) {
      const PortMatrix y = RandomPassive(ports, 1, random);
      const PortMatrix s = *SFromY(y, z0);
      for (const Complex& value : s.values) EXPECT_LE(std::abs(value), 1);
      const NetworkHealth health = HealthOf(s);
      EXPECT_LT(health.gain, 1e-12);
      EXPECT_LT(health.asymmetry, 1e-12);
    }
  }
}

TEST(Network, LosslessNetworksKeepAllPower) {
  std::mt19937 random(2);
  for (size_t ports = 1; ports <= 6; ++ports) {
    const PortMatrix y = RandomPassive(ports, 0, random);
    const PortMatrix s = *SFromY(y, std::vector<double>(ports, 60.0));
    for (size_t i = 0; i < ports; ++i) {
      double power = 0;
      for (size_t j = 0; j < ports; ++j) power += std::norm(s(j, i));
      EXPECT_NEAR(power, 1, 1e-12);
    }
    EXPECT_NEAR(HealthOf(s).gain, 0, 1e-12);
  }
}

TEST(Network, GainIsTheGreatestEigenvalue) {
  PortMatrix s(2);
  s(0, 1) = 2.0 * kJ;
  s(1, 0) = 0.5;
  EXPECT_NEAR(HealthOf(s).gain, 3, 1e-12);
  EXPECT_NEAR(HealthOf(s).asymmetry, std::abs(2.0 * kJ - 0.5), 1e-12);
  s(0, 0) = s(1, 1) = s(0, 1) = s(1, 0) = Complex{0.6, 0.3};
  EXPECT_NEAR(HealthOf(s).gain, 4 * 0.45 - 1, 1e-12);
}

TEST(Network, AdmittancesComeBack) {
  std::mt19937 random(3);
  const std::vector<double> z0 = {50, 75, 12};
  const PortMatrix y = RandomPassive(3, 1, random);
  EXPECT_LT(Distance(*YFromS(*SFromY(y, z0), z0), y), 1e-13);
  const PortMatrix z = *ZFromY(y);
  EXPECT_LT(Distance(*ZFromY(z), y), 1e-13);
}

TEST(Network, SaysWhatDoesNotExist) {
  EXPECT_EQ(ZFromY(Series(3.0)).error().code, Code::kInvalidInput);
  PortMatrix s(1);
  s(0, 0) = -1;
  EXPECT_EQ(YFromS(s, std::vector{50.0}).error().code, Code::kInvalidInput);
  for (const double z0 : {0.0, -50.0, std::nan("")}) {
    EXPECT_FALSE(SFromY(Series(3.0), std::vector{50.0, z0}).ok());
  }
  EXPECT_FALSE(SFromY(Series(3.0), std::vector{50.0}).ok());
}

TEST(Network, FiguresOfACoilAndACapacitor) {
  const double hz = 2e9;
  const double omega = 2 * std::numbers::pi * hz;
  const OnePort coil = OnePortFigures(1.0 / (2.0 + kJ * omega * 3e-9), hz);
  EXPECT_NEAR(coil.resistance, 2, 1e-12);
  EXPECT_NEAR(coil.inductance, 3e-9, 1e-20);
  EXPECT_EQ(coil.capacitance, 0);
  EXPECT_NEAR(coil.quality, omega * 3e-9 / 2, 1e-10);
  const OnePort plates = OnePortFigures(kJ * omega * 4e-12, hz);
  EXPECT_NEAR(plates.capacitance, 4e-12, 1e-24);
  EXPECT_EQ(plates.quality, std::numeric_limits<double>::infinity());
}

TEST(Network, ShiftingPlanesThroughALineLeavesNothing) {
  const Complex gamma_length{0.01, 1.3};
  PortMatrix line(2);
  line(0, 1) = line(1, 0) = std::exp(-gamma_length);
  const std::vector<Complex> shift = {gamma_length * 0.25, gamma_length * 0.75};
  const PortMatrix rest = ShiftPlanes(line, shift);
  EXPECT_LT(std::abs(rest(1, 0) - 1.0), 1e-14);
  EXPECT_EQ(rest(0, 0), 0.0);
}

}  // namespace
}  // namespace assay::planar
