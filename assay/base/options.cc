// How each kind of option is read from text, checked, and written back.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/base/text.h"

namespace assay {
namespace {

Error Refuse(std::string_view name, std::string_view text,
             std::string_view expected) {
  return Error{Code::kInvalidInput,
               fmt::format("{} is \"{}\"; it takes {}", name, text, expected),
               ""};
}

std::string Join(const std::vector<std::string>& words) {
  std::string joined;
  for (const std::string& word : words) {
    if (!joined.empty()) joined += ", ";
    joined += word;
  }
  return joined;
}

}  // namespace

void OptionTable::AddInt(std::string_view name, Range range,
                         std::string_view help,
                         std::function<void(int64_t)> store,
                         std::function<int64_t()> load) {
  Option option;
  option.name = name;
  option.kind = Option::Kind::kInt;
  option.help = help;
  const bool open_ended = range.hi == std::numeric_limits<int64_t>::max();
  option.range = open_ended ? fmt::format("{}..", range.lo)
                            : fmt::format("{}..{}", range.lo, range.hi);
  option.set = [name = option.name, range, shown = option.range,
                store = std::move(store)](std::string_view text) -> Status {
    const Result<int64_t> parsed = ParseInt(text);
    if (!parsed.ok() || *parsed < range.lo || *parsed > range.hi) {
      return Refuse(name, text, "a whole number in " + shown);
    }
    store(*parsed);
    return {};
  };
  option.get = [load = std::move(load)] { return std::to_string(load()); };
  options_.push_back(std::move(option));
}

void OptionTable::Real(std::string_view name, double& value, RealRange range,
                       std::string_view help) {
  Option option;
  option.name = name;
  option.kind = Option::Kind::kReal;
  option.help = help;
  option.range = std::isinf(range.hi)
                     ? fmt::format("{:g}..", range.lo)
                     : fmt::format("{:g}..{:g}", range.lo, range.hi);
  option.set = [name = option.name, range, shown = option.range,
                &value](std::string_view text) -> Status {
    const Result<double> parsed = ParseReal(text);
    if (!parsed.ok() || !(*parsed >= range.lo && *parsed <= range.hi)) {
      return Refuse(name, text, "a number in " + shown);
    }
    value = *parsed;
    return {};
  };
  option.get = [&value] { return fmt::format("{}", value); };
  options_.push_back(std::move(option));
}

void OptionTable::AddEnum(std::string_view name,
                          std::vector<std::string> choices,
                          std::string_view help,
                          std::function<void(size_t)> store,
                          std::function<size_t()> load) {
  Option option;
  option.name = name;
  option.kind = Option::Kind::kEnum;
  option.help = help;
  option.choices = choices;
  option.set = [name = option.name, choices,
                store = std::move(store)](std::string_view text) -> Status {
    const auto found = std::find(choices.begin(), choices.end(), text);
    if (found == choices.end()) {
      return Refuse(name, text, "one of " + Join(choices));
    }
    store(static_cast<size_t>(found - choices.begin()));
    return {};
  };
  option.get = [choices = std::move(choices), load = std::move(load)] {
    const size_t index = load();
    return index < choices.size() ? choices[index] : std::string("?");
  };
  options_.push_back(std::move(option));
}

void OptionTable::Text(std::string_view name, std::string& value,
                       std::string_view help) {
  Option option;
  option.name = name;
  option.help = help;
  option.set = [&value](std::string_view text) -> Status {
    value = text;
    return {};
  };
  option.get = [&value] { return value; };
  options_.push_back(std::move(option));
}

void OptionTable::Flag(std::string_view name, bool& value,
                       std::string_view help) {
  Option option;
  option.name = name;
  option.kind = Option::Kind::kFlag;
  option.help = help;
  option.set = [name = option.name, &value](std::string_view text) -> Status {
    if (text.empty() || text == "true" || text == "1") {
      value = true;
    } else if (text == "false" || text == "0") {
      value = false;
    } else {
      return Refuse(name, text, "true or false");
    }
    return {};
  };
  option.get = [&value] { return std::string(value ? "true" : "false"); };
  options_.push_back(std::move(option));
}

void OptionTable::Bytes(std::string_view name, uint64_t& value,
                        std::string_view help) {
  Option option;
  option.name = name;
  option.kind = Option::Kind::kBytes;
  option.help = help;
  option.set = [name = option.name, &value](std::string_view text) -> Status {
    const Result<uint64_t> parsed = ParseBytes(text);
    if (!parsed.ok()) {
      return Refuse(name, text, "a number of bytes such as 512M or 1.5GiB");
    }
    value = *parsed;
    return {};
  };
  option.get = [&value] { return std::to_string(value); };
  options_.push_back(std::move(option));
}

const Option* OptionTable::Find(std::string_view name) const {
  const auto found =
      std::find_if(options_.begin(), options_.end(),
                   [&](const Option& option) { return option.name == name; });
  return found == options_.end() ? nullptr : &*found;
}

Status OptionTable::Set(std::string_view name, std::string_view text) const {
  if (const Option* option = Find(name)) return option->set(text);
  std::vector<std::string> names;
  names.reserve(options_.size());
  for (const Option& option : options_) names.push_back(option.name);
  return Error{Code::kInvalidInput, fmt::format("unknown option {}", name),
               "the options are " + Join(names)};
}

}  // namespace assay
