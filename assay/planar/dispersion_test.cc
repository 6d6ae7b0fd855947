// The closed forms of microstrip against tabulated values and their limits.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/dispersion.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace assay::planar {
namespace {

nlohmann::json Table() {
  std::ifstream file(ASSAY_TESTDATA "/planar/microstrip.json");
  return nlohmann::json::parse(file);
}

TEST(Dispersion, StaticFormsMeetTheTable) {
  const nlohmann::json rows = Table()["static"];
  ASSERT_EQ(rows.size(), 40);
  for (const auto& row : rows) {
    const double er = row["er"], u = row["w_over_h"];
    const double z0 = row["HJ_Z0"], permittivity = row["HJ_eeff"];
    EXPECT_NEAR(StaticImpedance(er, u) / z0, 1, 1e-8) << er << " " << u;
    EXPECT_NEAR(StaticPermittivity(er, u) / permittivity, 1, 1e-12);
  }
}

TEST(Dispersion, MeetsScikitRf) {
  int compared = 0;
  const nlohmann::json table = Table();
  for (const auto& row : table["dispersion"]) {
    const double er = row["er"], u = row["w_over_h"], h = row["h"];
    const double low = StaticPermittivity(er, u);
    for (const auto& [hz, key] :
         {std::pair(3.0005e9, "eeff_3.0005GHz"), std::pair(6e9, "eeff_6GHz")}) {
      const double theirs = row[key];
      EXPECT_NEAR(DispersedPermittivity(er, u, h, hz, low) / theirs, 1, 1e-12)
          << er << " " << u << " " << hz;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 8);
}

TEST(Dispersion, Fr4LineOfTheSpecification) {
  const double low = StaticPermittivity(4.4, 1.875);
  EXPECT_NEAR(low, 3.3255, 5e-5);
  EXPECT_NEAR(DispersedPermittivity(4.4, 1.875, 1.6e-3, 3e9, low), 3.3919,
              1e-4);
  EXPECT_NEAR(DispersedPermittivity(4.4, 1.875, 1.6e-3, 6e9, low), 3.4867,
              5e-5);
}

TEST(Dispersion, RisesFromTheStaticValueToTheDielectric) {
  for (const double er : {1.0, 2.2, 4.4, 10.2}) {
    for (const double u : {0.2, 1.0, 10.0}) {
      const double low = StaticPermittivity(er, u);
      EXPECT_EQ(DispersedPermittivity(er, u, 1e-3, 0, low), low);
      double before = low;
      for (double hz = 1e8; hz < 1e14; hz *= 2) {
        const double now = DispersedPermittivity(er, u, 1e-3, hz, low);
        EXPECT_GE(now, before - 1e-12);
        before = now;
      }
      EXPECT_NEAR(before, er, 0.01);
    }
  }
}

TEST(Dispersion, AirHasNone) {
  EXPECT_EQ(StaticPermittivity(1, 2), 1);
  EXPECT_EQ(DispersedPermittivity(1, 2, 1e-3, 1e10, 1), 1);
}

}  // namespace
}  // namespace assay::planar
