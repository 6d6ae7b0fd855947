// Laws of Keccak-256.
// SPDX-License-Identifier: Apache-2.0
#include "assay/hash/keccak256.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace assay {
namespace {

std::string Hex(const Keccak256Hash& hash) {
  std::string hex;
  for (const uint8_t byte : hash) hex += fmt::format("{:02x}", byte);
  return hex;
}

TEST(Keccak256, HashesPublishedVectors) {
  std::ifstream file(ASSAY_TESTDATA "/whir/domain_separators.json");
  const auto vectors = nlohmann::json::parse(file);
  for (const auto& vector : vectors["keccak256"]) {
    EXPECT_EQ(Hex(Keccak256(vector["in"].get<std::string>())),
              vector["out"].get<std::string>());
  }
  const auto& tags = vectors["algebra_id"];
  EXPECT_EQ(Hex(Keccak256(tags["base"].get<std::string>())),
            tags["base_keccak256"].get<std::string>());
  EXPECT_EQ(Hex(Keccak256(tags["ext"].get<std::string>())),
            tags["ext_keccak256"].get<std::string>());
}

// Hashes of runs of 'a' at the edges of a block, by pycryptodome's
// Crypto.Hash.keccak.
TEST(Keccak256, PadsAtTheEdgesOfABlock) {
  EXPECT_EQ(Hex(Keccak256(std::string(135, 'a'))),
            "34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446");
  EXPECT_EQ(Hex(Keccak256(std::string(136, 'a'))),
            "a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e");
  EXPECT_EQ(Hex(Keccak256(std::string(137, 'a'))),
            "d869f639c7046b4929fc92a4d988a8b22c55fbadb802c0c66ebcd484f1915f39");
}

}  // namespace
}  // namespace assay
