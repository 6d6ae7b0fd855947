// A value, or an error that says what was wrong and what would work.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace assay {

enum class Code : uint8_t {
  kInvalidInput,
  kOverBudget,
  kNoDevice,
  kDeviceLost,
  kUntrusted,
  kUnsupported,
  kCancelled,
  kCorrupt,
  kIo,
  kInternal,
};

// The code's name as users see it, e.g. "invalid input".
std::string_view CodeName(Code code);

struct Error {
  Code code = Code::kInternal;
  std::string what;  // one sentence: what was wrong
  std::string hint;  // what would work; may be empty
};

// Holds a T or an Error. Public functions return it and throw nothing.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}      // NOLINT: implicit
  Result(Error error) : state_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Preconditions: ok() for the first four, !ok() for error().
  T& operator*() { return *std::get_if<0>(&state_); }
  const T& operator*() const { return *std::get_if<0>(&state_); }
  T* operator->() { return std::get_if<0>(&state_); }
  const T* operator->() const { return std::get_if<0>(&state_); }
  const Error& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

// Success, or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}  // NOLINT: implicit

  bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace assay

// Returns the error of a Status or Result from the enclosing function.
#define ASSAY_TRY(expression)                          \
  do {                                                 \
    auto&& assay_try_ = (expression);                  \
    if (!assay_try_.ok()) return (assay_try_).error(); \
  } while (0)

// Declares `name` as the value of a Result, or returns its error.
#define ASSAY_ASSIGN(name, expression)                     \
  auto name##_result_ = (expression);                      \
  if (!name##_result_.ok()) return name##_result_.error(); \
  auto& name = *name##_result_
