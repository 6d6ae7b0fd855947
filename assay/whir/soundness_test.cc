// Laws of the parameter derivation.
// SPDX-License-Identifier: Apache-2.0
#include "assay/whir/soundness.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "assay/whir/test_vectors.h"

namespace assay::whir {
namespace {

using Numbers = std::vector<int>;

std::vector<std::string> Split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    parts.push_back(part);
  }
  return parts;
}

Numbers Group(const std::string& text) {
  Numbers numbers;
  for (const std::string& part : Split(text, ',')) {
    numbers.push_back(std::stoi(part));
  }
  return numbers;
}

// The groups of tools/make_vectors.py.
std::vector<Numbers> Groups(const Schedule& schedule) {
  const Final& final = schedule.final;
  int rate = schedule.parameters.rate;
  if (!schedule.rounds.empty()) rate = schedule.rounds.back().rate;
  std::vector<Numbers> groups = {
      {schedule.commitment_ood, schedule.starting_fold_pow},
      {final.variables, final.query_bits, rate, final.queries, final.draws,
       final.pow, final.fold_pow}};
  for (const Round& round : schedule.rounds) {
    groups.push_back({round.variables, round.query_bits, round.rate,
                      round.queries, round.ood, round.pow, round.fold_pow});
  }
  return groups;
}

Parameters ParametersOf(const Numbers& numbers) {
  Parameters p;
  p.n = numbers[0];
  p.fold = numbers[1];
  p.rate = numbers[2];
  p.reduction = numbers[3];
  p.soundness = static_cast<Soundness>(numbers[4]);
  p.security = numbers[5];
  p.pow = numbers[6];
  p.points = numbers[7];
  return p;
}

TEST(Derive, AgreesWithThePeerOn4320Configurations) {
  std::ifstream file(ASSAY_TESTDATA "/whir/configs.csv");
  int configurations = 0;
  int infeasible = 0;
  for (std::string line; std::getline(file, line); ++configurations) {
    const std::vector<std::string> parts = Split(line, ';');
    const Result<Schedule> schedule = Derive(ParametersOf(Group(parts[0])));
    if (parts[1] == "-") {
      ++infeasible;
      ASSERT_FALSE(schedule.ok()) << line;
      EXPECT_EQ(schedule.error().code, Code::kUnsupported) << line;
      EXPECT_FALSE(schedule.error().hint.empty()) << line;
      continue;
    }
    ASSERT_TRUE(schedule.ok()) << line << schedule.error().what;
    std::vector<Numbers> expected;
    for (size_t i = 1; i < parts.size(); ++i) {
      expected.push_back(Group(parts[i]));
    }
    ASSERT_EQ(Groups(*schedule), expected) << line;
  }
  EXPECT_EQ(configurations, 4320);
  EXPECT_EQ(infeasible, 1063);
}

Parameters Default(int n) {
  Parameters p;
  p.n = n;
  return p;
}

TEST(Derive, FoldsAndDomainsAddUp) {
  for (int n = 1; n <= 24; ++n) {
    for (int fold = 1; fold <= std::min(n, 6); ++fold) {
      Parameters p = Default(n);
      p.fold = fold;
      p.security = 60;
      const Result<Schedule> schedule = Derive(p);
      ASSERT_TRUE(schedule.ok()) << n << ' ' << fold;
      int folded = schedule->first_fold;
      int log_domain = schedule->log_domain;
      for (const Round& round : schedule->rounds) {
        EXPECT_EQ(round.variables, n - folded);
        EXPECT_EQ(round.log_domain, log_domain - 1);
        EXPECT_EQ(round.log_domain, round.variables + round.rate);
        folded += round.fold;
        log_domain = round.log_domain;
      }
      EXPECT_EQ(folded + schedule->final.variables, n);
      EXPECT_LE(schedule->final.variables, 6);
    }
  }
}

TEST(Derive, SmallestFeasibleGrindingIsThePapersTable) {
  // docs/engines/whir.md, section 7: fold 4, rate 1, 90 bits, n = 16 to 26.
  const int variables[] = {16, 18, 20, 21, 22, 23, 24, 25, 26};
  const int johnson[] = {0, 2, 6, 7, 8, 11, 12, 13, 14};
  for (size_t i = 0; i < std::size(variables); ++i) {
    Parameters p = Default(variables[i]);
    p.pow = johnson[i];
    EXPECT_TRUE(Derive(p).ok()) << p.n;
    if (p.pow == 0) continue;
    --p.pow;
    const Result<Schedule> schedule = Derive(p);
    ASSERT_FALSE(schedule.ok()) << p.n;
    EXPECT_NE(schedule.error().hint.find("--pow " + std::to_string(johnson[i])),
              std::string::npos)
        << schedule.error().hint;
  }
}

TEST(Derive, ExplicitRatesReplaceTheReduction) {
  Parameters reduced = Default(16);
  reduced.reduction = 3;
  const Schedule by_reduction = *Derive(reduced);
  Parameters explicit_rates = Default(16);
  for (const Round& round : by_reduction.rounds) {
    explicit_rates.round_rates.push_back(round.rate);
  }
  const Schedule by_rates = *Derive(explicit_rates);
  EXPECT_EQ(Groups(by_rates), Groups(by_reduction));
}

