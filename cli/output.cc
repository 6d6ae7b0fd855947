// Text and JSON on standard output, complaints on standard error.
// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assay/base/text.h"

namespace assay::cli {

namespace {

// JSON nested deeper than this is nobody's policy, statement or point; the
// library's tree functions recurse.
constexpr int kMaxJsonDepth = 32;

bool errors_as_json = false;
bool json_printed = false;  // one document a run
bool failed = false;        // an error was told

}  // namespace

void Complain(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void ErrorsAsJson() { errors_as_json = true; }

int Fail(const Error& error) {
  failed = true;
  Complain(fmt::format("error: {}\n", Printable(error.what)));
  if (!error.hint.empty()) {
    Complain(fmt::format("  hint: {}\n", Printable(error.hint)));
  }
  if (errors_as_json && !json_printed) {
    PrintJson({{"error", ErrorJson(error)}});
  }
  return kExitError;
}

void Warn(std::string_view text) {
  Complain(fmt::format("warning: {}\n", Printable(text)));
}

Result<Json> ParseJson(std::string_view text) {
  bool too_deep = false;
  std::string repeated;
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) {
      keys.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      keys.pop_back();
    } else if (event == Json::parse_event_t::key) {
      const std::string key = value.get<std::string>();
      if (!keys.empty() && !keys.back().insert(key).second) repeated = key;
    }
    too_deep = too_deep || depth > kMaxJsonDepth;
    return depth <= kMaxJsonDepth;
  };
  Json json = Json::parse(text, watch, false);
  const auto invalid = [](std::string what) {
    return Error{Code::kInvalidInput, std::move(what), ""};
  };
  if (too_deep) {
    return invalid(
        fmt::format("the JSON is nested more than {} deep", kMaxJsonDepth));
  }
  if (!repeated.empty()) {
    return invalid(fmt::format("the JSON has the key \"{}\" twice", repeated));
  }
  return json;
}

void Print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int FinishOutput(int status) {
  // The help is written through the stream of C++.
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) {
    return status;
  }
  if (failed) return kExitError;
  return Fail({Code::kIo, "the answer can not be written to standard output",
               "is the disk full, or the output closed?"});
}

Status CheckNoStdout(std::string_view flag, const std::string& path) {
  if (path != "-") return {};
  return Error{Code::kInvalidInput,
               fmt::format("{} - : this does not go to standard output", flag),
               "name a file; one that is called - is ./-"};
}

void PrintRows(const std::vector<Row>& rows) {
  size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.first.size());
  for (const Row& row : rows) {
    // Names in them may be what others chose.
    Print(fmt::format("{:<{}}  {}\n", row.first, width,
                      Printable(row.second, SIZE_MAX)));
  }
}

std::string DumpJson(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void PrintJson(const Json& json) {
  json_printed = true;
  Print(DumpJson(json));
}

void PrintLine(const Json& json) {
  Print(json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Json ErrorJson(const Error& error) {
  return {{"code", std::string(CodeName(error.code))},
          {"what", error.what},
          {"hint", error.hint}};
}

double RoundMs(double ms) { return std::round(ms * 1000) / 1000; }

}  // namespace assay::cli
