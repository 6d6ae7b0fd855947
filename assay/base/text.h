// Turns quantities into text that people read, and back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"

namespace assay {

// "512 B", "4.7 GiB": three digits at most before the unit, powers of 1024.
std::string HumanBytes(uint64_t bytes);
// The same, never less than `bytes`: for hints to be followed (ParseBytes).
std::string HumanBytesUp(uint64_t bytes);

// "870 ns", "1.25 ms", "12.3 s", "4 min 05 s".
std::string HumanTime(double seconds);

// Reads "4096", "8G", "512 MiB", "1.5GiB" (K, M, G, T are powers of 1024, case
// does not count). Fails with kInvalidInput.
Result<uint64_t> ParseBytes(std::string_view text);

// The parts between separators, one more than there are of these.
std::vector<std::string_view> Split(std::string_view text, char separator);

// Reads a whole decimal number, or a hexadecimal one after "0x". Fails with
// kInvalidInput on anything else, overflow included.
Result<int64_t> ParseInt(std::string_view text);
Result<uint64_t> ParseUnsigned(std::string_view text);

// Reads a finite decimal number: "0.5", "-3e-4". Fails with kInvalidInput.
Result<double> ParseReal(std::string_view text);

// Reads "2.4e9", "2.4GHz", "100 mhz", "1k" (k, M, G, T; "Hz" may follow;
// capitals are free where no milli can be meant). Fails with kInvalidInput,
// also below 0.
Result<double> ParseHertz(std::string_view text);

// `text` with the characters that JSON strings may not hold escaped, without
// the quotes. Bytes that are no UTF-8 become U+FFFD.
std::string EscapeJson(std::string_view text);

// `text` for a terminal: control characters as \x1b, the middle left out beyond
// `most` bytes. Names that others chose may hold anything.
std::string Printable(std::string_view text, size_t most = 1000);

// `text` with & < > " ' escaped, for HTML.
std::string EscapeHtml(std::string_view text);

}  // namespace assay
