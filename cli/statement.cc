// Statements written as JSON, read strictly, and compared with a proof.
// SPDX-License-Identifier: Apache-2.0
#include "cli/statement.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <span>
#include <utility>

#include "assay/base/files.h"
#include "assay/base/text.h"
#include "cli/elements.h"
#include "cli/whir_options.h"

namespace assay::cli {
namespace {

constexpr std::string_view kFormat = "assay whir statement 1";
constexpr uint64_t kMaxFileBytes = uint64_t{64} << 20;

constexpr std::array<std::pair<std::string_view, Statement::Points>, 3>
    kPointsFrom = {{{"seed", Statement::Points::kSeed},
                    {"file", Statement::Points::kFile},
                    {"transcript", Statement::Points::kTranscript}}};

Error Invalid(std::string what) {
  return Error{Code::kInvalidInput, std::move(what),
               "assay prove --statement FILE writes one"};
}

Json PointsJson(const std::vector<whir::Point>& points) {
  Json json = Json::array();
  for (const whir::Point& point : points) json.push_back(ElementsJson(point));
  return json;
}

Result<uint64_t> SeedOf(const Json& json) {
  if (json.is_number_unsigned()) return json.get<uint64_t>();
  if (json.is_string()) return ParseUnsigned(json.get<std::string>());
  return Invalid("seed is no whole number");
}

// Counts that have to agree with the parameters.
Status CheckShape(const Statement& s) {
  const auto count = static_cast<size_t>(s.parameters.points);
  const bool drawn = s.points_from == Statement::Points::kTranscript;
  if (drawn != (s.parameters.mode == whir::Mode::kDrawn)) {
    return Invalid("points_from does not fit the mode");
  }
  if (s.points.size() != (drawn ? 0 : count)) {
    return Invalid(fmt::format("{} points are listed; the parameters say {}",
                               s.points.size(), drawn ? 0 : count));
  }
  if (s.values.size() != count) {
    return Invalid(fmt::format("{} values are listed; the parameters say {}",
                               s.values.size(), count));
  }
  return {};
}

}  // namespace

Statement StatementOf(const whir::ProofFile& file, Statement::Points from,
                      std::vector<whir::Point> points, Json source) {
  return {file.parameters,   file.seed,        from,
          std::move(points), file.proof.evals, file.proof.commitment,
          std::move(source)};
}

std::string StatementText(const Statement& s) {
  Json json;
  json["format"] = kFormat;
  json["parameters"] = ParametersJson(s.parameters);
  // As text: readers in JavaScript would round a 64-bit number.
  json["seed"] = std::to_string(s.seed);
  for (const auto& [name, from] : kPointsFrom) {
    if (from == s.points_from) json["points_from"] = name;
  }
  json["points"] = PointsJson(s.points);
  json["values"] = ElementsJson(s.values);
  json["commitment"] = DigestJson(s.commitment);
  json["source"] = s.source;
  return DumpJson(json);
}

Result<Statement> ParseStatement(std::string_view text) {
  ASSAY_ASSIGN(json, ParseJson(text));
  if (!json.is_object()) return Invalid("the statement is no JSON object");
  for (const char* key : {"format", "parameters", "seed", "points_from",
                          "points", "values", "commitment"}) {
    if (!json.contains(key)) {
      return Invalid(fmt::format("the statement has no \"{}\"", key));
    }
  }
  if (json["format"] != kFormat) {
    return Invalid(fmt::format("the statement's format is {}, not \"{}\"",
                               json["format"].dump(), kFormat));
  }
  Statement s;
  ASSAY_ASSIGN(parameters, ParametersFromJson(json["parameters"]));
  s.parameters = parameters;
  ASSAY_ASSIGN(seed, SeedOf(json["seed"]));
  s.seed = seed;
  bool known = false;
  for (const auto& [name, from] : kPointsFrom) {
    if (json["points_from"] != name) continue;
    s.points_from = from;
    known = true;
  }
  if (!known) return Invalid("points_from is not seed, file or transcript");
  if (!json["points"].is_array()) return Invalid("points is no list");
  for (const Json& point : json["points"]) {
    ASSAY_ASSIGN(coordinates, ElementsFromJson(point));
    if (coordinates.size() != static_cast<size_t>(parameters.n)) {
      return Invalid(fmt::format("a point has {} coordinates, not n={}",
                                 coordinates.size(), parameters.n));
    }
    s.points.push_back(coordinates);
  }
  ASSAY_ASSIGN(values, ElementsFromJson(json["values"]));
  s.values = values;
  ASSAY_ASSIGN(commitment, DigestFromJson(json["commitment"]));
  s.commitment = commitment;
  if (json.contains("source")) s.source = json["source"];
  ASSAY_TRY(CheckShape(s));
  return s;
}

Result<Statement> ReadStatement(const std::string& path) {
  ASSAY_ASSIGN(bytes, ReadFile(path, kMaxFileBytes));
  Result<Statement> statement = ParseStatement(AsText(bytes));
  if (statement.ok()) return statement;
  Error error = statement.error();
  error.what = fmt::format("{}: {}", path, error.what);
  return error;
}

std::string StatementMismatch(const whir::ProofFile& file, const Statement& s) {
  const std::string parameters =
      ParametersDifference(file.parameters, s.parameters);
  if (!parameters.empty()) return "parameters: " + parameters;
  if (file.seed != s.seed) {
    return fmt::format("seed: it is {}, not {}", file.seed, s.seed);
  }
  if (file.proof.commitment != s.commitment) {
    return fmt::format("commitment: it is {}, not {}",
                       DigestText(file.proof.commitment),
                       DigestText(s.commitment));
  }
  if (file.proof.evals.size() != s.values.size()) {
    return fmt::format("values: there are {}, not {}", file.proof.evals.size(),
                       s.values.size());
  }
  for (size_t i = 0; i < s.values.size(); ++i) {
    if (file.proof.evals[i] == s.values[i]) continue;
    return fmt::format("values: at point {} it is {}, not {}", i,
                       ElementText(file.proof.evals[i]),
                       ElementText(s.values[i]));
  }
  if (s.points_from == Statement::Points::kSeed) {
    const std::vector<whir::Point> points =
        whir::SeedPoints(s.seed, s.parameters.n, s.parameters.points);
    if (points != s.points) {
      return fmt::format("points: they are not those of seed {}", s.seed);
    }
  }
  return "";
}

std::string SeedMismatch(const whir::ProofFile& file,
                         const Statement* statement, bool* binds_nothing) {
  *binds_nothing = false;
  const bool drawn = file.parameters.mode == whir::Mode::kDrawn;
  if (file.seed == 0) return "";
  if (statement != nullptr) {
    if (!drawn && statement->points_from == Statement::Points::kSeed) return "";
    const Json& source = statement->source;
    const Json kind =
        source.is_object() && source.contains("kind") ? source["kind"] : Json();
    if (kind == "evals" || kind == "input") {
      return fmt::format(
          "it is {}, but must be 0: neither the data nor the points of the "
          "statement come from a seed",
          file.seed);
    }
    if (kind == "seed" && source.contains("seed")) {
      const Result<uint64_t> seed = SeedOf(source["seed"]);
      if (seed.ok() && *seed == file.seed) return "";
    }
  }
  if (!drawn) return "";
  *binds_nothing = true;
  return fmt::format(
      "seed {} binds nothing here: the transcript draws the points, and the "
      "data could be the instance of seed {} or any other; --statement names "
      "the data",
      file.seed, file.seed);
}

}  // namespace assay::cli
