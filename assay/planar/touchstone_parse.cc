// A strict reader of what the writer writes, and of the like from others.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "assay/planar/touchstone.h"

namespace assay::planar {
namespace {

constexpr size_t kMostPorts = 256;

std::string Lower(std::string_view text) {
  std::string out;
  for (const unsigned char c : text) {
    out += static_cast<char>(std::tolower(c));
  }
  return out;
}

std::vector<std::string> Words(std::string_view line) {
  std::vector<std::string> words;
  const std::string_view blanks = " \t\r";
  for (;;) {
    const size_t begin = line.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return words;
    const size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    words.push_back(Lower(line.substr(begin, end - begin)));
    line.remove_prefix(end);
  }
}

std::optional<double> NumberOf(const std::string& word) {
  const char* begin = word.data() + (word.starts_with('+') ? 1 : 0);
  const char* end = word.data() + word.size();
  double value = 0;
  const auto [stop, code] = std::from_chars(begin, end, value);
  if (code != std::errc() || stop != end || !std::isfinite(value)) return {};
  return value;
}

std::optional<double> UnitOf(const std::string& word) {
  if (word == "hz") return 1;
  if (word == "khz") return 1e3;
  if (word == "mhz") return 1e6;
  if (word == "ghz") return 1e9;
  return {};
}

class Reader {
 public:
  explicit Reader(const std::string& name) : name_(name) {
    // The ports of a 1.x file are those of its suffix: .s2p.
    const size_t dot = name.rfind('.');
    if (dot == std::string::npos) return;
    const std::string suffix = Lower(name.substr(dot + 1));
    if (suffix.size() < 3 || suffix[0] != 's' || suffix.back() != 'p') return;
    const auto count = NumberOf(suffix.substr(1, suffix.size() - 2));
    if (count && *count >= 1 && *count <= kMostPorts) {
      ports_ = static_cast<size_t>(*count);
    }
  }

  Result<NetworkSweep> Read(std::string_view text) {
    while (!text.empty() && !ended_) {
      ++line_;
      const size_t end = std::min(text.find('\n'), text.size());
      std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      line = line.substr(0, line.find('!'));
      ASSAY_TRY(ReadLine(line));
    }
    return Finish();
  }

 private:
  Error Corrupt(std::string what) const {
    return Error{Code::kCorrupt,
                 fmt::format("{}:{}: {}", name_, line_, std::move(what)), ""};
  }

  Status ReadLine(std::string_view line) {
    const std::vector<std::string> words = Words(line);
    if (words.empty()) return {};
    if (words[0][0] == '[') return ReadKeyword(line);
    if (words[0][0] == '#') {
      if (has_options_) return {};  // later option lines do not count
      return ReadOptions(words);
    }
    if (!has_options_) return Corrupt("data before the option line");
    if (is_20_ && !in_data_) return Corrupt("data before [Network Data]");
    for (const std::string& word : words) {
      const auto number = NumberOf(word);
      if (!number) return Corrupt(fmt::format("\"{}\" is no number", word));
      numbers_.push_back(*number);
    }
    return {};
  }

  Status ReadOptions(const std::vector<std::string>& words) {
    has_options_ = true;
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "#" || word == "s") continue;
      if (const auto unit = UnitOf(word)) {
        unit_ = *unit;
      } else if (word == "ri" || word == "ma" || word == "db") {
        format_ = word;
      } else if (word == "r" && i + 1 < words.size()) {
        const auto number = NumberOf(words[++i]);
        if (!number || !(*number > 0)) return Corrupt("R without ohms");
        impedance_ = *number;
      } else {
        return Corrupt(fmt::format("\"{}\" is no option known here", word));
      }
    }
    return {};
  }

