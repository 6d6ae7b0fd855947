// Stars end commands, percent signs enclose the extended ones.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/gerber_lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace assay::planar {

Result<std::vector<GerberCommand>> SplitGerber(std::string_view text,
                                               const std::string& file) {
  std::vector<GerberCommand> commands;
  GerberCommand command;
  size_t line = 1;
  bool extended = false;
  size_t opened = 0;  // the line of the `%` that opened
  const auto corrupt = [&](size_t where, std::string what) {
    return Error{Code::kCorrupt, fmt::format("{}:{}: {}", file, where, what),
                 "is this a Gerber RS-274X file?"};
  };
  for (const char c : text) {
    if (c == '\n') ++line;
    if (c == '\n' || c == '\r') continue;
    if (c == '%') {
      if (!command.text.empty()) {
        return corrupt(line, "a % inside a command that no * has ended");
      }
      extended = !extended;
      opened = line;
    } else if (c == '*') {
      if (command.text.empty()) command.line = line;
      command.extended = extended;
      commands.push_back(std::exchange(command, {}));
    } else {
      if (command.text.empty()) {
        if (c == ' ' || c == '\t') continue;
        command.line = line;
      }
      command.text += c;
    }
  }
  if (!command.text.empty()) {
    return corrupt(command.line,
                   fmt::format("no * ends \"{}\"", command.text.substr(0, 20)));
  }
  if (extended) return corrupt(opened, "no second % closes this one");
  return commands;
}

std::optional<std::vector<GerberWord>> GerberWords(std::string_view text) {
  constexpr ptrdiff_t kMostDigits = 12;
  std::vector<GerberWord> words;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    GerberWord word;
    word.letter = *at++;
    if (word.letter < 'A' || word.letter > 'Z') return {};
    if (end - at >= 2 && at[0] == '+' && at[1] != '-') ++at;
    const auto [stop, code] = std::from_chars(at, end, word.value);
    if (code != std::errc() || stop - at > kMostDigits) return {};
    at = stop;
    words.push_back(word);
  }
  return words;
}

std::optional<std::vector<double>> GerberNumbers(std::string_view text) {
  std::vector<double> numbers;
  while (true) {
    const std::string_view item = text.substr(0, text.find('X'));
    const bool plus = item.starts_with('+') && !item.starts_with("+-");
    double value = 0;
    const auto [stop, code] =
        std::from_chars(item.data() + (plus ? 1 : 0), item.data() + item.size(),
                        value, std::chars_format::fixed);
    if (code != std::errc() || stop != item.data() + item.size() ||
        !std::isfinite(value)) {
      return {};
    }
    numbers.push_back(value);
    if (item.size() == text.size()) return numbers;
    text.remove_prefix(item.size() + 1);
  }
}

}  // namespace assay::planar
