// Green's functions of a grounded dielectric as series of images.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <vector>

#include "assay/base/result.h"
#include "assay/ops/green/rectangles.h"

namespace assay::green {

inline constexpr double kPi = 3.141592653589793;
inline constexpr double kEps0 = 8.8541878128e-12;  // F/m, CODATA 2018
inline constexpr double kMu0 = 1.25663706212e-6;   // H/m, CODATA 2018

// factor * sum of weight / sqrt(r^2 + depth^2).
struct Image {
  std::complex<double> weight;
  double depth = 0;  // metres
};
struct Series {
  std::complex<double> factor;
  std::vector<Image> images;  // by growing depth, the source first
};

inline constexpr double kMostPermittivity = 1000;

// The potential of a charge on the dielectric, seen from the dielectric's top
// (spec 3): with K = (1-er)/(1+er),
//   2/(1+er)/(4 pi eps0) [1/r + sum (K^n - K^(n-1))/sqrt(r^2 + (2nh)^2)],
// er (1 - j tand) in the place of er. About 17 er terms, until a weight is
// below 1e-15. Fails with kInvalidInput where er is not in [1, 1000], tand is
// negative, or h is not positive.
Result<Series> ScalarPotential(double er, double tand, double h);

// The vector potential of a horizontal current at height h over a perfect
// ground: mu0/(4 pi) [1/r - 1/sqrt(r^2 + (2h)^2)]. Precondition: h > 0.
Series VectorPotential(double h);

// The series at distance r > 0.
std::complex<double> Evaluate(const Series& series, double r);

// The series averaged over two rectangles of one plane (pair.z is 0).
std::complex<double> Average(const Series& series, RectanglePair pair,
                             FarForm form = FarForm::kMultipole);

}  // namespace assay::green