TEST(Derive, DefaultReductionIsWrittenAsZero) {
  Parameters p = Default(16);
  p.reduction = 1;
  EXPECT_EQ(Derive(p)->parameters, Default(16));
  p = Default(8);
  p.reduction = 3;
  EXPECT_EQ(Derive(p)->parameters.reduction, 0);
  p = Default(16);
  p.reduction = 2;
  EXPECT_EQ(Derive(p)->parameters.reduction, 2);
}

TEST(Derive, ProfileChangesTheFieldBits) {
  Parameters p = Default(20);
  p.pow = 6;
  EXPECT_TRUE(Derive(p).ok());
  EXPECT_FALSE(Derive(p, kProfile090).ok());
  p.pow = 8;
  EXPECT_TRUE(Derive(p, kProfile090).ok());
}

struct BadCase {
  const char* law;
  void (*spoil)(Parameters&);
  Code code;
  const char* what;
  const char* hint;
};

class BadParameters : public testing::TestWithParam<BadCase> {};

TEST_P(BadParameters, AreNamedWithWhatWouldWork) {
  Parameters p = Default(20);
  GetParam().spoil(p);
  const Result<Schedule> schedule = Derive(p);
  ASSERT_FALSE(schedule.ok());
  const Error& error = schedule.error();
  EXPECT_EQ(error.code, GetParam().code) << error.what;
  EXPECT_NE(error.what.find(GetParam().what), std::string::npos) << error.what;
  EXPECT_NE(error.hint.find(GetParam().hint), std::string::npos) << error.hint;
}

constexpr Code kInput = Code::kInvalidInput;
constexpr Code kNone = Code::kUnsupported;

INSTANTIATE_TEST_SUITE_P(
    Derive, BadParameters,
    testing::Values(
        BadCase{"NoVariables", [](Parameters& p) { p.n = 0; }, kInput, "n is 0",
                "--n 1"},
        BadCase{"TooManyVariables", [](Parameters& p) { p.n = 41; }, kInput,
                "n is 41", "--n 40"},
        BadCase{"NoFold", [](Parameters& p) { p.fold = 0; }, kInput,
                "fold is 0", "--fold 1"},
        BadCase{"FoldAboveVariables",
                [](Parameters& p) { p.n = 3, p.fold = 4; }, kInput,
                "above the 3 variables", "--fold 3"},
        BadCase{"HugeFold", [](Parameters& p) { p.fold = 17; }, kInput,
                "fold is 17", "--fold 16"},
        BadCase{"NoRate", [](Parameters& p) { p.rate = 0; }, kInput,
                "rate is 0", "--rate 1"},
        BadCase{"NoPoints", [](Parameters& p) { p.points = 0; }, kInput,
                "points is 0", "--points 1"},
        BadCase{"TooManyPoints", [](Parameters& p) { p.points = 4097; }, kInput,
                "points is 4097", "--points 4096"},
        BadCase{"NegativeSecurity", [](Parameters& p) { p.security = -1; },
                kInput, "security is -1", "--security 1"},
        BadCase{"NegativePow", [](Parameters& p) { p.pow = -1; }, kInput,
                "pow is -1", "--pow 0"},
        BadCase{"HugePow", [](Parameters& p) { p.pow = 31; }, kInput,
                "pow is 31", "--pow 30"},
        BadCase{"HugeReduction", [](Parameters& p) { p.reduction = 5; }, kInput,
                "reduction is 5", "--reduction 4"},
        BadCase{"NegativeReduction", [](Parameters& p) { p.reduction = -1; },
                kInput, "reduction is -1", "--reduction 0"},
        BadCase{"TooFewRates", [](Parameters& p) { p.round_rates = {4}; },
                kInput, "1 explicit rates for 3 rounds", "one rate a round"},
        BadCase{"RateTooHigh", [](Parameters& p) { p.round_rates = {6, 7, 7}; },
                kInput, "rate 6 of round 0", "rate 5"},
        BadCase{"RateTooLow", [](Parameters& p) { p.round_rates = {4, 0, 7}; },
                kInput, "rate 0 of round 1", "rate 1"},
        BadCase{"RatesAndReduction",
                [](Parameters& p) {
                  p.round_rates = {4, 7, 10};
                  p.reduction = 2;
                },
                kInput, "exclude each other", "reduction at 0"},
        BadCase{"DomainTooLarge",
                [](Parameters& p) {
                  p.n = 30, p.fold = 2;
                  p.soundness = Soundness::kUniqueDecoding;
                },
                kNone, "2^29 rows exceeds", "--fold 4"},
        BadCase{"LaterDomainTooLarge",
                [](Parameters& p) {
                  p.n = 40, p.fold = 16, p.rate = 3, p.security = 50;
                  p.soundness = Soundness::kUniqueDecoding;
                },
                kNone, "2^33 rows exceeds", ""},
        BadCase{"BudgetTooSmall", [](Parameters& p) { p.pow = 3; }, kNone,
                "need 6 bits of grinding", "--pow 6"},
        BadCase{"RegimeTooWeak", [](Parameters& p) { p.n = 24, p.pow = 3; },
                kNone, "the budget is 3", "--soundness ud"},
        BadCase{"NothingLeftForQueries", [](Parameters& p) { p.security = 16; },
                kNone, "nothing for queries", "--pow 15"},
        BadCase{"ClaimsTooMany",
                [](Parameters& p) {
                  p.soundness = Soundness::kCapacityBound;
                  p.security = 100, p.pow = 30;
                },
                kNone, "initial claims leaves", "--soundness jb"}),
    [](const auto& test) { return std::string(test.param.law); });

}  // namespace
}  // namespace assay::whir
