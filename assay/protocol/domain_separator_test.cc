// Laws of the rendering and packing of seeds.
// SPDX-License-Identifier: Apache-2.0
#include "assay/protocol/domain_separator.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace assay {
namespace {

TEST(DomainSeparator, NumbersAreMostSignificantFirst) {
  EXPECT_EQ(BigEndian4(0x01020304), "\1\2\3\4");
  EXPECT_EQ(BigEndian8(0x0102030405060708), "\1\2\3\4\5\6\7\10");
}

TEST(DomainSeparator, PositionsArePaddedToTheLastOnesDigits) {
  SeedStep step;
  step.label = "x";
  step.length = kScalarLength;
  step.type = kOpaqueType;
  const std::string ten = RenderSteps(std::vector<SeedStep>(10, step));
  EXPECT_NE(ten.find("\n9 Atomic Message 1 x Scalar Opaque\n"),
            std::string::npos);
  const std::string eleven = RenderSteps(std::vector<SeedStep>(11, step));
  EXPECT_NE(eleven.find("\n09 Atomic"), std::string::npos);
  EXPECT_NE(eleven.find("\n10 Atomic"), std::string::npos);
}

TEST(DomainSeparator, BracketsIndentWhatTheyHold) {
  SeedStep begin = {SeedStep::Hierarchy::kBegin, SeedStep::Kind::kProtocol, "p",
                    kNoLength, kMarkerType};
  SeedStep end = begin;
  end.hierarchy = SeedStep::Hierarchy::kEnd;
  SeedStep step = {SeedStep::Hierarchy::kAtomic, SeedStep::Kind::kChallenge,
                   "query", FixedLength(3), UniformBitsType(7)};
  EXPECT_EQ(RenderSteps(std::vector<SeedStep>{begin, step, end}),
            "Plonky3 Fiat-Shamir Transcript (3 interactions)\n"
            "0 Begin Protocol 1 p None Marker\n"
            "1   Atomic Challenge 5 query Fixed(3) UniformBits(7)\n"
            "2 End Protocol 1 p None Marker\n");
}

// The commitment's seed is the one vector without layout and parameters, the
// others are compared by the schedules that make them in whir/seeds_test.cc.
TEST(DomainSeparator, PacksThreeBytesAnElement) {
  std::ifstream file(ASSAY_TESTDATA "/whir/domain_separators.json");
  const auto vector = nlohmann::json::parse(file)["separators"][0];
  DomainSeparator separator;
  separator.name = "p3-sumcheck-layout-commitment";
  SeedStep step;
  step.label = "commitment";
  step.length = kScalarLength;
  step.type = kOpaqueType;
  separator.steps = {step};
  EXPECT_EQ(RenderSteps(separator.steps),
            vector["pattern_text"].get<std::string>());
  std::vector<uint32_t> elements;
  for (const BabyBear x : SeedElements(separator)) {
    elements.push_back(x.Canonical());
  }
  EXPECT_EQ(elements, vector["absorbed"].get<std::vector<uint32_t>>());
}

}  // namespace
}  // namespace assay
