// Writes Touchstone files and their numbers as JSON for a foreign reader.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/files.h"
#include "assay/planar/network.h"
#include "assay/planar/touchstone.h"

namespace {

using assay::planar::Complex;
using assay::planar::NetworkSweep;
using assay::planar::PortMatrix;
using assay::planar::TouchstoneOptions;

struct Sample {
  std::string name;
  size_t ports;
  bool unequal;
  TouchstoneOptions options;
};

NetworkSweep RandomSweep(size_t ports, bool unequal, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-0.7, 0.7);
  NetworkSweep sweep;
  for (size_t i = 0; i < ports; ++i) {
    sweep.z0.push_back(unequal ? 30 + 12.5 * static_cast<double>(i) : 75);
  }
  for (int k = 0; k < 4; ++k) {
    sweep.frequency_hz.push_back(1e8 + 1.25e9 * k);
    PortMatrix s(ports);
    for (Complex& value : s.values) value = {number(random), number(random)};
    sweep.s.push_back(s);
  }
  sweep.s[0](0, 0) = {-0.0, 0.5};
  return sweep;
}

std::string Json(const Sample& sample, const NetworkSweep& sweep) {
  std::string out = fmt::format(
      "{{\"file\": \"{}\", \"z0\": [{}], \"frequency_hz\": [{}], \"s\": [",
      sample.name, fmt::join(sweep.z0, ", "),
      fmt::join(sweep.frequency_hz, ", "));
  const char* comma = "";
  for (const PortMatrix& s : sweep.s) {
    for (const Complex& value : s.values) {
      out += fmt::format("{}[{}, {}]", comma, value.real(), value.imag());
      comma = ", ";
    }
  }
  return out + "]}";
}

std::vector<Sample> Samples() {
  using Format = TouchstoneOptions::Format;
  using Unit = TouchstoneOptions::Unit;
  using Version = TouchstoneOptions::Version;
  std::vector<Sample> samples;
  for (const size_t ports : {1, 2, 3, 5}) {
    samples.push_back({fmt::format("ri.s{}p", ports), ports, false, {}});
    samples.push_back({fmt::format("ma.s{}p", ports),
                       ports,
                       false,
                       {Version::kAuto,
                        Unit::kGigaHz,
                        Format::kMagnitudeAngle,
                        {"a comment"}}});
    samples.push_back({fmt::format("db.s{}p", ports),
                       ports,
                       false,
                       {Version::kAuto, Unit::kMegaHz, Format::kDbAngle, {}}});
    samples.push_back({fmt::format("v2_{}.ts", ports), ports, false, {}});
    samples.push_back(
        {fmt::format("unequal.s{}p", ports), ports, ports > 1, {}});
  }
  return samples;
}

}  // namespace

// touchstone_samples FOLDER: the files and samples.json.
int main(int argc, char** argv) {
  if (argc != 2) return 1;
  const std::string folder = std::string(argv[1]) + "/";
  std::mt19937 random(1);
  std::string json;
  for (const Sample& sample : Samples()) {
    const NetworkSweep sweep =
        RandomSweep(sample.ports, sample.unequal, random);
    const auto written = assay::planar::WriteTouchstone(folder + sample.name,
                                                        sweep, sample.options);
    if (!written.ok()) {
      std::fprintf(stderr, "error: %s\n", written.error().what.c_str());
      return 1;
    }
    json += (json.empty() ? "[" : ",\n ") + Json(sample, sweep);
  }
  json += "]\n";
  return assay::WriteFile(folder + "samples.json", std::string_view(json)).ok()
             ? 0
             : 1;
}
