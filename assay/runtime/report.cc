// Attributes the time of spans to steps.
// SPDX-License-Identifier: Apache-2.0
#include "assay/runtime/report.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace assay {
namespace {

// The time of each span without that of the spans inside it.
std::vector<int64_t> OwnTimes(std::span<const Span> spans) {
  std::vector<size_t> order(spans.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (spans[a].start_ns != spans[b].start_ns) {
      return spans[a].start_ns < spans[b].start_ns;
    }
    return spans[a].duration_ns > spans[b].duration_ns;
  });
  std::vector<int64_t> own(spans.size());
  std::vector<size_t> open;
  const auto end = [&](size_t i) {
    return spans[i].start_ns + spans[i].duration_ns;
  };
  for (const size_t i : order) {
    own[i] = spans[i].duration_ns;
    while (!open.empty() && end(open.back()) <= spans[i].start_ns) {
      open.pop_back();
    }
    if (!open.empty()) own[open.back()] -= spans[i].duration_ns;
    open.push_back(i);
  }
  for (int64_t& time : own) time = std::max<int64_t>(time, 0);
  return own;
}

}  // namespace

std::vector<Step> StepTable(std::span<const Span> spans,
                            std::span<const StepRule> rules, double total_ms) {
  std::vector<Step> steps;
  const auto row = [&](std::string_view name) -> Step& {
    for (Step& step : steps) {
      if (step.name == name) return step;
    }
    return steps.emplace_back(Step{.name = std::string(name)});
  };
  for (const StepRule& rule : rules) row(rule.step);

  const std::vector<int64_t> own = OwnTimes(spans);
  double counted_ms = 0;
  for (size_t i = 0; i < spans.size(); ++i) {
    const auto rule = std::find_if(
        rules.begin(), rules.end(),
        [&](const StepRule& r) { return spans[i].name.starts_with(r.prefix); });
    if (rule == rules.end()) continue;
    const double ms = static_cast<double>(own[i]) / 1e6;
    row(rule->step).ms += ms;
    counted_ms += ms;
  }
  row("other").ms += std::max(0.0, total_ms - counted_ms);
  for (Step& step : steps) {
    step.share = total_ms > 0 ? step.ms / total_ms : 0;
  }
  return steps;
}

}  // namespace assay
