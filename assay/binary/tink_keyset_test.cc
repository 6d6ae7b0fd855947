// Tink's own text of a keyset.
// SPDX-License-Identifier: Apache-2.0
#include "assay/binary/tink_keyset.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <numeric>

namespace assay::binary {
namespace {

std::string ValueOf(std::span<const uint8_t, 32> key, SegmentSize segment) {
  const auto json = nlohmann::json::parse(TinkKeyset(key, segment));
  return json["key"][0]["keyData"]["value"];
}

// As Tink 1.16.1 serialises it.
TEST(TinkKeyset, IsWhatTinkWrites) {
  std::array<uint8_t, 32> key;
  std::iota(key.begin(), key.end(), 0);
  EXPECT_EQ(ValueOf(key, SegmentSize::k4KB),
            "EgcIgCAQIBgDGiAAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHw==");
  EXPECT_EQ(ValueOf(key, SegmentSize::k1MB),
            "EggIgIBAECAYAxogAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");
}

// Every letter of base64 in its place: sextets count up inside the key, which
// in the form with 1 MiB starts with a group of three bytes.
TEST(TinkKeyset, HasEveryLetter) {
  const std::string letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (unsigned first = 0; first < 64; first += 16) {
    std::array<uint8_t, 32> key = {};
    for (unsigned i = 0; i < 16; ++i) {
      for (unsigned bit = 0; bit < 6; ++bit) {
        const unsigned at = 6 * i + bit;
        key[at / 8] |= static_cast<uint8_t>(((first + i) >> (5 - bit) & 1)
                                            << (7 - at % 8));
      }
    }
    EXPECT_NE(ValueOf(key, SegmentSize::k1MB).find(letters.substr(first, 16)),
              std::string::npos)
        << first;
  }
}

}  // namespace
}  // namespace assay::binary
