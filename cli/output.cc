// Text and JSON on standard output, complaints on standard error.
// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace assay::cli {

int Fail(const Error& error) {
  fmt::print(stderr, "error: {}\n", error.what);
  if (!error.hint.empty()) fmt::print(stderr, "  hint: {}\n", error.hint);
  return kExitError;
}

void Warn(std::string_view text) { fmt::print(stderr, "warning: {}\n", text); }

void Print(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

int FinishOutput(int status) {
  // The help is written through the stream of C++.
  std::cout.flush();
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) {
    return status;
  }
  return Fail({Code::kIo, "the answer can not be written to standard output",
               "is the disk full, or the output closed?"});
}

void PrintRows(const std::vector<Row>& rows) {
  size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.first.size());
  for (const Row& row : rows) {
    Print(fmt::format("{:<{}}  {}\n", row.first, width, row.second));
  }
}

std::string DumpJson(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void PrintJson(const Json& json) { Print(DumpJson(json)); }

Json ErrorJson(const Error& error) {
  return {{"code", std::string(CodeName(error.code))},
          {"what", error.what},
          {"hint", error.hint}};
}

double RoundMs(double ms) { return std::round(ms * 1000) / 1000; }

}  // namespace assay::cli
