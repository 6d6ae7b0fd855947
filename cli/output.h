// Prints answers, warnings and errors the same way for every command.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "assay/base/result.h"

namespace assay::cli {

using Json = nlohmann::ordered_json;

inline constexpr int kExitOk = 0;
inline constexpr int kExitError = 1;
inline constexpr int kExitRejected = 2;

// A label and what is said about it.
using Row = std::pair<std::string, std::string>;

// "error: ..." and, where there is one, "  hint: ..." on stderr. Returns
// kExitError. After ErrorsAsJson also {"error": {...}} on stdout, unless the
// answer is there already.
int Fail(const Error& error);
void ErrorsAsJson();

// Text on stderr; a closed stderr loses it and nothing else.
void Complain(std::string_view text);

// Reads JSON from hostile hands: broken text gives a discarded value, deep
// nesting and repeated keys fail with kInvalidInput.
Result<Json> ParseJson(std::string_view text);

// "warning: ..." on stderr.
void Warn(std::string_view text);

// Text on stdout. What goes wrong is found by FinishOutput.
void Print(std::string_view text);
// The exit status: the one given, or an error where stdout took not all.
int FinishOutput(int status);

// Refuses (kInvalidInput) the name that means standard output elsewhere.
Status CheckNoStdout(std::string_view flag, const std::string& path);

// Two aligned columns on stdout.
void PrintRows(const std::vector<Row>& rows);

// One JSON document on stdout; bytes that are no UTF-8 are replaced.
void PrintJson(const Json& json);
std::string DumpJson(const Json& json);
// The same in one line: an answer of several documents, one a line.
void PrintLine(const Json& json);

// An Error for JSON output: {"code", "what", "hint"}.
Json ErrorJson(const Error& error);

// Milliseconds with three decimals, so that JSON stays readable.
double RoundMs(double ms);

}  // namespace assay::cli
