// Laws of GMRES and of the sums below it.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/gmres.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "assay/planar/krylov.h"

namespace assay::planar {
namespace {

using Complex = std::complex<double>;

std::vector<Complex> Random(size_t n, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<Complex> x(n);
  for (Complex& value : x) value = {unit(random), unit(random)};
  return x;
}

TEST(Krylov, SumsEqualTheirMeaning) {
  for (const size_t n : {1u, 2u, 3u, 7u, 8u, 33u, 100u}) {
    for (const size_t count : {1u, 3u, 4u, 9u}) {
      std::vector<std::vector<Complex>> v;
      std::vector<const Complex*> at;
      for (size_t j = 0; j < count; ++j) v.push_back(Random(n, j + 1));
      for (const auto& one : v) at.push_back(one.data());
      const auto w = Random(n, 99), h = Random(count, 98);
      const size_t begin = n > 4 ? 1 : 0, end = n > 4 ? n - 2 : n;
      std::vector<Complex> sums(count + 1, 7.0);
      ConjugateDots(at.data(), count, w.data(), begin, end, sums.data());
      std::vector<Complex> left = w;
      SubtractCombination(at.data(), count, h.data(), left.data(), begin, end);
      EXPECT_EQ(sums[count], 7.0);
      for (size_t j = 0; j < count; ++j) {
        Complex sum = 0;
        for (size_t i = begin; i < end; ++i) sum += std::conj(v[j][i]) * w[i];
        EXPECT_LE(std::abs(sums[j] - sum), 1e-14 * static_cast<double>(n));
      }
      for (size_t i = 0; i < n; ++i) {
        Complex value = w[i];
        for (size_t j = 0; j < count && i >= begin && i < end; ++j) {
          value -= h[j] * v[j][i];
        }
        EXPECT_LE(std::abs(left[i] - value), 1e-14 * 10);
      }
    }
  }
}

// A well-conditioned matrix without symmetry.
struct Dense {
  size_t n;
  std::vector<Complex> a;

  explicit Dense(size_t size) : n(size), a(Random(size * size, 5)) {
    for (Complex& value : a) value *= 0.3 / std::sqrt(static_cast<double>(n));
    for (size_t i = 0; i < n; ++i) a[i * n + i] += 1.0;
  }
  void operator()(size_t columns, const Complex* v, Complex* w) const {
    for (size_t c = 0; c < columns; ++c) {
      for (size_t i = 0; i < n; ++i) {
        Complex sum = 0;
        for (size_t j = 0; j < n; ++j) sum += a[i * n + j] * v[c * n + j];
        w[c * n + i] = sum;
      }
    }
  }
};

TEST(Gmres, SolvesEachColumnToItsTarget) {
  const Dense a(150);
  const Threads threads(2);
  auto b = Random(3 * a.n, 6);
  std::fill_n(b.begin() + static_cast<ptrdiff_t>(a.n), a.n, Complex(0));
  const std::vector<double> target = {1e-10, 1e-10, 1e-3};
  std::vector<Complex> u(b.size()), made(b.size());
  const GmresReport report =
      Gmres(threads, a.n, 3, std::cref(a), b.data(), target, 60, u.data());
  a(3, u.data(), made.data());
  for (size_t c = 0; c < 3; ++c) {
    double square = 0;
    for (size_t i = 0; i < a.n; ++i) {
      square += std::norm(b[c * a.n + i] - made[c * a.n + i]);
    }
    EXPECT_LE(std::sqrt(square), target[c] * 1.01) << c;
    EXPECT_NEAR(std::sqrt(square), report.residual[c], 1e-12) << c;
  }
  // A column of zeros costs nothing, an easier one less.
  EXPECT_LT(report.products, 2u * static_cast<size_t>(report.steps));
  EXPECT_EQ(u[a.n], Complex(0));
}

TEST(Gmres, StopsAtTheMostSteps) {
  const Dense a(60);
  const Threads threads(1);
  const auto b = Random(a.n, 7);
  const std::vector<double> target = {1e-14};
  std::vector<Complex> u(a.n);
  const GmresReport report =
      Gmres(threads, a.n, 1, std::cref(a), b.data(), target, 4, u.data());
  EXPECT_EQ(report.steps, 4);
  EXPECT_GT(report.residual[0], 1e-14);
}

TEST(Gmres, EndsWhereTheSpaceIsExhausted) {
  // The identity: one step.
  const Threads threads(1);
  const auto b = Random(40, 8);
  const std::vector<double> target = {0};
  std::vector<Complex> u(40);
  const auto identity = [](size_t columns, const Complex* v, Complex* w) {
    std::copy_n(v, columns * 40, w);
  };
  const GmresReport report =
      Gmres(threads, 40, 1, identity, b.data(), target, 30, u.data());
  EXPECT_EQ(report.steps, 1);
  for (size_t i = 0; i < 40; ++i) EXPECT_LE(std::abs(u[i] - b[i]), 1e-14);
}

}  // namespace
}  // namespace assay::planar
