// Average the inverse distance of two parallel rectangles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace assay::green {

// Two rectangles with sides along x and y, in planes z apart. Sides in x and
// y, then the offset of the second centre from the first. Any unit of length,
// the same for all.
struct RectanglePair {
  double x1 = 0, y1 = 0;  // sides of the first, positive
  double x2 = 0, y2 = 0;  // sides of the second, positive
  double dx = 0, dy = 0;
  double z = 0;
};

// The integral of 1/R over both rectangles in closed form: Hoer and Love
// (1965), Ruehli (1972), in the asinh form of spec 4. Its 16 terms cancel
// about three digits for each factor of ten in distance over side: relative
// error 1e-12 at 16 sides, 1e-10 at 32.
double RectangleIntegral(const RectanglePair& pair);

// The mean of 1/R by derivatives of 1/R at the centres up to the fourth order
// (spec 4). Relative error below 1e-9 beyond 18 of the longest side.
double MultipoleMean(const RectanglePair& pair);

// How pairs far apart are taken.
enum class FarForm {
  kMultipole,  // closed form below kSwitch longest sides, multipole beyond
  kPoint,      // the seed's: closed form below kPointSwitch, 1/R beyond
};
inline constexpr double kSwitch = 22;
inline constexpr double kPointSwitch = 5;

// The mean of 1/R over both rectangles. Relative error with kMultipole 5e-10
// for sides up to 1:2, 1e-9 at 1:3, 1e-8 at 1:10: the switch lies at the longer
// side, the closed form cancels by the shorter one.
double MeanInverseDistance(const RectanglePair& pair,
                           FarForm form = FarForm::kMultipole);

}  // namespace assay::green
