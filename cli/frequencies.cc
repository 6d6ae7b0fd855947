// Ranges and lists of frequencies, and how they are written.
// SPDX-License-Identifier: Apache-2.0
#include "cli/frequencies.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "assay/base/text.h"
#include "assay/planar/simulate.h"
#include "cli/plot_axis.h"

namespace assay::cli {
namespace {

constexpr int64_t kDefaultPoints = 101;
// Each costs a matrix of the ports in memory and a line in the file.
constexpr int64_t kMostPoints = 1000000;
// Beside numbers with a unit, who writes less without one forgot it.
constexpr double kLeastBareHertz = 1e6;

Error Invalid(std::string what, std::string hint) {
  return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
}

Result<double> ParseFrequency(std::string_view flag, std::string_view text) {
  Result<double> hz = ParseHertz(text);
  if (!hz.ok()) {
    return Invalid(fmt::format("{}: {}", flag, hz.error().what),
                   hz.error().hint);
  }
  if (*hz == 0) {
    return Invalid(fmt::format("{} {}: a sweep starts above 0 Hz", flag, text),
                   "--dc adds the point at 0 Hz");
  }
  return hz;
}

Result<std::vector<double>> ReadRange(const FrequencyFlags& flags) {
  for (const auto& [flag, text] :
       {std::pair("--from", &flags.from), {"--to", &flags.to}}) {
    if (text->empty()) {
      return Invalid(fmt::format("{} is missing", flag),
                     "--from 100MHz --to 6GHz [--points 101], or "
                     "--list 1GHz,2.4GHz");
    }
  }
  ASSAY_ASSIGN(from, ParseFrequency("--from", flags.from));
  ASSAY_ASSIGN(to, ParseFrequency("--to", flags.to));
  if (!(from < to)) {
    return Invalid(
        fmt::format("--from {} is not below --to {}", flags.from, flags.to),
        "--list 2.4GHz takes a single frequency");
  }
  int64_t points = kDefaultPoints;
  if (!flags.points.empty()) {
    const Result<int64_t> parsed = ParseInt(flags.points);
    if (!parsed.ok() || *parsed < 2 || *parsed > kMostPoints) {
      return Invalid(
          fmt::format("--points {}: this is no number of frequencies",
                      flags.points),
          fmt::format("a whole number in 2..{}", kMostPoints));
    }
    points = *parsed;
  }
  const auto count = static_cast<size_t>(points);
  return flags.log ? planar::LogFrequencies(from, to, count)
                   : planar::LinearFrequencies(from, to, count);
}

Result<std::vector<double>> ReadWithoutDc(const FrequencyFlags& flags) {
  if (flags.list.empty()) return ReadRange(flags);
  for (const auto& [flag, given] : {std::pair("--from", !flags.from.empty()),
                                    {"--to", !flags.to.empty()},
                                    {"--points", !flags.points.empty()},
                                    {"--log", flags.log}}) {
    if (given) {
      return Invalid(fmt::format("{} and --list are both given", flag),
                     "a range or a list, not both");
    }
  }
  return ParseFrequencies("--list", flags.list);
}

}  // namespace

Result<std::vector<double>> ReadFrequencies(const FrequencyFlags& flags) {
  ASSAY_ASSIGN(hz, ReadWithoutDc(flags));
  if (flags.dc) hz.insert(hz.begin(), 0.0);
  return std::move(hz);
}

Result<std::vector<double>> ParseFrequencies(std::string_view flag,
                                             std::string_view text) {
  std::vector<double> list;
  std::string_view bare, with_unit;
  while (true) {
    const size_t end = text.find(',');
    const std::string_view item = text.substr(0, end);
    ASSAY_ASSIGN(hz, ParseFrequency(flag, item));
    list.push_back(hz);
    if (item.find_first_of("kKmMgGtTzZ") != item.npos) {
      with_unit = item;
    } else if (hz < kLeastBareHertz) {
      bare = item;
    }
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (!bare.empty() && !with_unit.empty()) {
    return Invalid(fmt::format("{}: \"{}\" has no unit beside \"{}\"", flag,
                               bare, with_unit),
                   "a unit at each, as in 1GHz,2GHz");
  }
  std::ranges::sort(list);
  const auto twice = std::ranges::adjacent_find(list);
  if (twice != list.end()) {
    return Invalid(
        fmt::format("{}: {} is there twice", flag, FrequencyText(*twice)), "");
  }
  return list;
}

std::string FrequencyText(double hz, int digits) {
  return hz == 0 ? "DC" : HertzText(hz, digits);
}

}  // namespace assay::cli
