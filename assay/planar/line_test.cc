// The cross-section solver against tables, closed forms and laws of lines.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/line.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>

#include "assay/ops/green/images.h"
#include "assay/planar/dispersion.h"
#include "assay/planar/surface.h"

namespace assay::planar {
namespace {

using green::kEps0;
using green::kMu0;
using green::kPi;
using Complex = std::complex<double>;

constexpr Substrate kFr4 = {4.4, 0.02, 1.6e-3};
constexpr Conductor kCopper = {5.8e7, 35e-6, 0, false};

nlohmann::json Table(const std::string& name) {
  std::ifstream file(ASSAY_TESTDATA "/planar/" + name);
  return nlohmann::json::parse(file);
}

LineModel ModelOf(const Substrate& substrate, const Conductor& conductor,
                  std::initializer_list<Strip> strips,
                  int segments = kLineSegments) {
  const auto model = SolveLine(substrate, conductor, strips, segments);
  EXPECT_TRUE(model.ok()) << model.error().what;
  return *model;
}

LineMode Single(const Substrate& substrate, double width,
                const Conductor& conductor = {}) {
  return SingleMode(ModelOf(substrate, conductor, {{0, width}}));
}

TEST(Line, MeetsHammerstadAndJensen) {
  const nlohmann::json rows = Table("microstrip.json")["static"];
  ASSERT_EQ(rows.size(), 40);
  for (const auto& row : rows) {
    const double er = row["er"], u = row["w_over_h"];
    const double z0 = row["HJ_Z0"], permittivity = row["HJ_eeff"];
    const LineMode mode = Single({er, 0, 1e-3}, u * 1e-3);
    // Their own bound is 0.2 % of the permittivity.
    EXPECT_NEAR(mode.Impedance() / z0, 1, 1.2e-3) << er << " " << u;
    EXPECT_NEAR(mode.Permittivity() / permittivity, 1, 2.3e-3);
    // The same method in another program.
    const double model_z0 = row["mom2d_Z0"], model_eeff = row["mom2d_eeff"];
    EXPECT_NEAR(mode.Impedance() / model_z0, 1, 1e-8);
    EXPECT_NEAR(mode.Permittivity() / model_eeff, 1, 1e-8);
  }
}

TEST(Line, PairsMeetTheTable) {
  const nlohmann::json rows = Table("coupled_lines_2d.json");
  ASSERT_EQ(rows.size(), 3);
  for (const auto& row : rows) {
    const double w = row["w"], s = row["s"], h = row["h"], er = row["er"];
    // The table was made with 120 segments a strip, whose error is 4e-5.
    for (const auto& [segments, bound] :
         {std::pair(120, 1e-8), {kLineSegments, 4e-5}}) {
      const LineModel model =
          ModelOf({er, 0, h}, {}, {{0, w}, {w + s, 2 * w + s}}, segments);
      const LineMode even = EvenMode(model), odd = OddMode(model);
      const double values[] = {row["Zeven"], row["eeff_even"], row["Zodd"],
                               row["eeff_odd"], row["Zdiff"]};
      EXPECT_NEAR(even.Impedance() / values[0], 1, bound) << row["name"];
      EXPECT_NEAR(even.Permittivity() / values[1], 1, bound) << row["name"];
      EXPECT_NEAR(odd.Impedance() / values[2], 1, bound) << row["name"];
      EXPECT_NEAR(odd.Permittivity() / values[3], 1, bound) << row["name"];
      EXPECT_NEAR(2 * odd.Impedance() / values[4], 1, bound) << row["name"];
    }
  }
}

TEST(Line, ConvergesWithTheSquareOfTheSegments) {
  for (const double w : {0.05, 1.0, 30.0}) {
    const auto impedance = [&](int segments) {
      return SingleMode(ModelOf({4.4, 0, 1}, {}, {{0, w}}, segments))
          .Impedance();
    };
    const double fine = impedance(400), used = impedance(200);
    EXPECT_NEAR((impedance(100) - used) / (used - fine), 4, 0.3) << w;
    EXPECT_NEAR(used / fine, 1, 2e-5) << w;
  }
}

TEST(Line, WideStripsArePlates) {
  const double w = 1000e-3, h = 1e-3;
  const LineMode mode = Single({4.4, 0, h}, w, kCopper);
  EXPECT_NEAR(mode.capacitance.real() / (4.4 * kEps0 * w / h), 1, 0.005);
  EXPECT_NEAR(mode.inductance / (kMu0 * h / w), 1, 0.007);
  EXPECT_NEAR(mode.strip_loss * w, 1, 0.01);
  EXPECT_NEAR(mode.ground_loss * w, 1, 0.015);
}

TEST(Line, FarPairsAreSingle) {
  const LineMode one = Single(kFr4, 3e-3, kCopper);
  const LineModel model = ModelOf(kFr4, kCopper, {{0, 3e-3}, {1, 1.003}});
  for (const LineMode& mode : {EvenMode(model), OddMode(model)}) {
    EXPECT_NEAR(mode.Impedance() / one.Impedance(), 1, 2e-5);
    EXPECT_NEAR(mode.strip_loss / one.strip_loss, 1, 2e-5);
    EXPECT_NEAR(mode.ground_loss / one.ground_loss, 1, 2e-5);
  }
}

TEST(Line, OnlyRatiosOfLengthsCount) {
  const LineMode a = Single({4.4, 0.02, 1e-3}, 2e-3);
  const LineMode b = Single({4.4, 0.02, 1}, 2);
  EXPECT_NEAR(std::abs(a.capacitance / b.capacitance - 1.0), 0, 1e-10);
  EXPECT_NEAR(a.inductance / b.inductance, 1, 1e-10);
}

TEST(Line, WavesInAirHaveTheSpeedOfLight) {
  const LineModel model =
      ModelOf({1, 0, 1e-3}, {}, {{0, 1e-3}, {1.2e-3, 3e-3}, {4e-3, 4.5e-3}});
  // C L = mu0 eps0 times the identity.
  for (size_t i = 0; i < 3; ++i) {
    for (size_t j = 0; j < 3; ++j) {
      Complex sum = 0;
      for (size_t k = 0; k < 3; ++k) {
        sum += model.capacitance[i * 3 + k] * model.inductance[k * 3 + j];
      }
      EXPECT_NEAR(std::abs(sum / (kMu0 * kEps0) - double(i == j)), 0, 1e-9);
    }
  }
}

TEST(Line, CapacitanceIsAMaxwellMatrix) {
  const LineModel model =
      ModelOf(kFr4, kCopper, {{0, 1e-3}, {1.2e-3, 3e-3}, {4e-3, 4.5e-3}});
  for (size_t i = 0; i < 3; ++i) {
    double row = 0;
    for (size_t j = 0; j < 3; ++j) {
      const size_t at = i * 3 + j, mirrored = j * 3 + i;
      row += model.capacitance[at].real();
      EXPECT_NEAR(std::abs(model.capacitance[at] - model.capacitance[mirrored]),
                  0, 1e-12 * std::abs(model.capacitance[at]));
      EXPECT_NEAR(model.inductance[at] / model.inductance[mirrored], 1, 1e-12);
      EXPECT_NEAR(model.strip_loss[at] / model.strip_loss[mirrored], 1, 1e-9);
      if (i != j) {
        EXPECT_LT(model.capacitance[at].real(), 0);
      }
      EXPECT_GT(model.inductance[at], 0);
    }
    EXPECT_GT(row, 0);
    EXPECT_LT(model.capacitance[i * 4].imag(), 0);
  }
}

TEST(Line, LossOfTheDielectricIsTheSlopeOverItsPermittivity) {
  // C is analytic in er (1 - j tand).
  const double step = 1e-3, tand = 1e-4;
  const auto at = [&](double er, double loss) {
    return Single({er, loss, 1e-3}, 2e-3).capacitance;
  };
  const double slope =
      (at(4.4 + step, 0) - at(4.4 - step, 0)).real() / (2 * step);
  EXPECT_NEAR(at(4.4, tand).imag() / (-4.4 * tand * slope), 1, 1e-6);
}

TEST(Line, LossOfTheGroundIsTheSlopeOverTheHeight) {
  // Wheeler: the ground recedes, and nothing else moves.
  const double h = 1e-3, step = 1e-6;
  const auto at = [&](double height) {
    return EvenMode(
        ModelOf({1, 0, height}, kCopper, {{0, 1e-3}, {1.3e-3, 2.3e-3}}));
  };
  const double slope =
      (at(h + step).inductance - at(h - step).inductance) / (2 * step);
  EXPECT_NEAR(at(h).ground_loss * kMu0 / slope, 1, 2e-5);
}

TEST(Line, AStripAloneLosesAtItsRims) {
  // Its current is 1 / (pi a sqrt(1 - u^2)), half of it on either face.
  const double a = 0.5e-3;
  for (const double t : {0.1e-6, 1e-6, 10e-6}) {
    const Conductor metal = {5.8e7, t, 0, false};
    const double loss = std::atanh(1 - t / 290 / a) / (kPi * kPi * a);
    EXPECT_NEAR(Single({1, 0, 1}, 2 * a, metal).strip_loss / loss, 1, 1e-3);
  }
}

// Inductance of a strip of thickness t by closed forms (Hammerstad and
// Jensen's effective width).
double ThickInductance(double w, double h, double t) {
  const double u = w / h, thickness = t / h;
  const double spread = 1 + 4 * std::exp(1) / thickness *
                                std::pow(std::tanh(std::sqrt(6.517 * u)), 2);
  const double wider = thickness / kPi * std::log(spread);
  return StaticImpedance(1, u + wider) * std::sqrt(kMu0 * kEps0);
}

TEST(Line, LossesMeetWheelersRuleOnClosedForms) {
  const double h = 1e-3;
  for (const double u : {0.2, 0.5, 1.0, 1.875, 3.0, 10.0}) {
    for (const double ratio : {0.003, 0.01, 0.03}) {
      const double w = u * h, t = ratio * w, e = 1e-3 * t;
      const auto slope = [&](double dw, double dh, double dt) {
        return (ThickInductance(w + dw, h + dh, t + dt) -
                ThickInductance(w - dw, h - dh, t - dt)) /
               (2 * e);
      };
      // Both sides, top and bottom of the strip, then the ground.
      const double rule =
          -2 * slope(e, 0, 0) - 2 * slope(0, 0, e) + 2 * slope(0, e, 0);
      const LineMode mode = Single({1, 0, h}, w, {5.8e7, t, 0, false});
      EXPECT_NEAR((mode.strip_loss + mode.ground_loss) * kMu0 / rule, 1, 0.045)
          << u << " " << ratio;
    }
  }
}

TEST(Line, WavesWithoutLossAreThoseOfTheModel) {
  const LineMode mode = Single({4.4, 0, 1.6e-3}, 3e-3);
  const LineWave wave = WaveAt(mode, {}, 2e9, true);
  EXPECT_NEAR(wave.gamma.imag() / (2 * kPi * 2e9 * mode.Delay()), 1, 1e-12);
  EXPECT_NEAR(wave.gamma.real(), 0, 1e-9);
  EXPECT_NEAR(wave.impedance.real() / mode.Impedance(), 1, 1e-12);
}

TEST(Line, SmallLossesAdd) {
  // alpha = R/(2 Z0) + G Z0/2.
  const double hz = 3e9, omega = 2 * kPi * hz;
  const LineMode mode = Single(kFr4, 3e-3, kCopper);
  const double z0 = mode.Impedance();
  const double surface = SurfaceImpedance(kCopper, omega).real();
  const double dielectric = -omega * mode.capacitance.imag() * z0 / 2;
  for (const bool ground : {false, true}) {
    const double metal = mode.strip_loss + (ground ? mode.ground_loss : 0);
    const LineWave wave = WaveAt(mode, kCopper, hz, ground);
    EXPECT_NEAR(wave.gamma.real() / (surface * metal / (2 * z0) + dielectric),
                1, 0.01);
    // The field inside the metal slows the wave.
    EXPECT_GT(wave.gamma.imag(), omega * mode.Delay());
  }
}

TEST(Line, TwoSidedMetalCountsOnlyWhereItIsThin) {
  const LineMode mode = Single(kFr4, 3e-3, kCopper);
  Conductor both = kCopper;
  both.two_sided = true;
  const auto ratio = [&](double hz) {
    const auto loss = [&](const Conductor& metal) {
      return (WaveAt(mode, metal, hz, false).impedance *
              WaveAt(mode, metal, hz, false).gamma)
          .real();
    };
    return loss(both) / loss(kCopper);
  };
  EXPECT_NEAR(ratio(10e9), 1, 1e-6);
  EXPECT_NEAR(ratio(1e3), 2, 1e-3);
}

TEST(Line, RefusesWhatIsNoLine) {
  const auto refused = [](const Substrate& substrate, const Conductor& metal,
                          std::vector<Strip> strips, int segments = 200) {
    const auto model = SolveLine(substrate, metal, strips, segments);
    return !model.ok() && model.error().code == Code::kInvalidInput;
  };
  const Strip strip = {0, 1e-3};
  EXPECT_FALSE(refused(kFr4, kCopper, {strip}));
  EXPECT_TRUE(refused(kFr4, {}, {}));
  EXPECT_TRUE(refused(kFr4, {}, {{1e-3, 1e-3}}));
  EXPECT_TRUE(refused(kFr4, {}, {{0, std::nan("")}}));
  EXPECT_TRUE(refused(kFr4, {}, {strip, {1e-3, 2e-3}}));
  EXPECT_TRUE(refused(kFr4, {}, {{2e-3, 3e-3}, strip}));
  EXPECT_TRUE(refused(kFr4, {}, {strip}, 7));
  EXPECT_TRUE(refused(kFr4, {}, {strip}, 4097));
  EXPECT_TRUE(refused({0.5, 0, 1e-3}, {}, {strip}));
  EXPECT_TRUE(refused({4, 0, 0}, {}, {strip}));
  EXPECT_TRUE(refused({4, -1, 1e-3}, {}, {strip}));
  EXPECT_TRUE(refused(kFr4, {5.8e7, 0, 0, false}, {strip}));
  EXPECT_TRUE(refused(kFr4, {5.8e7, 1.1e-3, 0, false}, {strip}));
}

TEST(Line, RefusesWhatWouldTakeMinutes) {
  std::vector<Strip> strips;
  for (int k = 0; k < 8; ++k) strips.push_back({2e-3 * k, 2e-3 * k + 1e-3});
  const auto model = SolveLine({1000, 0, 1e-3}, {}, strips);
  ASSERT_FALSE(model.ok());
  EXPECT_EQ(model.error().code, Code::kOverBudget);
}

}  // namespace
}  // namespace assay::planar
