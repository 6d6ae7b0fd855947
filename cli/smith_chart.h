// Draws reflections on a Smith chart.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace assay::cli {

struct SmithCurve {
  std::string name;                          // "S11 (50 ohm)"
  std::vector<std::complex<double>> values;  // one a frequency
};

// A <figure>: circles of resistance and reactance (both in units of each
// port's impedance), curves that begin at a dot, triangles at `marks`.
std::string SmithHtml(std::span<const SmithCurve> curves,
                      std::span<const size_t> marks);

}  // namespace assay::cli
