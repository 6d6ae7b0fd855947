// Reads keys as raw bytes or as hexadecimal digits.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sealed_key.h"

#include <fmt/format.h>

#include <algorithm>

#include "assay/base/files.h"
#include "assay/base/secret.h"

namespace assay::cli {
namespace {

// The digit's value, or 16; without a table or a branch on the digit.
unsigned HexValue(unsigned c) {
  const auto inside = [c](unsigned low, unsigned high) {
    return 0u - (((c - low) >> 31 ^ 1u) & ((high - c) >> 31 ^ 1u));
  };
  const unsigned digit = inside('0', '9');
  const unsigned lower = inside('a', 'f');
  const unsigned upper = inside('A', 'F');
  return (digit & (c - '0')) | (lower & (c - 'a' + 10)) |
         (upper & (c - 'A' + 10)) | (~(digit | lower | upper) & 16);
}

// Whether all characters are digits; `bytes` are half as many.
bool FromDigits(std::span<const uint8_t> digits, std::span<uint8_t> bytes) {
  unsigned wrong = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const unsigned high = HexValue(digits[2 * i]);
    const unsigned low = HexValue(digits[2 * i + 1]);
    wrong |= (high | low) & 16;
    bytes[i] = static_cast<uint8_t>(high << 4 | (low & 15));
  }
  return wrong == 0;
}

}  // namespace

KeyBytes::~KeyBytes() { Wipe(bytes); }

Result<KeyBytes> ReadKeyFile(const std::string& path) {
  if (path.empty()) {
    return Error{Code::kInvalidInput, "there is no key",
                 "--key-file K; assay keygen --out K makes one"};
  }
  ASSAY_ASSIGN(file, ReadFile(path, 1 << 16));
  KeyBytes key;
  const std::span<const uint8_t> bytes(
      reinterpret_cast<const uint8_t*>(file.data()), file.size());
  std::span<const uint8_t> digits = bytes;
  while (!digits.empty() && digits.size() > 64 &&
         (digits.back() == '\n' || digits.back() == '\r')) {
    digits = digits.first(digits.size() - 1);
  }
  bool good = false;
  if (bytes.size() == key.bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), key.bytes.begin());
    good = true;
  } else if (digits.size() == 2 * key.bytes.size()) {
    good = FromDigits(digits, key.bytes);
  }
  Wipe(file.data(), file.size());
  if (good) return key;
  return Error{Code::kInvalidInput,
               fmt::format("{} holds no key: neither 32 bytes nor 64 "
                           "hexadecimal digits",
                           path),
               "assay keygen --out K makes one"};
}

Result<std::vector<uint8_t>> ParseHex(std::string_view name,
                                      std::string_view text) {
  std::vector<uint8_t> bytes(text.size() / 2);
  const std::span<const uint8_t> digits(
      reinterpret_cast<const uint8_t*>(text.data()), text.size());
  if (text.size() % 2 == 0 && FromDigits(digits, bytes)) return bytes;
  return Error{Code::kInvalidInput,
               fmt::format("{} takes pairs of hexadecimal digits", name), ""};
}

}  // namespace assay::cli
