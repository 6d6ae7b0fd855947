// Sums up a trace as a short table of steps with their shares.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/trace.h"

namespace assay {

// Spans whose name starts with `prefix` belong to `step`; the first rule that
// fits counts.
struct StepRule {
  std::string_view prefix;
  std::string_view step;
};

struct Step {
  std::string name;
  double ms = 0;
  double share = 0;  // of the whole, 0..1
};

// One row for each step of the rules in their order, then "other": what no
// rule or no span accounts for. A span counts without the spans inside it, so
// nothing counts twice. `total_ms` is the measured time of the whole.
std::vector<Step> StepTable(std::span<const Span> spans,
                            std::span<const StepRule> rules, double total_ms);

}  // namespace assay
