// Minima of S, and currents in colours.
// SPDX-License-Identifier: Apache-2.0
#include "cli/sweep_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "assay/planar/picture.h"
#include "cli/frequencies.h"
#include "cli/plot_axis.h"

namespace assay::cli {
namespace {

// How far beyond the band's ends a frequency may be named: rounding.
constexpr double kSlack = 1e-9;

void SortUnique(std::vector<size_t>& indices) {
  std::ranges::sort(indices);
  const auto tail = std::ranges::unique(indices);
  indices.erase(tail.begin(), tail.end());
}

}  // namespace

Result<std::vector<size_t>> NearestTo(std::string_view text,
                                      std::span<const double> hz) {
  ASSAY_ASSIGN(wanted, ParseFrequencies("--fields-at", text));
  std::vector<size_t> indices;
  for (const double at : wanted) {
    if (at < hz.front() * (1 - kSlack) || at > hz.back() * (1 + kSlack)) {
      return Error{
          Code::kInvalidInput,
          fmt::format("--fields-at: {} is outside of the sweep",
                      FrequencyText(at)),
          fmt::format("the sweep goes from {} to {}", FrequencyText(hz.front()),
                      FrequencyText(hz.back()))};
    }
    const auto distance = [at](double f) { return std::abs(f - at); };
    const auto nearest = std::ranges::min_element(hz, {}, distance);
    indices.push_back(static_cast<size_t>(nearest - hz.begin()));
  }
  SortUnique(indices);
  return indices;
}

size_t LeastIndex(const planar::Answer& answer, size_t i, size_t j) {
  size_t least = answer.hz.size() - 1;
  for (size_t k = answer.hz.size(); k-- > 0;) {
    if (answer.hz[k] == 0) continue;
    if (std::abs(answer.s[k](i, j)) < std::abs(answer.s[least](i, j))) {
      least = k;
    }
  }
  return least;
}

std::vector<size_t> TellingFrequencies(const planar::Answer& answer) {
  const size_t first = answer.hz.size() > 1 && answer.hz[0] == 0 ? 1 : 0;
  const size_t row = answer.z0.size() > 1 ? 1 : 0;
  std::vector<size_t> indices = {first, LeastIndex(answer, row, 0),
                                 answer.hz.size() - 1};
  SortUnique(indices);
  return indices;
}

Result<std::vector<Output>> DrawFields(const planar::Answer& answer,
                                       const std::string& folder,
                                       const std::string& name) {
  std::vector<Output> outputs;
  std::vector<double> hz;
  for (const planar::Field& field : answer.fields) {
    hz.push_back(answer.hz[field.index]);
  }
  const int digits = HertzDigits(hz);
  const planar::Mesh& mesh = answer.raster.mesh;
  const auto draw = [&](const planar::Field& field, const char* kind,
                        std::vector<double> values,
                        std::string_view unit) -> Status {
    const std::string at = FrequencyText(answer.hz[field.index], digits);
    planar::PictureOptions options;
    options.decibel = true;
    options.unit = unit;
    options.what = fmt::format("{} of port {} at {}", kind, field.port + 1, at);
    ASSAY_ASSIGN(
        png, planar::EncodePng(planar::DrawField(mesh, values, options).image));
    std::string file =
        fmt::format("{}_{}_port{}_{}.png", name, kind, field.port + 1, at);
    std::erase(file, ' ');
    outputs.emplace_back((std::filesystem::path(folder) / file).string(),
                         std::move(png));
    return {};
  };
  for (const planar::Field& field : answer.fields) {
    ASSAY_TRY(draw(field, "current",
                   planar::CurrentDensity(mesh, field.currents), "A/m"));
    ASSAY_TRY(draw(field, "charge", planar::ChargeDensity(mesh, field.charges),
                   "C/m2"));
  }
  return outputs;
}

}  // namespace assay::cli
