// Which kernels and host steps of a WHIR proof belong to which step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "assay/base/trace.h"
#include "assay/runtime/report.h"
#include "assay/runtime/runtime.h"
#include "cli/output.h"

namespace assay::cli {

// The only table of these names: the first prefix that fits counts.
inline constexpr std::array<StepRule, 8> kWhirSteps = {{
    {"ntt", "NTT"},
    {"merkle.leaves", "leaves"},
    {"merkle", "tree"},
    {"sumcheck", "sum-check"},
    {"fold", "sum-check"},
    {"weights", "weights"},
    {"grind", "grinding"},
    {"openings", "openings"},
}};

inline std::vector<Step> WhirSteps(const Trace& trace, double total_ms) {
  return StepTable(trace.spans(), kWhirSteps, total_ms);
}

inline Json StepsJson(const std::vector<Step>& steps) {
  Json json = Json::array();
  for (const Step& step : steps) {
    json.push_back({{"name", step.name},
                    {"ms", RoundMs(step.ms)},
                    {"share", RoundMs(step.share)}});
  }
  return json;
}

}  // namespace assay::cli
