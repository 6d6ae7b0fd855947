// Laws of Green's functions and of the tables of a grid.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/green/green.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

namespace assay::green {
namespace {

using Complex = std::complex<double>;

double Relative(Complex value, Complex expected) {
  return std::abs(value - expected) / std::abs(expected);
}

TEST(Images, VacuumHasOneImage) {
  const auto series = ScalarPotential(1, 0, 1e-3);
  ASSERT_TRUE(series.ok());
  ASSERT_EQ(series->images.size(), 2u);
  const double r = 0.7e-3;
  const double expected = (1 / r - 1 / std::hypot(r, 2e-3)) / (4 * kPi * kEps0);
  EXPECT_LT(Relative(Evaluate(*series, r), expected), 1e-14);
}

TEST(Images, SeriesStopAtTheirSmallestWeight) {
  for (const double er : {2.2, 4.4, 10.2, 12.9}) {
    const auto series = ScalarPotential(er, 0, 1);
    ASSERT_TRUE(series.ok());
    const auto& images = series->images;
    EXPECT_LT(std::abs(images.back().weight), 1e-15) << er;
    EXPECT_GE(std::abs(images[images.size() - 2].weight), 1e-15) << er;
    // The weights sum to 0: a ground hides every charge from afar.
    Complex sum = 0;
    for (const Image& image : images) sum += image.weight;
    EXPECT_LT(std::abs(sum), 1e-14) << er;
  }
}

TEST(Images, FarPotentialsAreThoseOfADipole) {
  for (const double er : {2.2, 4.4, 10.2}) {
    const double h = 1e-3, r = 100 * h;
    const auto series = ScalarPotential(er, 0, h);
    ASSERT_TRUE(series.ok());
    const double expected = 2 * h * h / (4 * kPi * kEps0 * er * er * r * r * r);
    EXPECT_NEAR(Evaluate(*series, r).real() / expected, 1.0005, 2e-4) << er;
  }
}

TEST(Images, NearPotentialsAreThoseOfAnInterface) {
  const auto series = ScalarPotential(4.4, 0, 1);
  ASSERT_TRUE(series.ok());
  const double r = 1e-9;
  const double expected = 2 / 5.4 / (4 * kPi * kEps0 * r);
  EXPECT_LT(Relative(Evaluate(*series, r), expected), 1e-8);
}

TEST(Images, LossTurnsThePotentialBackwards) {
  const auto lossy = ScalarPotential(4.4, 0.02, 1e-3);
  const auto lossless = ScalarPotential(4.4, 0, 1e-3);
  ASSERT_TRUE(lossy.ok() && lossless.ok());
  for (const double r : {1e-4, 1e-3, 1e-2}) {
    const Complex value = Evaluate(*lossy, r);
    const Complex real = Evaluate(*lossless, r);
    // First order in tand: er d/d(er) of the potential, times -j tand.
    const auto more = ScalarPotential(4.4 * 1.0001, 0, 1e-3);
    const auto less = ScalarPotential(4.4 * 0.9999, 0, 1e-3);
    const double slope =
        (Evaluate(*more, r) - Evaluate(*less, r)).real() / 2e-4;
    EXPECT_NEAR(value.imag() / real.real(), -0.02 * slope / real.real(), 1e-4);
    EXPECT_GT(value.imag(), 0);
  }
}

TEST(Images, BadMaterialsAreRefused) {
  EXPECT_FALSE(ScalarPotential(0.9, 0, 1).ok());
  EXPECT_FALSE(ScalarPotential(NAN, 0, 1).ok());
  EXPECT_FALSE(ScalarPotential(2000, 0, 1).ok());
  EXPECT_FALSE(ScalarPotential(4, -0.1, 1).ok());
  EXPECT_FALSE(ScalarPotential(4, 0, 0).ok());
  EXPECT_TRUE(ScalarPotential(1000, 0, 1).ok());
}

Kernel MakeKernel(double er, double tand, double h) {
  return {*ScalarPotential(er, tand, h), VectorPotential(h)};
}

TEST(Tables, EntriesAreDirectEvaluations) {
  const Kernel kernel = MakeKernel(4.4, 0.02, 0.8e-3);
  const Grid grid = {30, 9, 0.5e-3, 0.3e-3};
  Tables tables = EmptyTables(grid, true);
  FillTables(kernel, 0, 13, tables);
  FillTables(kernel, 13, 30, tables);
  for (const int i : {0, 1, 12, 13, 29}) {
    for (const int j : {0, 1, 8}) {
      const RectanglePair pair = {0.5e-3,     0.3e-3,     0.5e-3, 0.3e-3,
                                  i * 0.5e-3, j * 0.3e-3, 0};
      Complex p = 0, a = 0;
      for (const Image& image : kernel.scalar.images) {
        RectanglePair lifted = pair;
        lifted.z = image.depth;
        const double area = 0.15e-6;
        const double far = std::hypot(pair.dx, pair.dy, lifted.z) / 0.5e-3;
        const double mean = far < 22 ? RectangleIntegral(lifted) / (area * area)
                                     : MultipoleMean(lifted);
        p += image.weight * mean;
        if (image.depth == 0) a += mean;
        if (&image == &kernel.scalar.images[1]) a -= mean;
      }
      p *= kernel.scalar.factor;
      a *= kMu0 / (4 * kPi);
      const size_t at = tables.At(i, j);
      EXPECT_LT(Relative({tables.p[at], tables.p_imag[at]}, p), 1e-13);
      EXPECT_LT(Relative(tables.lxx[at], a * 0.25e-6), 1e-12);
      EXPECT_LT(Relative(tables.lyy[at], a * 0.09e-6), 1e-12);
    }
  }
}

TEST(Tables, CurrentsOfEqualCellsAgreeWithMutualInductance) {
  const Kernel kernel = MakeKernel(2.2, 0, 1e-3);
  Tables tables = EmptyTables({4, 4, 1e-3, 0.5e-3}, false);
  FillTables(kernel, 0, 4, tables);
  const CurrentCell a = {0, 0, 1e-3, 0.5e-3};
  const CurrentCell b = {3e-3, 1e-3, 1e-3, 0.5e-3};
  EXPECT_LT(Relative(MutualInductance(kernel, a, b, true),
                     tables.lxx[tables.At(3, 2)]),
            1e-12);
  const CurrentCell c = {0, 0, 0.5e-3, 1e-3};
  const CurrentCell d = {3e-3, 1e-3, 0.5e-3, 1e-3};
  EXPECT_LT(Relative(MutualInductance(kernel, c, d, false),
                     tables.lyy[tables.At(3, 2)]),
            1e-12);
}

// Capacitance of a square of side 1 cut into n x n pixels, in free space, by
// conjugate gradients on P q = 1.
double SquarePlate(int n) {
  Kernel kernel;
  kernel.scalar.factor = 1 / (4 * kPi * kEps0);
  kernel.scalar.images.push_back({1, 0});
  Tables tables = EmptyTables({n, n, 1.0 / n, 1.0 / n}, false);
  FillTables(kernel, 0, n, tables);
  const size_t size = static_cast<size_t>(n) * n;
  const auto product = [&](const std::vector<double>& x) {
    std::vector<double> y(size);
    for (size_t a = 0; a < size; ++a) {
      const int ia = static_cast<int>(a) / n, ja = static_cast<int>(a) % n;
      for (size_t b = 0; b < size; ++b) {
        const int ib = static_cast<int>(b) / n, jb = static_cast<int>(b) % n;
        y[a] +=
            tables.p[tables.At(std::abs(ia - ib), std::abs(ja - jb))] * x[b];
      }
    }
    return y;
  };
  const auto dot = [&](const auto& x, const auto& y) {
    double sum = 0;
    for (size_t a = 0; a < size; ++a) sum += x[a] * y[a];
    return sum;
  };
  std::vector<double> q(size), r(size, 1.0), d = r;
  double rr = dot(r, r);
  for (int step = 0; step < 200 && rr > 1e-20 * static_cast<double>(size);
       ++step) {
    const auto pd = product(d);
    const double alpha = rr / dot(d, pd);
    for (size_t a = 0; a < size; ++a) {
      q[a] += alpha * d[a];
      r[a] -= alpha * pd[a];
    }
    const double next = dot(r, r);
    for (size_t a = 0; a < size; ++a) d[a] = r[a] + next / rr * d[a];
    rr = next;
  }
  double sum = 0;
  for (const double x : q) sum += x;
  return sum;
}

TEST(Tables, ASquarePlateHasItsCapacitance) {
  const double unit = 4 * kPi * kEps0;
  // analytic.json: 16 and 32 pixels a side; the limit is 0.36678975.
  EXPECT_NEAR(SquarePlate(16) / unit, 0.36198264473138, 1e-9);
  EXPECT_NEAR(SquarePlate(32) / unit, 0.36678975, 0.0036);
}

TEST(Vertical, ANarrowSheetIsAFilament) {
  // Mutual inductance far apart does not depend on the widths.
  const double h = 1e-3;
  EXPECT_LT(Relative(SheetInductance({1e-6, 1e-6, 0, 5e-3}, h),
                     FilamentInductance(5e-3, h)),
            1e-6);
  EXPECT_LT(Relative(SheetInductance({1e-6, 1e-6, 0.5e-3, 0}, h),
                     FilamentInductance(0.5e-3, h)),
            1e-5);
}

TEST(Vertical, ASheetAndItsImageAreHalfOfATapeTwiceAsLong) {
  // The current of [-h, h] in a tape of length 2h: by symmetry each half
  // carries half of the flux.
  const double h = 2e-3, w = 0.5e-3;
  const double tape =
      kMu0 / (4 * kPi) * RectangleIntegral({2 * h, w, 2 * h, w}) / (w * w);
  EXPECT_LT(Relative(SheetInductance({w, w, 0, 0}, h), tape / 2), 1e-12);
}

TEST(Vertical, SheetsAreSymmetricInTheirWidths) {
  EXPECT_LT(Relative(SheetInductance({1e-3, 2e-3, 0.3e-3, 1e-3}, 1e-3),
                     SheetInductance({2e-3, 1e-3, 0.3e-3, 1e-3}, 1e-3)),
            1e-12);
}

TEST(Tables, GroundLossIsTheSlopeOfInductance) {
  // (1/mu0) dL/dh by moving the ground.
  const double h = 0.8e-3, step = 1e-6;
  const Grid grid = {12, 9, 0.5e-3, 0.4e-3};
  const auto filled = [&](double height) {
    const auto scalar = ScalarPotential(1, 0, height);
    Tables tables = EmptyTables(grid, false, true);
    FillTables({*scalar, VectorPotential(height), FarForm::kMultipole}, 0, 12,
               tables);
    return tables;
  };
  const Tables here = filled(h), above = filled(h + step);
  const Tables below = filled(h - step);
  for (size_t k = 0; k < here.gxx.size(); ++k) {
    const double x = (above.lxx[k] - below.lxx[k]) / (2 * step * kMu0);
    const double y = (above.lyy[k] - below.lyy[k]) / (2 * step * kMu0);
    EXPECT_NEAR(here.gxx[k], x, 1e-4 * here.gxx[0]) << k;
    EXPECT_NEAR(here.gyy[k], y, 1e-4 * here.gyy[0]) << k;
    EXPECT_GT(here.gxx[k], 0);
  }
}

}  // namespace
}  // namespace assay::green
