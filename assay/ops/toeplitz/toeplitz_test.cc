// Laws of Toeplitz products: the transform's against the meaning.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "assay/ops/toeplitz/toeplitz_fft.h"

namespace assay::toeplitz {
namespace {

using Complex = std::complex<double>;

struct Case {
  int nx, ny;
  double fill;
};

// A kernel like a Green's function: it falls with distance.
std::vector<double> Table(const Shape& shape) {
  std::vector<double> table;
  for (int i = 0; i < shape.nx; ++i) {
    for (int j = 0; j < shape.ny; ++j) {
      table.push_back(1 / std::sqrt(0.3 + i * i + 1.7 * j * j));
    }
  }
  return table;
}

class Products : public testing::TestWithParam<Case> {};

TEST_P(Products, EqualTheMeaning) {
  const Case& c = GetParam();
  const Shape shape{c.nx, c.ny};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<uint32_t> at;
  for (uint32_t k = 0; k < static_cast<uint32_t>(c.nx * c.ny); ++k) {
    if (std::abs(unit(random)) < c.fill) at.push_back(k);
  }
  std::vector<Complex> x(at.size());
  for (Complex& value : x) value = {unit(random), unit(random)};
  const auto real = Table(shape);
  std::vector<double> imag = real;
  for (double& value : imag) value *= -0.02 * value;

  std::vector<Complex> expected(x.size()), second(x.size());
  Multiply(shape, real, at, x, expected);
  Multiply(shape, imag, at, x, second);

  const Points points(shape, at);
  const Convolution convolution(shape, c.nx - 1, c.ny - 1);
  for (const int count : {1, 2}) {
    const Threads threads(count);
    const Spectrum s = convolution.SpectrumOf(threads, real);
    const Spectrum t = convolution.SpectrumOf(threads, imag);
    // Guards around the outputs.
    std::vector<Complex> plain(x.size() + 2, 7.0), lossy(x.size() + 2, 7.0);
    const std::vector<Product> both = {
        {&points, &s, nullptr, x.data(), plain.data() + 1},
        {&points, &s, &t, x.data(), lossy.data() + 1}};
    convolution.Apply(threads, both);
    double most = 0, norm = 0;
    for (size_t k = 0; k < x.size(); ++k) {
      most = std::max(most, std::abs(plain[k + 1] - expected[k]));
      most = std::max(most, std::abs(lossy[k + 1] - expected[k] -
                                     Complex(0, 1) * second[k]));
      norm = std::max(norm, std::abs(expected[k]));
    }
    EXPECT_LE(most, 1e-13 * norm) << count << " threads";
    EXPECT_EQ(plain.front(), 7.0);
    EXPECT_EQ(plain.back(), 7.0);
    EXPECT_EQ(lossy.front(), 7.0);
    EXPECT_EQ(lossy.back(), 7.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Grids, Products,
                         testing::Values(Case{1, 1, 1}, Case{1, 9, 1},
                                         Case{7, 1, 1}, Case{5, 8, 0.5},
                                         Case{31, 17, 1}, Case{40, 33, 0.3},
                                         Case{64, 64, 0.05}));

TEST(Convolution, InverseSpectrumUndoesACircularProduct) {
  // All pixels of the padded grid are points: then products are circular.
  const Shape shape{12, 15};
  const Convolution convolution(shape, 0, 0);
  ASSERT_EQ(convolution.ax(), 12u);
  ASSERT_EQ(convolution.ay(), 15u);
  std::vector<uint32_t> at(12 * 15);
  for (uint32_t k = 0; k < at.size(); ++k) at[k] = k;
  const Points points(shape, at);
  const Threads threads(1);
  std::vector<double> table = Table(shape);
  table[0] += 20;
  const Spectrum spectrum = convolution.SpectrumOf(threads, table);
  Spectrum inverse = spectrum;
  for (double& value : inverse) value = 1 / value;
  std::vector<Complex> x(at.size()), y(at.size());
  for (size_t k = 0; k < x.size(); ++k) x[k] = {std::sin(k * 1.3), 0.1 * k};
  const std::vector<Product> there = {
      {&points, &spectrum, nullptr, x.data(), y.data()}};
  convolution.Apply(threads, there);
  const std::vector<Product> back = {
      {&points, &inverse, nullptr, y.data(), y.data()}};
  convolution.Apply(threads, back);
  for (size_t k = 0; k < x.size(); ++k) {
    EXPECT_LE(std::abs(y[k] - x[k]), 1e-12);
  }
}

TEST(FastLength, HasSmallFactorsOnly) {
  EXPECT_EQ(FastLength(1), 1);
  EXPECT_EQ(FastLength(7), 8);
  EXPECT_EQ(FastLength(447), 450);
  EXPECT_EQ(FastLength(451), 480);
  EXPECT_EQ(FastLength(639), 640);
}

}  // namespace
}  // namespace assay::toeplitz
