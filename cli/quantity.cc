// Prefixes of the SI, names of parameters, marks of solved frequencies.
// SPDX-License-Identifier: Apache-2.0
#include "cli/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "assay/base/text.h"

namespace assay::cli {
namespace {

constexpr std::array<Prefix, 10> kPrefixes = {{{1e-15, "f"},
                                               {1e-12, "p"},
                                               {1e-9, "n"},
                                               {1e-6, "\u00B5"},
                                               {1e-3, "m"},
                                               {1, ""},
                                               {1e3, "k"},
                                               {1e6, "M"},
                                               {1e9, "G"},
                                               {1e12, "T"}}};
constexpr size_t kMostMarks = 120;

}  // namespace

Result<double> NeededNumber(std::string_view flag, const std::string& text,
                            double least, std::string_view hint) {
  if (text.empty()) {
    return Error{Code::kInvalidInput, fmt::format("--{} is missing", flag),
                 std::string(hint)};
  }
  const Result<double> value = ParseReal(text);
  if (!value.ok() || *value < least || *value <= 0) {
    return Error{Code::kInvalidInput,
                 fmt::format("--{} {}: this can not be", flag, text),
                 std::string(hint)};
  }
  return *value;
}

Prefix PrefixOf(double value) {
  // Rounding to four digits may carry into the next.
  const double size = std::abs(value) * (1 + 5e-5);
  Prefix best = kPrefixes[5];
  if (size == 0 || !std::isfinite(size)) return best;
  best = kPrefixes[0];
  for (const Prefix& prefix : kPrefixes) {
    if (size >= prefix.scale) best = prefix;
  }
  return best;
}

std::string QuantityText(double value, std::string_view unit) {
  const Prefix prefix = PrefixOf(value);
  return unit.empty() ? fmt::format("{:.4g}", value)
                      : fmt::format("{:.4g} {}{}", value / prefix.scale,
                                    prefix.name, unit);
}

std::string ParameterName(size_t to, size_t from, size_t ports) {
  return fmt::format("S{}{}{}", to + 1, ports > 9 ? "," : "", from + 1);
}

std::vector<size_t> ExactMarks(const planar::Answer& answer) {
  std::vector<size_t> marks;
  for (const planar::ExactPoint& point : answer.exact) {
    marks.push_back(point.index);
  }
  std::sort(marks.begin(), marks.end());
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
  if (marks.size() > kMostMarks && marks.size() >= answer.hz.size()) return {};
  return marks;
}

}  // namespace assay::cli
