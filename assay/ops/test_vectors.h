// What the tests of this room read from testdata/whir.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "assay/number/ext4.h"
#include "assay/ops/op.h"
#include "assay/ops/sumcheck/planes.h"

namespace assay {

inline nlohmann::json ReadVectors(const std::string& name) {
  std::ifstream file(ASSAY_TESTDATA "/whir/" + name);
  EXPECT_TRUE(file.good()) << name;
  return nlohmann::json::parse(file);
}

inline std::vector<BabyBear> BasesFromJson(const nlohmann::json& values) {
  std::vector<BabyBear> elements;
  for (const auto& value : values) {
    elements.push_back(BabyBear::From(value.get<uint32_t>()));
  }
  return elements;
}

inline Ext4 ExtFromJson(const nlohmann::json& values) {
  Ext4 x;
  for (size_t i = 0; i < 4; ++i) {
    x.c[i] = BabyBear::From(values[i].get<uint32_t>());
  }
  return x;
}

inline std::vector<Ext4> ExtsFromJson(const nlohmann::json& values) {
  std::vector<Ext4> elements;
  for (const auto& value : values) elements.push_back(ExtFromJson(value));
  return elements;
}

inline std::vector<BabyBear> RandomBases(uint64_t seed, size_t count) {
  return BaseFromWords(RandomResidues(seed, count));
}
inline std::vector<Ext4> RandomExts(uint64_t seed, size_t count) {
  return ExtFromWords(RandomResidues(seed, 4 * count));
}

}  // namespace assay