  Status ReadKeyword(std::string_view line) {
    const size_t close = line.find(']');
    if (close == std::string_view::npos) return Corrupt("[ without ]");
    const std::string keyword =
        Lower(line.substr(line.find('[') + 1, close - line.find('[') - 1));
    const auto words = Words(line.substr(close + 1));
    if (keyword == "end") {
      ended_ = true;
    } else if (keyword == "network data") {
      in_data_ = true;
    } else if (keyword == "reference") {
      for (const std::string& word : words) {
        const auto number = NumberOf(word);
        if (!number || !(*number > 0)) return Corrupt("no impedance");
        reference_.push_back(*number);
      }
    } else if (words.size() != 1) {
      return Corrupt(fmt::format("[{}] takes one value", keyword));
    } else if (keyword == "version") {
      if (words[0] != "2.0") return Corrupt("the version is not 2.0");
      is_20_ = true;
    } else if (keyword == "number of ports") {
      const auto number = NumberOf(words[0]);
      if (!number || !(*number >= 1) || !(*number <= kMostPorts)) {
        return Corrupt("no number of ports");
      }
      ports_ = static_cast<size_t>(*number);
    } else if (keyword == "number of frequencies") {
      frequencies_ = NumberOf(words[0]);
    } else if (keyword == "two-port data order") {
      rows_first_ = words[0] == "12_21";
    } else if (keyword != "matrix format" || words[0] != "full") {
      return Error{Code::kUnsupported,
                   fmt::format("{}:{}: [{}] {} is not read here", name_, line_,
                               keyword, words[0]),
                   "full matrices of S-parameters are"};
    }
    return {};
  }

  Complex ValueOf(double a, double b) const {
    if (format_ == "ri") return {a, b};
    const double magnitude = format_ == "ma" ? a : std::pow(10.0, a / 20);
    return std::polar(magnitude, b * std::numbers::pi / 180);
  }

  Result<NetworkSweep> Finish() {
    if (ports_ == 0) return Corrupt("neither suffix nor keyword says ports");
    if (is_20_ && !ended_) return Corrupt("[End] is missing");
    const size_t each = 1 + 2 * ports_ * ports_;
    if (numbers_.size() % each != 0) {
      return Corrupt(fmt::format("{} numbers are no whole matrices of {}",
                                 numbers_.size(), each));
    }
    NetworkSweep sweep;
    sweep.z0 = reference_;
    if (sweep.z0.empty()) sweep.z0.assign(ports_, impedance_);
    if (sweep.z0.size() != ports_)
      return Corrupt(
          "[Reference] has no value "
          "for each port");
    const size_t count = numbers_.size() / each;
    if (frequencies_ && *frequencies_ != static_cast<double>(count)) {
      return Corrupt(fmt::format("{} frequencies are there, {} were said",
                                 count, *frequencies_));
    }
    const bool columns = ports_ == 2 && !rows_first_;
    for (size_t k = 0; k < count; ++k) {
      const double* at = &numbers_[k * each];
      sweep.frequency_hz.push_back(*at++ * unit_);
      if (k > 0 && !(sweep.frequency_hz[k] > sweep.frequency_hz[k - 1])) {
        return Corrupt("the frequencies do not rise");
      }
      PortMatrix s(ports_);
      for (size_t i = 0; i < ports_; ++i) {
        for (size_t j = 0; j < ports_; ++j, at += 2) {
          (columns ? s(j, i) : s(i, j)) = ValueOf(at[0], at[1]);
        }
      }
      sweep.s.push_back(std::move(s));
    }
    return sweep;
  }

  const std::string& name_;
  size_t line_ = 0;
  size_t ports_ = 0;
  bool has_options_ = false, is_20_ = false, in_data_ = false, ended_ = false;
  bool rows_first_ = false;
  double unit_ = 1e9;  // what an empty option line means
  std::string format_ = "ma";
  double impedance_ = 50;
  std::vector<double> reference_;
  std::optional<double> frequencies_;
  std::vector<double> numbers_;
};

}  // namespace

Result<NetworkSweep> ParseTouchstone(std::string_view text,
                                     const std::string& name) {
  return Reader(name).Read(text);
}

}  // namespace assay::planar
