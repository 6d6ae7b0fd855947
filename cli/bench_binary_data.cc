// Curves out of points, and points as lines of text.
// SPDX-License-Identifier: Apache-2.0
#include "cli/bench_binary_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "assay/base/text.h"

namespace assay::cli {
namespace {

constexpr std::string_view kHeader =
    "figure,curve,device,x,runs,median_s,least_s,most_s,host_s,moved_bytes,"
    "gb_s,roof_gb_s";

std::vector<std::string> FieldsOf(std::string_view line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

// Names hold no commas: see FieldsOf.
std::string Plain(std::string text) {
  std::replace(text.begin(), text.end(), ',', ';');
  return text;
}

// Puts a field into a point. False where it is no number and should be.
bool Put(std::string_view name, const std::string& field, BenchPoint& point) {
  for (const auto& [column, text] : {std::pair("figure", &point.figure),
                                     {"curve", &point.curve},
                                     {"device", &point.device}}) {
    if (name != column) continue;
    *text = field;
    return true;
  }
  double runs = 0;
  for (const auto& [column, number] : {std::pair("x", &point.x),
                                       {"runs", &runs},
                                       {"median_s", &point.median_s},
                                       {"least_s", &point.least_s},
                                       {"most_s", &point.most_s},
                                       {"host_s", &point.host_s},
                                       {"moved_bytes", &point.moved_bytes}}) {
    if (name != column) continue;
    const Result<double> parsed = ParseReal(field);
    if (!parsed.ok() || *parsed < 0 || *parsed > 1e18) return false;
    *number = *parsed;
    if (name == "runs") point.runs = static_cast<int>(std::min(runs, 1e9));
    return true;
  }
  return true;  // derived, or somebody's own
}

}  // namespace

std::vector<BenchCurve> CurvesOf(const BenchBinaryData& data) {
  std::vector<BenchCurve> curves;
  for (const BenchPoint& point : data.points) {
    const auto same = [&](const BenchCurve& curve) {
      return curve.figure == point.figure && curve.curve == point.curve &&
             curve.device == point.device;
    };
    auto found = std::find_if(curves.begin(), curves.end(), same);
    if (found == curves.end()) {
      curves.push_back({point.figure, point.curve, point.device, {}});
      found = curves.end() - 1;
    }
    found->points.push_back(&point);
  }
  for (BenchCurve& curve : curves) {
    std::stable_sort(
        curve.points.begin(), curve.points.end(),
        [](const BenchPoint* a, const BenchPoint* b) { return a->x < b->x; });
  }
  return curves;
}

std::string CurveName(const BenchCurve& curve) {
  if (curve.curve == curve.figure) return curve.device;
  std::string_view name = curve.curve;
  const std::string shared = curve.figure + ", ";
  if (name.starts_with(shared)) name.remove_prefix(shared.size());
  if (curve.device.empty()) return std::string(name);
  return fmt::format("{}, {}", curve.device, name);
}

std::string BenchCsv(const BenchBinaryData& data) {
  std::string csv = fmt::format("{}\n", kHeader);
  for (const BenchPoint& p : data.points) {
    csv += fmt::format("{},{},{},{:.0f},{},{:.4g},{:.4g},{:.4g},{:.4g},{:.0f},",
                       Plain(p.figure), Plain(p.curve), Plain(p.device), p.x,
                       p.runs, p.median_s, p.least_s, p.most_s, p.host_s,
                       p.moved_bytes);
    csv += p.OfBytes() ? fmt::format("{:.4g},", p.Rate() / 1e9) : ",";
    csv += p.roof > 0 ? fmt::format("{:.4g}\n", p.roof / 1e9) : "\n";
  }
  return csv;
}

Result<std::vector<BenchPoint>> ParseBenchCsv(std::string_view text) {
  const auto invalid = [](size_t line, std::string_view what) {
    return Error{Code::kInvalidInput, fmt::format("line {}: {}", line, what),
                 fmt::format("the columns are {}", kHeader)};
  };
  std::vector<BenchPoint> points;
  std::vector<std::string> names;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string> fields = FieldsOf(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (names.empty()) {
      names = fields;
      for (const char* needed : {"figure", "curve", "x", "median_s"}) {
        if (std::find(names.begin(), names.end(), needed) == names.end()) {
          return invalid(number, fmt::format("no column {}", needed));
        }
      }
      continue;
    }
    if (fields.size() == 1 && fields[0].empty()) continue;
    if (fields.size() != names.size()) {
      return invalid(number, fmt::format("{} fields under {} names",
                                         fields.size(), names.size()));
    }
    BenchPoint point;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (Put(names[i], fields[i], point)) continue;
      return invalid(number, fmt::format("{} is \"{}\"", names[i], fields[i]));
    }
    if (!(point.x > 0 && point.median_s > 0)) {
      return invalid(number, "x and median_s are above 0");
    }
    points.push_back(std::move(point));
  }
  if (names.empty()) return invalid(1, "there are no columns");
  return points;
}

SpeedUp SpeedUpOf(const BenchCurve& fast, const BenchCurve& slow) {
  SpeedUp most;
  for (const BenchPoint* a : fast.points) {
    for (const BenchPoint* b : slow.points) {
      if (a->x != b->x || b->median_s <= most.ratio * a->median_s) continue;
      most = {b->median_s / a->median_s, a->x};
    }
  }
  return most;
}

Json BenchJson(const BenchBinaryData& data) {
  Json devices = Json::array();
  for (const BenchDevice& device : data.devices) {
    devices.push_back({{"device", device.device},
                       {"name", device.title},
                       {"roof_gb_s", device.roof / 1e9},
                       {"roof_bytes", device.roof_bytes},
                       {"notes", device.notes}});
  }
  Json points = Json::array();
  for (const BenchPoint& p : data.points) {
    Json json = {{"figure", p.figure},   {"curve", p.curve},
                 {"device", p.device},   {"x", p.x},
                 {"runs", p.runs},       {"median_s", p.median_s},
                 {"least_s", p.least_s}, {"most_s", p.most_s},
                 {"host_s", p.host_s}};
    if (p.moved_bytes > 0) json["moved_bytes"] = p.moved_bytes;
    if (p.OfBytes()) json["gb_s"] = p.Rate() / 1e9;
    if (p.roof > 0) json["roof_gb_s"] = p.roof / 1e9;
    points.push_back(std::move(json));
  }
  return {{"host", data.host},
          {"devices", std::move(devices)},
          {"points", std::move(points)}};
}

std::string SayRate(double bytes_a_second) {
  if (bytes_a_second >= 1e12) {
    return fmt::format("{:.3g} TB/s", bytes_a_second / 1e12);
  }
  return fmt::format("{:.3g} GB/s", bytes_a_second / 1e9);
}

}  // namespace assay::cli
