// Parameters of a proof as JSON and in words.
// SPDX-License-Identifier: Apache-2.0
#include "cli/whir_options.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay::cli {
namespace {

// A table reads and writes the struct it was made from.
struct Table {
  explicit Table(const whir::Parameters& p) : parameters(p) {
    Describe(table, parameters, kReaderLimits);
  }
  whir::Parameters parameters;
  OptionTable table;
};

std::string Text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

}  // namespace

Json ParametersJson(const whir::Parameters& parameters) {
  const Table t(parameters);
  Json json = Json::object();
  for (const Option& option : t.table.options()) {
    if (option.kind == Option::Kind::kInt) {
      json[option.name] = std::stoll(option.get());
    } else {
      json[option.name] = option.get();
    }
  }
  return json;
}

Result<whir::Parameters> ParametersFromJson(const Json& json) {
  if (!json.is_object()) {
    return Error{Code::kInvalidInput, "the parameters are no JSON object", ""};
  }
  Table t(whir::Parameters{});
  for (const auto& [name, value] : json.items()) {
    ASSAY_TRY(t.table.Set(name, Text(value)));
  }
  for (const Option& option : t.table.options()) {
    if (!json.contains(option.name)) {
      return Error{Code::kInvalidInput,
                   fmt::format("the parameter {} is missing", option.name), ""};
    }
  }
  return t.parameters;
}

std::string ParametersDifference(const whir::Parameters& found,
                                 const whir::Parameters& expected) {
  const Table a(found);
  const Table b(expected);
  std::string text;
  for (const Option& option : a.table.options()) {
    const std::string wanted = b.table.Find(option.name)->get();
    if (option.get() == wanted) continue;
    if (!text.empty()) text += "; ";
    text += fmt::format("{} is {}, not {}", option.name, option.get(), wanted);
  }
  return text;
}

std::string RegimeName(whir::Soundness soundness) {
  whir::Parameters parameters;
  parameters.soundness = soundness;
  return Table(parameters).table.Find("soundness")->get();
}

bool IsProven(whir::Soundness soundness) {
  return soundness != whir::Soundness::kCapacityBound;
}

std::string RegimeWords(whir::Soundness soundness) {
  switch (soundness) {
    case whir::Soundness::kUniqueDecoding:
      return "ud, unique decoding: a proven bound";
    case whir::Soundness::kJohnsonBound:
      return "jb, list decoding up to the Johnson bound: a proven bound";
    case whir::Soundness::kCapacityBound:
      return "cb, list decoding up to capacity: a conjecture, not proven";
  }
  return "unknown";
}

std::string SoundnessWords(const whir::Parameters& p) {
  return fmt::format(
      "{} bits for each error term, up to {} of them by grinding ({})",
      p.security, std::min(p.pow, p.security), RegimeWords(p.soundness));
}

std::string ParametersWords(const whir::Parameters& p) {
  const Table t(p);
  std::string text =
      fmt::format("n={}, fold {}, rate {}, {} point{} ({}), {} order", p.n,
                  p.fold, p.rate, p.points, p.points == 1 ? "" : "s",
                  t.table.Find("mode")->get(), t.table.Find("order")->get());
  if (p.reduction != 0) text += fmt::format(", reduction {}", p.reduction);
  return text;
}

}  // namespace assay::cli
