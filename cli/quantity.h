// Says physical quantities with the prefix that fits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/simulate.h"

namespace assay::cli {

struct Prefix {
  double scale = 1;
  std::string_view name;  // "n" for 1e-9
};

// The prefix that leaves 1 to 1000 before the unit, from femto to tera.
Prefix PrefixOf(double value);

// The number of a flag that has to be there, at least `least` and above 0.
Result<double> NeededNumber(std::string_view flag, const std::string& text,
                            double least, std::string_view hint);

// "4.71 nH"; four digits.
std::string QuantityText(double value, std::string_view unit);

// "S21"; "S10,2" where a number has two digits. Ports count from 0.
std::string ParameterName(size_t to, size_t from, size_t ports);

// Where a curve gets triangles: the exactly solved frequencies, rising. None
// where all of many were.
std::vector<size_t> ExactMarks(const planar::Answer& answer);

}  // namespace assay::cli
