// Reads and writes field elements the way people and other programs do.
// SPDX-License-Identifier: Apache-2.0
#include "cli/elements.h"

#include <fmt/format.h>

#include <utility>

#include "assay/base/files.h"
#include "assay/base/text.h"

namespace assay::cli {
namespace {

constexpr uint64_t kMaxFileBytes = uint64_t{64} << 20;

Error Invalid(std::string what, std::string hint = "") {
  return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
}

Result<BabyBear> Canonical(uint64_t x) {
  if (x < BabyBear::kPrime) return BabyBear::From(static_cast<uint32_t>(x));
  return Invalid(fmt::format("{} is not below p = {}", x, BabyBear::kPrime));
}

Result<BabyBear> NumberFromJson(const Json& json) {
  if (json.is_number_unsigned()) return Canonical(json.get<uint64_t>());
  return Invalid(fmt::format("{} is not a whole number", json.dump()));
}

// Every number of the text; anything else but blanks, commas and comments
// fails.
Result<std::vector<BabyBear>> NumbersFromText(std::string_view text) {
  std::vector<BabyBear> numbers;
  constexpr std::string_view kBetween = " \t\r\n,";
  size_t at = 0;
  while ((at = text.find_first_not_of(kBetween, at)) != text.npos) {
    if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
      continue;
    }
    const size_t end =
        std::min(text.find_first_of(" \t\r\n,#", at), text.size());
    ASSAY_ASSIGN(x, ParseUnsigned(text.substr(at, end - at)));
    ASSAY_ASSIGN(number, Canonical(x));
    numbers.push_back(number);
    at = end;
  }
  return numbers;
}

// Depth 2: one point; depth 3: a list of points.
Result<std::vector<whir::Point>> PointsFromJson(const Json& json) {
  const bool one = json.is_array() && !json.empty() && json[0].is_array() &&
                   !json[0].empty() && json[0][0].is_number();
  if (!json.is_array()) return Invalid("the points are no JSON list");
  std::vector<whir::Point> points;
  if (one) {
    ASSAY_ASSIGN(coordinates, ElementsFromJson(json));
    points.push_back(coordinates);
    return points;
  }
  for (const Json& point : json) {
    ASSAY_ASSIGN(coordinates, ElementsFromJson(point));
    points.push_back(coordinates);
  }
  return points;
}

}  // namespace

Json ElementJson(const Ext4& x) {
  Json json = Json::array();
  for (const BabyBear c : x.c) json.push_back(c.Canonical());
  return json;
}

Json ElementsJson(const std::vector<Ext4>& xs) {
  Json json = Json::array();
  for (const Ext4& x : xs) json.push_back(ElementJson(x));
  return json;
}

Json DigestJson(const whir::Digest& digest) {
  Json json = Json::array();
  for (const BabyBear x : digest) json.push_back(x.Canonical());
  return json;
}

Result<Ext4> ElementFromJson(const Json& json) {
  if (!json.is_array() || json.size() != 4) {
    return Invalid("an element is a list of four numbers");
  }
  Ext4 x;
  for (size_t i = 0; i < 4; ++i) {
    ASSAY_ASSIGN(c, NumberFromJson(json[i]));
    x.c[i] = c;
  }
  return x;
}

Result<std::vector<Ext4>> ElementsFromJson(const Json& json) {
  if (!json.is_array()) return Invalid("a list of elements is missing");
  std::vector<Ext4> xs;
  for (const Json& item : json) {
    ASSAY_ASSIGN(x, ElementFromJson(item));
    xs.push_back(x);
  }
  return xs;
}

Result<whir::Digest> DigestFromJson(const Json& json) {
  whir::Digest digest;
  if (!json.is_array() || json.size() != digest.size()) {
    return Invalid("a commitment is a list of eight numbers");
  }
  for (size_t i = 0; i < digest.size(); ++i) {
    ASSAY_ASSIGN(x, NumberFromJson(json[i]));
    digest[i] = x;
  }
  return digest;
}

std::string ElementText(const Ext4& x) {
  return fmt::format("({}, {}, {}, {})", x.c[0].Canonical(), x.c[1].Canonical(),
                     x.c[2].Canonical(), x.c[3].Canonical());
}

std::string DigestText(const whir::Digest& digest) {
  return fmt::format("{:08x}{:08x}...", digest[0].Canonical(),
                     digest[1].Canonical());
}

Result<std::vector<whir::Point>> ParsePoints(std::string_view text, int n) {
  std::vector<whir::Point> points;
  ASSAY_ASSIGN(json, ParseJson(text));
  if (json.is_array()) {
    ASSAY_ASSIGN(listed, PointsFromJson(json));
    points = std::move(listed);
  } else {
    ASSAY_ASSIGN(numbers, NumbersFromText(text));
    const size_t stride = 4 * static_cast<size_t>(n);
    if (numbers.size() % stride != 0) {
      return Invalid(
          fmt::format("{} numbers make no whole point; one takes "
                      "4n = {}",
                      numbers.size(), stride));
    }
    for (size_t i = 0; i < numbers.size(); i += 4) {
      if (i % stride == 0) points.emplace_back();
      points.back().push_back(
          Ext4{{numbers[i], numbers[i + 1], numbers[i + 2], numbers[i + 3]}});
    }
  }
  if (points.empty()) return Invalid("there is no point");
  for (const whir::Point& point : points) {
    if (point.size() == static_cast<size_t>(n)) continue;
    return Invalid(
        fmt::format("a point has {} coordinates, not n={}", point.size(), n));
  }
  return points;
}

Result<std::vector<whir::Point>> ReadPoints(const std::string& path, int n) {
  ASSAY_ASSIGN(bytes, ReadFile(path, kMaxFileBytes));
  Result<std::vector<whir::Point>> points = ParsePoints(AsText(bytes), n);
  if (points.ok()) return points;
  return Invalid(fmt::format("{}: {}", path, points.error().what),
                 fmt::format("a point is {} coordinates of four numbers below "
                             "p, as JSON or as plain text",
                             n));
}

std::string_view AsText(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace assay::cli
