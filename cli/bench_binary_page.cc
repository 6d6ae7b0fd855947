// The page of `assay bench binary`: plots, ratios, and every figure.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "assay/base/text.h"
#include "cli/bench_binary_data.h"
#include "cli/log_plot.h"
#include "cli/page.h"
#include "cli/svg_path.h"

namespace assay::cli {
namespace {

constexpr std::string_view kStyle = R"(
.figures { grid-template-columns: repeat(auto-fit,
  minmax(min(100%, 24rem), 1fr)); }
.small { font-size: .85rem; margin: .2rem 0; }
.wide { overflow-x: auto; }
.points th, .points td { width: auto; white-space: nowrap;
  font-variant-numeric: tabular-nums; font-size: .85rem; }
summary { cursor: pointer; margin: .6rem 0; }
h2 { break-after: avoid; } tr { break-inside: avoid; }
)";

std::string TickRate(double y) { return fmt::format("{:.4g}", y); }
std::string SayRateOf(double y) { return SayRate(y * 1e9); }

std::string TickTime(double seconds) {
  constexpr std::array kUnits = {"ns", "\u00b5s", "ms", "s"};
  size_t unit = 0;
  double value = seconds * 1e9;
  while (unit + 1 < kUnits.size() && value > 999.5) {
    value /= 1e3;
    ++unit;
  }
  return fmt::format("{:.3g} {}", value, kUnits[unit]);
}

std::string SayX(const BenchPoint& point) {
  return point.OfBytes() ? HumanBytes(static_cast<uint64_t>(point.x))
                         : fmt::format("n = {:.0f}", point.x);
}

// The ten shards of Reed-Solomon are a little less than a power of two.
LogPoint RatePoint(const BenchPoint& point) {
  return {std::log2(point.x), point.Rate() / 1e9};
}

LogCurve RateCurve(const BenchCurve& curve, std::string name) {
  LogCurve drawn = {std::move(name), {}};
  for (const BenchPoint* point : curve.points) {
    drawn.points.push_back(RatePoint(*point));
  }
  return drawn;
}

using Curves = std::vector<BenchCurve>;

// Throughput against size, beside what reading alone gives.
std::string RateHtml(const Curves& curves, std::string_view figure) {
  LogPlot plot;
  plot.title = fmt::format("{}, GB/s", figure);
  plot.x_title = "input";
  plot.tick = &TickRate;
  plot.say = &SayRateOf;
  for (const BenchCurve& curve : curves) {
    if (curve.figure == figure) {
      plot.curves.push_back(RateCurve(curve, CurveName(curve)));
    }
  }
  if (plot.curves.empty()) return "";
  for (const BenchCurve& curve : curves) {
    if (curve.figure == kReadFigure && figure != kReadFigure) {
      plot.curves.push_back(
          RateCurve(curve, fmt::format("{}, memory read", curve.device)));
    }
  }
  return LogPlotHtml(plot);
}

// Ratios of each curve to the slower ones of its figure, device by device,
// and between devices.
std::vector<Row> Ratios(const Curves& curves, std::string_view figure) {
  std::vector<Row> rows;
  for (const BenchCurve& fast : curves) {
    for (const BenchCurve& slow : curves) {
      if (fast.figure != figure || slow.figure != figure || &fast == &slow) {
        continue;
      }
      const bool one_device = fast.device == slow.device;
      // The engine's own form against others, and the same curve elsewhere.
      const bool asked =
          one_device
              ? fast.curve == figure || slow.curve.starts_with(fast.curve + ",")
              : fast.curve == slow.curve;
      const SpeedUp most = SpeedUpOf(fast, slow);
      // Single vector targets are what other processors have.
      if (!asked || most.ratio <= 1 || slow.curve.ends_with(" alone")) continue;
      BenchPoint at;
      at.figure = fast.figure;
      at.x = most.x;
      rows.emplace_back(
          fmt::format("{} against {}", CurveName(fast), CurveName(slow)),
          fmt::format("up to {} times as fast, at {}",
                      most.ratio < 100 ? fmt::format("{:.3g}", most.ratio)
                                       : fmt::format("{:.0f}", most.ratio),
                      SayX(at)));
    }
  }
  return rows;
}

// Time of proofs against n, one plot a device, then against d.
std::string SumsHtml(const BenchBinaryData& data, const Curves& curves) {
  std::string html;
  LogPlot by_degree;
  by_degree.title = "Sum-check against the number of columns";
  by_degree.x_title = "d";
  std::vector<std::string> devices;
  for (const BenchCurve& curve : curves) {
    if (curve.figure != kSumcheckFigure) continue;
    if (std::find(devices.begin(), devices.end(), curve.device) ==
        devices.end()) {
      devices.push_back(curve.device);
    }
  }
  for (const std::string& device : devices) {
    LogPlot plot;
    plot.title = fmt::format("Sum-check of 2^n terms, {}", device);
    plot.x_title = "n";
    plot.x_axis = LogAxis::kPower;
    plot.tick = &TickTime;
    plot.say = &HumanTime;
    std::map<double, LogCurve> at_n;
    for (const BenchCurve& curve : curves) {
      if (curve.figure != kSumcheckFigure || curve.device != device) continue;
      LogCurve drawn = {curve.curve, {}};
      for (const BenchPoint* point : curve.points) {
        drawn.points.push_back({point->x, point->median_s});
      }
      plot.curves.push_back(std::move(drawn));
    }
    html += LogPlotHtml(plot);
  }
  by_degree.x_axis = LogAxis::kPower;
  by_degree.tick = &TickTime;
  by_degree.say = &HumanTime;
  for (const std::string& device : devices) {
    std::map<double, LogCurve> at_n;
    for (const BenchPoint& point : data.points) {
      if (point.figure != kSumcheckFigure || point.device != device ||
          !point.curve.starts_with("d=")) {
        continue;
      }
      const Result<double> d = ParseReal(point.curve.substr(2));
      if (!d.ok() || std::fmod(point.x, 4) != 0) continue;
      at_n[point.x].points.push_back({*d, point.median_s});
    }
    for (auto& [n, curve] : at_n) {
      if (curve.points.size() < 2) continue;
      std::sort(curve.points.begin(), curve.points.end(),
                [](const LogPoint& a, const LogPoint& b) { return a.x < b.x; });
      curve.name = fmt::format("{}, n={:.0f}", device, n);
      by_degree.curves.push_back(std::move(curve));
    }
  }
  return html + LogPlotHtml(by_degree);
}

std::string PointsHtml(const BenchBinaryData& data) {
  std::string html =
      "<details><summary>Every figure</summary>\n<div class=\"wide\"><table "
      "class=\"points\">\n<tr><th>figure</th><th>curve</th><th>device</th>"
      "<th>at</th><th>median</th><th>least to most</th><th>for the "
      "host</th><th>rate</th><th>of memory</th></tr>\n";
  for (const BenchPoint& p : data.points) {
    html += fmt::format(
        "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{} to "
        "{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        EscapeHtml(p.figure), EscapeHtml(p.curve), EscapeHtml(p.device),
        SayX(p), HumanTime(p.median_s), HumanTime(p.least_s),
        HumanTime(p.most_s), p.host_s > 0 ? HumanTime(p.host_s) : "",
        p.OfBytes() ? SayRate(p.Rate()) : "",
        p.roof > 0 ? fmt::format("{:.0f} %", 100 * p.Share()) : "");
  }
  return html + "</table></div></details>\n";
}

std::vector<Row> Machine(const BenchBinaryData& data) {
  std::vector<Row> rows = {{"host", data.host}};
  for (const BenchDevice& device : data.devices) {
    rows.emplace_back(device.device, device.title);
    if (device.roof > 0) {
      rows.emplace_back(
          fmt::format("{}, memory", device.device),
          fmt::format("{}, reading {} once", SayRate(device.roof),
                      HumanBytes(static_cast<uint64_t>(device.roof_bytes))));
    }
    for (const std::string& note : device.notes) {
      rows.emplace_back(fmt::format("{}, note", device.device), note);
    }
  }
  return rows;
}

}  // namespace

