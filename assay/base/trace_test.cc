// Laws of traces: totals add up, and the file is JSON that a viewer reads.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/trace.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace assay {
namespace {

TEST(Trace, TotalsAddSpansOfOneNameLargestFirst) {
  Trace trace;
  trace.Add({"ntt.pass", "commit", 0, 10, "cpu"});
  trace.Add({"grind", "round 0", 10, 50, "cpu"});
  trace.Add({"ntt.pass", "round 0", 60, 30, "cpu"});
  const auto totals = trace.Totals();
  ASSERT_EQ(totals.size(), 2u);
  EXPECT_EQ(totals[0].name, "grind");
  EXPECT_EQ(totals[1].duration_ns, 40);
  EXPECT_EQ(totals[1].count, 2);
}

TEST(Trace, ChromeJsonHoldsEverySpanAndNamesEachDevice) {
  Trace trace;
  trace.Add({"odd \"name\"", "commit", 1500, 2500, "cpu"});
  trace.Add({"hash", "commit", 4000, 1000, "host"});
  const auto json = nlohmann::json::parse(trace.ToChromeJson());
  const auto& events = json["traceEvents"];
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[0]["name"], "odd \"name\"");
  EXPECT_DOUBLE_EQ(events[0]["ts"].get<double>(), 1.5);
  EXPECT_DOUBLE_EQ(events[0]["dur"].get<double>(), 2.5);
  EXPECT_EQ(events[1]["tid"], 1);
  EXPECT_EQ(events[3]["args"]["name"], "host");
}

TEST(Trace, AnEmptyTraceIsStillJson) {
  const auto json = nlohmann::json::parse(Trace().ToChromeJson());
  EXPECT_TRUE(json["traceEvents"].empty());
}

TEST(Trace, AScopeWithoutATraceIsFree) {
  const ScopedSpan span(nullptr, "name", "stage");
  Trace trace;
  {
    const ScopedSpan timed(&trace, "name", "stage");
  }
  ASSERT_EQ(trace.spans().size(), 1u);
  EXPECT_EQ(trace.spans()[0].device, "host");
  EXPECT_GE(trace.spans()[0].duration_ns, 0);
}

}  // namespace
}  // namespace assay
