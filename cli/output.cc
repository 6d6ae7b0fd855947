// Text and JSON on standard output, complaints on standard error.
// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace assay::cli {

int Fail(const Error& error) {
  fmt::print(stderr, "error: {}\n", error.what);
  if (!error.hint.empty()) fmt::print(stderr, "  hint: {}\n", error.hint);
  return kExitError;
}

void Warn(std::string_view text) { fmt::print(stderr, "warning: {}\n", text); }

void PrintRows(const std::vector<Row>& rows) {
  size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.first.size());
  for (const Row& row : rows) {
    fmt::print("{:<{}}  {}\n", row.first, width, row.second);
  }
}

std::string DumpJson(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void PrintJson(const Json& json) { fmt::print("{}", DumpJson(json)); }

Json ErrorJson(const Error& error) {
  return {{"code", std::string(CodeName(error.code))},
          {"what", error.what},
          {"hint", error.hint}};
}

double RoundMs(double ms) { return std::round(ms * 1000) / 1000; }

}  // namespace assay::cli
