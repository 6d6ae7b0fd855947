// Laws of symmetric matrices in panels and of their factors.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/panels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace assay::planar {
namespace {

double Draw(std::mt19937& random, double) {
  return std::uniform_real_distribution<double>(-1, 1)(random);
}
Complex Draw(std::mt19937& random, Complex) {
  return {Draw(random, 0.0), Draw(random, 0.0)};
}

// A symmetric matrix with a heavy diagonal of both signs.
template <class T>
Panels<T> Random(size_t n, uint32_t seed) {
  std::mt19937 random(seed);
  Panels<T> a(n);
  for (size_t k = 0; k < a.count(); ++k) {
    std::fill_n(a.at(k), a.rows(k) * a.width(k), T(0));
  }
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < i; ++j) a.Add(i, j, Draw(random, T()));
    a.Add(i, i, T(i % 3 ? 1.0 : -1.0) * (2.0 * static_cast<double>(n)));
  }
  return a;
}

template <class T>
void ExpectSolutionsSolve(size_t n, int threads) {
  Panels<T> a = Random<T>(n, 5);
  std::mt19937 random(6);
  std::vector<T> x(2 * n), b(2 * n);
  for (T& value : x) value = Draw(random, T());
  for (size_t c = 0; c < 2; ++c) {
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) b[c * n + i] += a(i, j) * x[c * n + j];
    }
  }
  ASSERT_TRUE(FactorLdlt(Threads(threads), a));
  SolveLdlt(a, 2, b.data());
  double error = 0;
  for (size_t i = 0; i < 2 * n; ++i) {
    error = std::max(error, std::abs(b[i] - x[i]));
  }
  EXPECT_LT(error, 1e-12) << n;
}

TEST(Panels, FactorsSolveWhatTheyWereMadeFrom) {
  for (const size_t n : {1, 2, 25, 255, 256, 257, 700}) {
    ExpectSolutionsSolve<double>(n, 1);
    ExpectSolutionsSolve<Complex>(n, 2);
  }
}

TEST(Panels, ProductsAreThoseOfTheElements) {
  for (const size_t n : {1, 256, 300}) {
    const auto a = Random<double>(n, 7);
    std::mt19937 random(8);
    std::vector<double> x(3 * n), y(3 * n);
    for (double& value : x) value = Draw(random, 0.0);
    Multiply(a, 3, x.data(), y.data());
    for (size_t c = 0; c < 3; ++c) {
      for (size_t i = 0; i < n; i += 11) {
        double sum = 0;
        for (size_t j = 0; j < n; ++j) sum += a(i, j) * x[c * n + j];
        EXPECT_NEAR(y[c * n + i], sum, 1e-10);
      }
    }
  }
}

TEST(Panels, TheDiagonalSquareHoldsBothTriangles) {
  const auto a = Random<double>(300, 9);
  for (size_t k = 0; k < a.count(); ++k) {
    for (size_t i = 0; i < a.width(k); ++i) {
      for (size_t j = 0; j < i; ++j) {
        EXPECT_EQ(a.at(k)[j * a.rows(k) + i], a.at(k)[i * a.rows(k) + j]);
      }
    }
  }
}

TEST(Panels, AVanishedPivotShowsInTheRange) {
  Panels<Complex> a(2);
  std::fill_n(a.at(0), 4, Complex(0));
  a.Add(1, 0, 1);
  ASSERT_TRUE(FactorLdlt(Threads(1), a));
  const Range range = DiagonalRange(a);
  EXPECT_FALSE(std::isfinite(range.greatest) && range.least > 0);
}

}  // namespace
}  // namespace assay::planar
