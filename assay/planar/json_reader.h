// Takes typed members out of JSON and remembers the first fault by its key.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/layout.h"

namespace assay::planar {

// Parses `text`. Fails with kInvalidInput, naming `file` and line: broken
// JSON, repeated keys, more than `most_depth` levels.
Result<nlohmann::json> ParseJson(std::string_view text, const std::string& file,
                                 int most_depth);

// After the first fault all methods return defaults, so that a reader can be
// written straight down and ask for the fault at the end.
class JsonReader {
 public:
  using Json = nlohmann::json;

  const std::optional<LayoutFault>& fault() const { return fault_; }
  void Fail(std::string key, std::string what, std::string hint = "");

  // Whether `object` is one and holds only `known` keys, among them the
  // `required`. Names the nearest known key for an unknown one.
  bool Object(const Json& object, const std::string& key,
              std::initializer_list<std::string_view> required,
              std::initializer_list<std::string_view> optional);

  // The member's value, or `fallback` if there is no such member.
  double Number(const Json& object, const std::string& key,
                std::string_view name, double fallback = 0);
  bool Flag(const Json& object, const std::string& key, std::string_view name,
            bool fallback);
  std::string Text(const Json& object, const std::string& key,
                   std::string_view name, std::string_view fallback);

  // `value` as `count` numbers.
  std::vector<double> Numbers(const Json& value, const std::string& key,
                              size_t count);

 private:
  std::optional<LayoutFault> fault_;
};

// The key of `known` with the fewest edits to `word`, empty if all are far.
std::string_view Nearest(std::string_view word,
                         std::initializer_list<std::string_view> known);

}  // namespace assay::planar
