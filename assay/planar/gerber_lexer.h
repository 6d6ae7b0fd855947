// Splits Gerber text into commands with their lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"

namespace assay::planar {

// One command without its `*`; an extended one stood between percent signs.
struct GerberCommand {
  size_t line = 0;
  bool extended = false;
  std::string text;  // without line breaks
};

// Fails with kCorrupt: a command without `*`, a `%` out of place.
Result<std::vector<GerberCommand>> SplitGerber(std::string_view text,
                                               const std::string& file);

// A letter and its digits: X-1200 is {'X', -1200, "-1200"}.
struct GerberWord {
  char letter = 0;
  long long value = 0;
};

// The words of a command; none where it is no sequence of letters and whole
// numbers of at most 12 digits.
std::optional<std::vector<GerberWord>> GerberWords(std::string_view text);

// The numbers of "0.5X0.25", none where they are no such list.
std::optional<std::vector<double>> GerberNumbers(std::string_view text);

}  // namespace assay::planar
