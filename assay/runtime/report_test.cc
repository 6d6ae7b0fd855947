// What the table of steps counts, and that it counts nothing twice.
// SPDX-License-Identifier: Apache-2.0
#include "assay/runtime/report.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

constexpr StepRule kRules[] = {
    {"ntt.", "NTT"}, {"merkle.", "tree"}, {"merkle.leaves", "unreached"}};
constexpr int64_t kMs = 1000000;

double MsOf(const std::vector<Step>& steps, std::string_view name) {
  for (const Step& step : steps) {
    if (step.name == name) return step.ms;
  }
  return -1;
}

TEST(StepTable, FirstRuleThatFitsCounts) {
  const Span spans[] = {{"ntt.pass", "commit", 0, 2 * kMs, "cpu"},
                        {"merkle.leaves", "commit", 2 * kMs, 3 * kMs, "cpu"},
                        {"ntt.tail", "round", 5 * kMs, 1 * kMs, "cpu"}};
  const std::vector<Step> steps = StepTable(spans, kRules, 10);
  EXPECT_DOUBLE_EQ(MsOf(steps, "NTT"), 3);
  EXPECT_DOUBLE_EQ(MsOf(steps, "tree"), 3);
  EXPECT_DOUBLE_EQ(MsOf(steps, "unreached"), 0);
  EXPECT_DOUBLE_EQ(MsOf(steps, "other"), 4);
}

TEST(StepTable, SpanCountsWithoutSpansInsideIt) {
  const Span spans[] = {{"merkle.all", "commit", 0, 10 * kMs, "host"},
                        {"ntt.pass", "commit", 1 * kMs, 4 * kMs, "cpu"},
                        {"ntt.pass", "commit", 5 * kMs, 2 * kMs, "cpu"},
                        {"ntt.late", "commit", 10 * kMs, 1 * kMs, "cpu"}};
  const std::vector<Step> steps = StepTable(spans, kRules, 11);
  EXPECT_DOUBLE_EQ(MsOf(steps, "tree"), 4);
  EXPECT_DOUBLE_EQ(MsOf(steps, "NTT"), 7);
  EXPECT_DOUBLE_EQ(MsOf(steps, "other"), 0);
}

TEST(StepTable, SharesAddUpToOne) {
  const Span spans[] = {{"ntt.pass", "commit", 0, 3 * kMs, "cpu"},
                        {"unknown", "commit", 3 * kMs, 1 * kMs, "cpu"}};
  double sum = 0;
  for (const Step& step : StepTable(spans, kRules, 4)) sum += step.share;
  EXPECT_DOUBLE_EQ(sum, 1);
}

}  // namespace
}  // namespace assay
