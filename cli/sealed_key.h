// Keys and additional data of sealed files, as users give them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/binary/seal_format.h"

namespace assay::cli {

// The bytes of a key file; wiped at their end.
struct KeyBytes {
  std::array<uint8_t, binary::kSealKeyBytes> bytes = {};

  KeyBytes() = default;
  ~KeyBytes();
  KeyBytes(const KeyBytes&) = default;
  KeyBytes& operator=(const KeyBytes&) = default;
};

// A file of 32 bytes, or of 64 hexadecimal digits and at most a line's end.
// Fails with kIo, and with kInvalidInput for any other contents, none of which
// the message shows.
Result<KeyBytes> ReadKeyFile(const std::string& path);

// Hexadecimal digits, two a byte. Fails with kInvalidInput.
Result<std::vector<uint8_t>> ParseHex(std::string_view name,
                                      std::string_view text);

}  // namespace assay::cli
