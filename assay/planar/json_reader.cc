// JSON with positions for its faults, on top of nlohmann's parser.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/json_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "assay/planar/json_position.h"

namespace assay::planar {
namespace {

using Json = nlohmann::json;

std::string Child(const std::string& key, std::string_view name) {
  return key.empty() ? std::string(name) : fmt::format("{}.{}", key, name);
}

// What nlohmann says, without its own prefix of numbers.
std::string Reason(std::string_view what) {
  for (const std::string_view mark : {"syntax error ", "] "}) {
    const size_t found = what.find(mark);
    if (found != std::string_view::npos) {
      what.remove_prefix(found + (mark == "] " ? 2 : 0));
      break;
    }
  }
  return std::string(what.substr(0, 200));
}

// -0 is 0: JSON's "-0" is an integer and "-0.0" is not, so the sign would
// come and go between one writing and the next.
double PlainNumber(const Json& value) { return value.get<double>() + 0.0; }

}  // namespace

std::string_view Nearest(std::string_view word,
                         std::initializer_list<std::string_view> known) {
  std::string_view best;
  size_t best_edits = std::max<size_t>(2, word.size() / 2);
  for (const std::string_view candidate : known) {
    std::vector<size_t> row(candidate.size() + 1);
    for (size_t j = 0; j < row.size(); ++j) row[j] = j;
    for (size_t i = 0; i < word.size(); ++i) {
      size_t diagonal = std::exchange(row[0], i + 1);
      for (size_t j = 0; j < candidate.size(); ++j) {
        // Capitals are the commonest slip.
        const auto low = [](char c) {
          return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        };
        const size_t swap =
            diagonal + (low(word[i]) == low(candidate[j]) ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = std::min({swap, diagonal + 1, row[j] + 1});
      }
    }
    if (row.back() <= best_edits && (best.empty() || row.back() < best_edits)) {
      best_edits = row.back();
      best = candidate;
    }
  }
  return best;
}

Result<Json> ParseJson(std::string_view text, const std::string& file,
                       int most_depth) {
  std::vector<std::set<std::string>> keys;
  std::string repeated;
  bool deep = false;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    switch (event) {
      case Json::parse_event_t::object_start:
      case Json::parse_event_t::array_start:
        deep = deep || depth >= most_depth;
        keys.emplace_back();
        break;
      case Json::parse_event_t::object_end:
      case Json::parse_event_t::array_end: keys.pop_back(); break;
      case Json::parse_event_t::key:
        if (!keys.back().insert(value.get<std::string>()).second &&
            repeated.empty()) {
          repeated = value.get<std::string>();
        }
        break;
      case Json::parse_event_t::value: break;
    }
    return !deep;
  };
  const auto fail = [&](size_t offset, std::string what, std::string hint) {
    return Error{
        Code::kInvalidInput,
        fmt::format("{}:{}: {}", file, LineOfOffset(text, offset), what),
        std::move(hint)};
  };
  try {
    Json json = Json::parse(text.begin(), text.end(), watch);
    if (deep) {
      return Error{Code::kInvalidInput,
                   fmt::format("{}: more than {} levels", file, most_depth),
                   ""};
    }
    if (!repeated.empty()) {
      const std::string what =
          fmt::format("the key \"{}\" comes twice in one object", repeated);
      // Where the key comes just twice in the text, the second is the one.
      const std::string quoted = '"' + repeated + '"';
      const size_t last = text.rfind(quoted);
      const bool is_second = last != std::string_view::npos && last > 0 &&
                             text.find(quoted, text.find(quoted) + 1) == last;
      if (is_second) return fail(last, what, "keep one of them");
      return Error{Code::kInvalidInput, fmt::format("{}: {}", file, what),
                   "keep one of them"};
    }
    return json;
  } catch (const Json::parse_error& error) {
    return fail(error.byte == 0 ? 0 : error.byte - 1,
                "no JSON: " + Reason(error.what()),
                "JSON has no NaN, no comments and no trailing commas");
  } catch (const Json::exception& error) {
    return Error{Code::kInvalidInput,
                 fmt::format("{}: {}", file, Reason(error.what())),
                 "numbers go up to 1.8e308"};
  }
}

void JsonReader::Fail(std::string key, std::string what, std::string hint) {
  if (fault_) return;
  fault_ = LayoutFault{std::move(key), std::move(what), std::move(hint)};
}

bool JsonReader::Object(const Json& object, const std::string& key,
                        std::initializer_list<std::string_view> required,
                        std::initializer_list<std::string_view> optional) {
  if (fault_) return false;
  const std::string name = key.empty() ? "layout" : key;
  if (!object.is_object()) {
    Fail(name, fmt::format("an object is wanted, not {}", object.type_name()),
         fmt::format("it has the keys {}", fmt::join(required, ", ")));
    return false;
  }
  for (const auto& [found, value] : object.items()) {
    if (std::ranges::count(required, found) > 0 ||
        std::ranges::count(optional, found) > 0) {
      continue;
    }
    std::string_view near = Nearest(found, required);
    if (near.empty()) near = Nearest(found, optional);
    Fail(Child(key, found), "this key is unknown here",
         near.empty()
             ? fmt::format("known are {}{}{}", fmt::join(required, ", "),
                           required.size() > 0 ? ", " : "",
                           fmt::join(optional, ", "))
             : fmt::format("did you mean \"{}\"?", near));
    return false;
  }
  for (const std::string_view wanted : required) {
    if (!object.contains(wanted)) {
      Fail(name, fmt::format("the key \"{}\" is missing", wanted));
      return false;
    }
  }
  return true;
}

double JsonReader::Number(const Json& object, const std::string& key,
                          std::string_view name, double fallback) {
  if (fault_ || !object.contains(name)) return fallback;
  const Json& value = object[std::string(name)];
  if (value.is_number()) return PlainNumber(value);
  Fail(Child(key, name),
       fmt::format("a number is wanted, not {}", value.type_name()));
  return fallback;
}

bool JsonReader::Flag(const Json& object, const std::string& key,
                      std::string_view name, bool fallback) {
  if (fault_ || !object.contains(name)) return fallback;
  const Json& value = object[std::string(name)];
  if (value.is_boolean()) return value.get<bool>();
  Fail(Child(key, name),
       fmt::format("true or false is wanted, not {}", value.type_name()));
  return fallback;
}

std::string JsonReader::Text(const Json& object, const std::string& key,
                             std::string_view name, std::string_view fallback) {
  if (fault_ || !object.contains(name)) return std::string(fallback);
  const Json& value = object[std::string(name)];
  if (value.is_string()) return value.get<std::string>();
  Fail(Child(key, name),
       fmt::format("a text is wanted, not {}", value.type_name()));
  return std::string(fallback);
}

std::vector<double> JsonReader::Numbers(const Json& value,
                                        const std::string& key, size_t count) {
  std::vector<double> numbers(count);
  if (fault_) return numbers;
  if (!value.is_array() || value.size() != count) {
    Fail(key, fmt::format("{} numbers in brackets are wanted", count));
    return numbers;
  }
  for (size_t i = 0; i < count; ++i) {
    if (!value[i].is_number()) {
      Fail(fmt::format("{}[{}]", key, i),
           fmt::format("a number is wanted, not {}", value[i].type_name()));
      return numbers;
    }
    numbers[i] = PlainNumber(value[i]);
  }
  return numbers;
}

}  // namespace assay::planar
