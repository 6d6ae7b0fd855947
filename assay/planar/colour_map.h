// Colours for values, in steps that look equal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::planar {

struct Colour {
  uint8_t red = 0, green = 0, blue = 0;
  bool operator==(const Colour&) const = default;
};

// CIE 1976 lightness (0 to 100) and two opponent colours, white D65.
struct Lab {
  double lightness = 0, a = 0, b = 0;
};
Lab LabOf(Colour colour);

// From dark violet over red to pale yellow: for values from nothing to much.
// Lightness rises throughout, so it also reads in grey. `count` at least 2.
std::vector<Colour> SequentialMap(size_t count);

// From blue over grey to orange: for values of either sign. `count` is odd, at
// least 3, and the middle is zero.
std::vector<Colour> DivergingMap(size_t count);

}  // namespace assay::planar
