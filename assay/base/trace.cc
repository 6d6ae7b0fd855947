// Sums spans by name and writes them as a Chrome trace.
// SPDX-License-Identifier: Apache-2.0
#include "assay/base/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "assay/base/text.h"

namespace assay {

std::vector<Trace::Total> Trace::Totals() const {
  std::vector<Total> totals;
  for (const Span& span : spans_) {
    const auto found =
        std::find_if(totals.begin(), totals.end(),
                     [&](const Total& t) { return t.name == span.name; });
    if (found == totals.end()) {
      totals.push_back({span.name, span.duration_ns, 1});
    } else {
      found->duration_ns += span.duration_ns;
      ++found->count;
    }
  }
  std::stable_sort(totals.begin(), totals.end(),
                   [](const Total& a, const Total& b) {
                     return a.duration_ns > b.duration_ns;
                   });
  return totals;
}

std::string Trace::ToChromeJson() const {
  // One row (tid) a device, in order of appearance. Times are microseconds.
  std::vector<std::string> devices;
  std::string out = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
  const char* comma = "";
  for (const Span& span : spans_) {
    const auto found = std::find(devices.begin(), devices.end(), span.device);
    const auto row = found - devices.begin();
    if (found == devices.end()) devices.push_back(span.device);
    fmt::format_to(std::back_inserter(out),
                   "{}\n{{\"name\":\"{}\",\"cat\":\"{}\",\"ph\":\"X\","
                   "\"ts\":{:.3f},\"dur\":{:.3f},\"pid\":1,\"tid\":{}}}",
                   comma, EscapeJson(span.name), EscapeJson(span.stage),
                   static_cast<double>(span.start_ns) / 1e3,
                   static_cast<double>(span.duration_ns) / 1e3, row);
    comma = ",";
  }
  for (size_t row = 0; row < devices.size(); ++row) {
    fmt::format_to(std::back_inserter(out),
                   "{}\n{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,"
                   "\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}",
                   comma, row, EscapeJson(devices[row]));
    comma = ",";
  }
  out += "\n]}\n";
  return out;
}

}  // namespace assay
