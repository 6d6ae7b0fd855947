// Bytes that tests derive from labels, and bytes as hex.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/hash/sha256.h"

namespace assay {

// The first `size` bytes of SHA-256(label || u32le 0) || SHA-256(label ||
// u32le 1) || ...: what testdata/binary does not store.
inline std::vector<uint8_t> Derived(std::string_view label, size_t size) {
  std::vector<uint8_t> bytes;
  for (uint32_t count = 0; bytes.size() < size; ++count) {
    std::vector<uint8_t> block(label.begin(), label.end());
    for (int i = 0; i < 4; ++i) {
      block.push_back(static_cast<uint8_t>(count >> (8 * i)));
    }
    const Sha256Hash hash = Sha256Of(block);
    bytes.insert(bytes.end(), hash.begin(), hash.end());
  }
  bytes.resize(size);
  return bytes;
}

inline std::vector<uint8_t> FromHex(std::string_view hex) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(
        std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return bytes;
}

inline std::string ToHex(std::span<const uint8_t> bytes) {
  std::string hex;
  for (const uint8_t byte : bytes) hex += fmt::format("{:02x}", byte);
  return hex;
}

}  // namespace assay
