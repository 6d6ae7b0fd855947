// What the tests of this room read from testdata/binary.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "assay/hash/sha256.h"

namespace assay {

inline nlohmann::json ReadBinaryVectors(const std::string& name) {
  std::ifstream file(ASSAY_TESTDATA "/binary/" + name);
  EXPECT_TRUE(file.good()) << name;
  return nlohmann::json::parse(file);
}

// The first `count` bytes of det(label, .), as testdata/binary/README.md says.
inline std::vector<std::byte> DerivedBytes(const std::string& label,
                                           size_t count) {
  std::vector<std::byte> bytes;
  for (uint32_t block = 0; bytes.size() < count; ++block) {
    std::vector<uint8_t> text(label.begin(), label.end());
    for (int i = 0; i < 4; ++i) {
      text.push_back(static_cast<uint8_t>(block >> (8 * i)));
    }
    const Sha256Hash hash = Sha256Of(text);
    const auto part = std::as_bytes(std::span(hash));
    bytes.insert(bytes.end(), part.begin(), part.end());
  }
  bytes.resize(count);
  return bytes;
}

inline std::string HexOf(std::span<const uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace assay
