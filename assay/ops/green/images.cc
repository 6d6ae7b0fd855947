// Green's functions of a grounded dielectric as series of images.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/green/images.h"

#include <fmt/format.h>

#include <cmath>

namespace assay::green {

using Complex = std::complex<double>;

Result<Series> ScalarPotential(double er, double tand, double h) {
  if (!(er >= 1 && er <= kMostPermittivity)) {
    return Error{Code::kInvalidInput,
                 fmt::format("relative permittivity is {}", er),
                 fmt::format("between 1 and {}", kMostPermittivity)};
  }
  if (!(tand >= 0 && std::isfinite(tand))) {
    return Error{Code::kInvalidInput, fmt::format("loss tangent is {}", tand),
                 "0 or a positive number"};
  }
  if (!(h > 0 && std::isfinite(h))) {
    return Error{Code::kInvalidInput,
                 fmt::format("substrate height is {} m", h),
                 "a positive number"};
  }
  const Complex permittivity = er * Complex(1, -tand);
  const Complex k = (1.0 - permittivity) / (1.0 + permittivity);
  Series series;
  series.factor = 2.0 / (1.0 + permittivity) / (4 * kPi * kEps0);
  series.images.push_back({1, 0});
  Complex power = 1;  // K^(n-1)
  for (int n = 1;; ++n) {
    const Complex weight = power * (k - 1.0);
    series.images.push_back({weight, 2 * n * h});
    power *= k;
    // The weight itself, not its share of the sum: the sum may cancel. At
    // er = 1 the second weight would be 0.
    if (std::abs(weight) < 1e-15 || power == 0.0) break;
  }
  return series;
}

Series VectorPotential(double h) {
  return {kMu0 / (4 * kPi), {{1, 0}, {-1, 2 * h}}};
}

Complex Evaluate(const Series& series, double r) {
  Complex sum = 0;
  for (const Image& image : series.images) {
    sum += image.weight / std::hypot(r, image.depth);
  }
  return series.factor * sum;
}

Complex Average(const Series& series, RectanglePair pair, FarForm form) {
  Complex sum = 0;
  for (const Image& image : series.images) {
    pair.z = image.depth;
    sum += image.weight * MeanInverseDistance(pair, form);
  }
  return series.factor * sum;
}

}  // namespace assay::green