std::string BenchPage(const BenchBinaryData& data) {
  const Curves curves = CurvesOf(data);
  std::string body = PlotDefinitions();
  body += SectionHtml("Machine", TableHtml(Machine(data)));
  std::vector<std::string> figures;
  for (const BenchCurve& curve : curves) {
    if (std::find(figures.begin(), figures.end(), curve.figure) ==
        figures.end()) {
      figures.push_back(curve.figure);
    }
  }
  // Reading is the roof of the others, and has no plot of its own.
  std::erase(figures, kReadFigure);
  for (const std::string& figure : figures) {
    const bool sums = figure == kSumcheckFigure;
    const std::string plots =
        sums ? SumsHtml(data, curves) : RateHtml(curves, figure);
    const std::vector<Row> ratios = Ratios(curves, figure);
    body +=
        SectionHtml(sums ? "Sum-check" : figure,
                    fmt::format("<div class=\"figures\">\n{}</div>\n{}", plots,
                                ratios.empty() ? "" : TableHtml(ratios)));
  }
  body += SectionHtml(
      "How it was measured",
      "<p class=\"small\">Medians. Kernels by the clock of the device, one "
      "dispatch of as many as last a millisecond; data lies in the device's "
      "memory, and small data in its caches. Proofs by the clock of the host, "
      "from loaded columns to the last value. Memory: a kernel that reads all "
      "of it once and adds it up, in the same run; AES-GCM also writes what "
      "it reads, Reed-Solomon writes four shards for ten.</p>\n" +
          PointsHtml(data));
  std::string style(PlotStyle());
  style += LogPlotStyle();
  style += kStyle;
  return PageHtml("Carry-less multiplication, measured", body, style);
}

}  // namespace assay::cli
