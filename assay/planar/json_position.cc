// A walk over text that a JSON parser has already accepted.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/json_position.h"

#include <algorithm>
#include <charconv>

namespace assay::planar {
namespace {

class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) { SkipBlanks(); }

  size_t at() const { return at_; }

  // Steps into member `name` of the object here. False, and no step, if
  // there is none.
  bool EnterMember(std::string_view name) {
    const size_t begin = at_;
    if (!Take('{')) return false;
    while (Peek() == '"') {
      const std::string_view found = SkipString();
      Take(':');
      if (found == name) return true;
      SkipValue();
      if (!Take(',')) break;
    }
    at_ = begin;
    return false;
  }

  bool EnterElement(size_t index) {
    const size_t begin = at_;
    if (!Take('[')) return false;
    while (at_ < text_.size() && Peek() != ']') {
      if (index-- == 0) return true;
      SkipValue();
      if (!Take(',')) break;
    }
    at_ = begin;
    return false;
  }

 private:
  char Peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void SkipBlanks() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
  }

  bool Take(char c) {
    if (Peek() != c) return false;
    ++at_;
    SkipBlanks();
    return true;
  }

  // The raw text between the quotes.
  std::string_view SkipString() {
    const size_t begin = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    at_ = std::min(at_, text_.size());
    const std::string_view raw = text_.substr(begin, at_ - begin);
    if (at_ < text_.size()) ++at_;
    SkipBlanks();
    return raw;
  }

  void SkipValue() {
    size_t depth = 0;
    do {
      const char c = Peek();
      if (c == '"') {
        SkipString();
        continue;
      }
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') --depth;
      if (depth == 0 && c != '}' && c != ']') {
        at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      } else {
        ++at_;
      }
      SkipBlanks();
    } while (depth > 0 && at_ < text_.size());
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

size_t LineOfOffset(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, offset);
  return 1 + static_cast<size_t>(std::ranges::count(before, '\n'));
}

size_t LineOfKey(std::string_view text, std::string_view key) {
  Walker walker(text);
  while (!key.empty()) {
    if (key.front() == '.') key.remove_prefix(1);
    if (key.starts_with('[')) {
      size_t index = 0;
      const size_t end = std::min(key.find(']'), key.size() - 1);
      if (end == 0) break;
      std::from_chars(key.data() + 1, key.data() + end, index);
      if (!walker.EnterElement(index)) break;
      key.remove_prefix(end + 1);
    } else {
      const size_t end = std::min(key.find_first_of(".["), key.size());
      if (!walker.EnterMember(key.substr(0, end))) break;
      key.remove_prefix(end);
    }
  }
  return LineOfOffset(text, walker.at());
}

}  // namespace assay::planar
