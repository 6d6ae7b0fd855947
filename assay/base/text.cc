// Quantities as text: bytes, times, numbers, and strings made safe to embed.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

namespace assay {
namespace {

// Three significant digits, and no exponent below 1000.
std::string ThreeDigits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

// Bytes in the largest unit of which there are more than one.
template <class Round>
std::string InUnits(uint64_t bytes, const Round& round) {
  if (bytes < 1024) return fmt::format("{} B", bytes);
  constexpr std::array kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  while (value >= 1023.5 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  value = round(value);
  return value < 99.95 ? fmt::format("{:.1f} {}", value, kUnits[unit])
                       : fmt::format("{:.0f} {}", value, kUnits[unit]);
}

std::string_view Trim(std::string_view text) {
  const std::string_view blanks = " \t\r\n";
  const size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

template <class T>
Result<T> ParseWhole(std::string_view text) {
  const std::string_view trimmed = Trim(text);
  const bool hexadecimal =
      trimmed.starts_with("0x") || trimmed.starts_with("0X");
  const std::string_view digits = hexadecimal ? trimmed.substr(2) : trimmed;
  const char* end = digits.data() + digits.size();
  T value = 0;
  const auto [stop, failure] =
      std::from_chars(digits.data(), end, value, hexadecimal ? 16 : 10);
  if (failure != std::errc() || stop != end ||
      (hexadecimal && digits.front() == '-')) {
    return Error{Code::kInvalidInput,
                 fmt::format("\"{}\" is not a whole number{}", text,
                             failure == std::errc::result_out_of_range
                                 ? " that fits 64 bits"
                                 : ""),
                 ""};
  }
  return value;
}

// The length of the UTF-8 sequence that `text` starts with, 0 if none is.
size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  // Overlong forms, surrogates and values above U+10FFFF.
  if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
      (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) {
    return 0;
  }
  return length;
}

}  // namespace

std::string HumanBytes(uint64_t bytes) {
  return InUnits(bytes, [](double value) { return value; });
}

std::string HumanBytesUp(uint64_t bytes) {
  return InUnits(bytes, [](double value) {
    return value < 99.95 ? std::ceil(10 * value) / 10 : std::ceil(value);
  });
}

std::string HumanTime(double seconds) {
  if (!(seconds >= 0)) return "unknown";
  if (seconds < 999.5e-9) return fmt::format("{:.0f} ns", seconds * 1e9);
  if (seconds < 999.5e-6) return ThreeDigits(seconds * 1e6) + " us";
  if (seconds < 0.9995) return ThreeDigits(seconds * 1e3) + " ms";
  if (seconds < 59.95) return ThreeDigits(seconds) + " s";
  if (seconds > 1e15) return "forever";
  const auto whole = static_cast<uint64_t>(std::llround(seconds));
  if (whole < 3600) {
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  }
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

Result<uint64_t> ParseBytes(std::string_view text) {
  const Error failure{
      Code::kInvalidInput, fmt::format("\"{}\" is not a number of bytes", text),
      "write a number with K, M, G or T after it, e.g. 512M or 1.5GiB"};
  const std::string_view trimmed = Trim(text);
  double value = 0;
  const char* end = trimmed.data() + trimmed.size();
  const auto [stop, code] =
      std::from_chars(trimmed.data(), end, value, std::chars_format::fixed);
  if (code != std::errc() || !(value >= 0)) return failure;
  std::string unit;
  for (const char c : Trim({stop, static_cast<size_t>(end - stop)})) {
    unit += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  int shift = 0;
  if (!unit.empty() && unit != "b") {
    constexpr std::string_view kPrefixes = "kmgt";
    const size_t prefix = kPrefixes.find(unit.front());
    const std::string_view rest = std::string_view(unit).substr(1);
    if (prefix == std::string_view::npos ||
        !(rest.empty() || rest == "b" || rest == "ib")) {
      return failure;
    }
    shift = 10 * static_cast<int>(prefix + 1);
  }
  const double bytes = std::ldexp(value, shift);
  if (bytes >= 0x1p63) return failure;
  return static_cast<uint64_t>(bytes);
}

Result<double> ParseReal(std::string_view text) {
  const std::string_view trimmed = Trim(text);
  double value = 0;
  const char* end = trimmed.data() + trimmed.size();
  const auto [stop, code] = std::from_chars(trimmed.data(), end, value);
  if (code != std::errc() || stop != end || !std::isfinite(value)) {
    return Error{Code::kInvalidInput, fmt::format("\"{}\" is no number", text),
                 ""};
  }
  return value;
}

Result<double> ParseHertz(std::string_view text) {
  std::string_view number = Trim(text);
  // Capitals are free, but "mHz" is milli: only "mhz" can be no other slip.
  std::string_view mega = "M";
  for (const std::string_view unit : {"Hz", "hz", "HZ"}) {
    if (!number.ends_with(unit)) continue;
    number = Trim(number.substr(0, number.size() - unit.size()));
    if (unit == "hz") mega = "Mm";
    break;
  }
  double scale = 1;
  for (const auto& [letters, factor] :
       {std::pair<std::string_view, double>{"kK", 1e3},
        {mega, 1e6},
        {"Gg", 1e9},
        {"Tt", 1e12}}) {
    if (number.empty() || letters.find(number.back()) == letters.npos) continue;
    scale = factor;
    number = Trim(number.substr(0, number.size() - 1));
    break;
  }
  const Result<double> value = ParseReal(number);
  if (!value.ok() || *value < 0 || !std::isfinite(*value * scale)) {
    return Error{Code::kInvalidInput,
                 fmt::format("\"{}\" is not a frequency", text),
                 "write hertz, or k, M or G after the number: 2.4e9, 2.4GHz"};
  }
  return *value * scale;
}

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

Result<int64_t> ParseInt(std::string_view text) {
  return ParseWhole<int64_t>(text);
}

Result<uint64_t> ParseUnsigned(std::string_view text) {
  return ParseWhole<uint64_t>(text);
}

std::string EscapeJson(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    if (length == 0) {
      out += "\\ufffd";
      text.remove_prefix(1);
      continue;
    }
    const char c = text.front();
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (length == 1 && static_cast<uint8_t>(c) < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out;
}

std::string Printable(std::string_view text, size_t most) {
  std::string shown;
  const auto append = [&](std::string_view part) {
    while (!part.empty()) {
      // What is cut in half, or no UTF-8 at all, goes byte by byte.
      const size_t length = std::max<size_t>(Utf8Length(part), 1);
      const auto byte = static_cast<unsigned char>(part[0]);
      const bool c1 = length == 2 && byte == 0xc2 &&
                      static_cast<unsigned char>(part[1]) < 0xa0;
      if (c1) {
        shown += fmt::format("\\x{:02x}",
                             static_cast<int>(static_cast<uint8_t>(part[1])));
      } else if (length == 1 && (byte < 0x20 || byte >= 0x7f)) {
        shown += fmt::format("\\x{:02x}", static_cast<int>(byte));
      } else {
        shown += part.substr(0, length);
      }
      part.remove_prefix(length);
    }
  };
  if (text.size() <= most) {
    append(text);
    return shown;
  }
  append(text.substr(0, most / 2));
  shown += " ... ";
  append(text.substr(text.size() - most / 2));
  return shown;
}

std::string EscapeHtml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

}  // namespace assay
