// Options described once: flags, JSON and help are made from the same table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "assay/base/result.h"

namespace assay {

// One option, bound to the member it sets.
struct Option {
  enum class Kind : uint8_t { kInt, kReal, kEnum, kText, kFlag, kBytes };

  std::string name;  // "fold": the flag is --fold, the JSON key "fold"
  Kind kind = Kind::kText;
  std::string help;
  std::vector<std::string> choices;  // kEnum: the names
  std::string range;                 // kInt, kReal: "1..6"; else empty

  // Parses, checks and stores. Fails with kInvalidInput, naming the option
  // and what it takes; the member then keeps its value.
  std::function<Status(std::string_view text)> set;
  // The member's value as text that `set` reads back.
  std::function<std::string()> get;
};

// Collects what a struct's Describe says about its members:
//
//   template <class V> void Describe(V& v, Options& o) {
//     v.Int("fold", o.fold, {1, 6}, "variables folded in one round");
//     v.Enum("soundness", o.soundness,
//            {{"ud", Soundness::kUniqueDecoding}, ...}, "regime of the
//            bounds");
//     v.Flag("no-verify", o.no_verify, "skip the check of one's own proof");
//     v.Bytes("memory", o.memory_bytes, "most device memory, e.g. 8GiB");
//   }
//
//   OptionTable table;
//   Describe(table, options);      // `options` must outlive the table
//   for (const Option& option : table.options()) ...
class OptionTable {
 public:
  struct Range {
    int64_t lo = 0;
    int64_t hi = std::numeric_limits<int64_t>::max();
  };

  // T: any integer type whose values fit the range.
  template <class T>
  void Int(std::string_view name, T& value, Range range,
           std::string_view help) {
    static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>);
    AddInt(
        name, range, help,
        [&value](int64_t parsed) { value = static_cast<T>(parsed); },
        [&value] { return static_cast<int64_t>(value); });
  }

  struct RealRange {
    double lo = 0;
    double hi = std::numeric_limits<double>::infinity();
  };

  // Both ends belong to the range. NaN never does.
  void Real(std::string_view name, double& value, RealRange range,
            std::string_view help);

  // E: any enumeration; the names are what users write.
  template <class E>
  void Enum(std::string_view name, E& value,
            std::initializer_list<std::pair<std::string_view, E>> names,
            std::string_view help) {
    std::vector<std::string> choices;
    std::vector<E> values;
    for (const auto& [choice, meaning] : names) {
      choices.emplace_back(choice);
      values.push_back(meaning);
    }
    AddEnum(
        name, std::move(choices), help,
        [&value, values](size_t index) { value = values[index]; },
        [&value, values] {
          size_t index = 0;
          while (index < values.size() && values[index] != value) ++index;
          return index;
        });
  }

  void Text(std::string_view name, std::string& value, std::string_view help);
  // "true", "false", "1", "0", "" (a flag that is merely named is true).
  void Flag(std::string_view name, bool& value, std::string_view help);
  // "8GiB" and the like; 0 means "as much as there is" where the help says so.
  void Bytes(std::string_view name, uint64_t& value, std::string_view help);

  const std::vector<Option>& options() const { return options_; }

  // The option of that name, or null.
  const Option* Find(std::string_view name) const;

  // Sets one option by name. Fails with kInvalidInput, also for a name that
  // the table does not hold; the hint then lists the names.
  Status Set(std::string_view name, std::string_view text) const;

 private:
  void AddInt(std::string_view name, Range range, std::string_view help,
              std::function<void(int64_t)> store,
              std::function<int64_t()> load);
  void AddEnum(std::string_view name, std::vector<std::string> choices,
               std::string_view help, std::function<void(size_t)> store,
               std::function<size_t()> load);

  std::vector<Option> options_;
};

}  // namespace assay
