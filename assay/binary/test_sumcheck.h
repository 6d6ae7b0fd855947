// What the tests of the sum-check read from testdata/binary.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "assay/binary/columns.h"
#include "assay/binary/proof.h"

namespace assay::binary {

inline constexpr const char* kForgedSums[] = {
    "bad_sum_n4_d1.bin", "bad_sum_n4_d2.bin", "bad_sum_n4_d3.bin",
    "bad_sum_n4_d5.bin"};
inline constexpr const char* kScaledValues = "bad_scaled_evals_n4_d2.bin";

// Of every degree, at most eleven variables.
inline constexpr const char* kSmallFiles[] = {
    "sc_n1_d1.bin", "sc_n2_d6.bin",  "sc_n3_d2.bin",  "sc_n5_d4.bin",
    "sc_n8_d3.bin", "sc_n11_d1.bin", "sc_n11_d5.bin", "sc_n11_d2.bin"};

inline std::vector<std::byte> ReadSumcheckBytes(const std::string& name) {
  std::ifstream file(ASSAY_TESTDATA "/binary/sumcheck/" + name,
                     std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline nlohmann::json ReadSumcheckVectors(const std::string& name) {
  std::ifstream file(ASSAY_TESTDATA "/binary/sumcheck/" + name);
  EXPECT_TRUE(file.good()) << name;
  return nlohmann::json::parse(file);
}

inline std::string HexText(std::span<const uint8_t> bytes) {
  std::string text;
  for (const uint8_t byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}
inline std::string HexText(Gf2_128 x) {
  std::array<uint8_t, 16> bytes;
  x.ToBytes(bytes);
  return HexText(bytes);
}

// The columns that a reference file is about.
inline std::unique_ptr<Columns> ColumnsOf(const Proof& proof) {
  const auto seed = SeedOf(proof.statement.context);
  EXPECT_TRUE(seed.has_value());
  return SeedColumns(seed.value_or(0), proof.statement.n, proof.statement.d);
}

}  // namespace assay::binary
