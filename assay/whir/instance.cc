// The deterministic polynomials and points of docs/engines/whir.md.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/instance.h"

#include <cstddef>

#include "assay/base/split_mix.h"
#include "assay/whir/verify.h"

namespace assay::whir {

BabyBear Stream(uint64_t seed, uint64_t i) {
  return BabyBear::From64(SplitMix64(seed, i));
}

std::vector<BabyBear> SeedEvals(uint64_t seed, int n) {
  std::vector<BabyBear> evals(size_t{1} << n);
  for (size_t b = 0; b < evals.size(); ++b) evals[b] = Stream(seed, b);
  return evals;
}

std::vector<Point> SeedPoints(uint64_t seed, int n, int count) {
  const uint64_t point_seed = seed ^ 0x504F494E54535F31;  // "POINTS_1"
  std::vector<Point> points(static_cast<size_t>(count));
  uint64_t i = 0;
  for (Point& point : points) {
    point.resize(static_cast<size_t>(n));
    for (Ext4& coordinate : point) {
      for (BabyBear& c : coordinate.c) c = Stream(point_seed, i++);
    }
  }
  return points;
}

}  // namespace assay::whir
