// Gives impedance, speed and losses of strips over a grounded dielectric.
// SPDX-License-Identifier: Apache-2.0
#include "cli/line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "assay/base/text.h"
#include "assay/planar/line.h"
#include "cli/line_answer.h"
#include "cli/output.h"
#include "cli/quantity.h"

namespace assay::cli {
namespace {

using planar::LineModel;
using planar::Strip;

// Their matrices still fit on a screen.
constexpr size_t kMostStrips = 16;

Error Invalid(std::string what, std::string hint) {
  return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
}

Result<std::vector<Strip>> ReadStrips(const LineArgs& args) {
  if (args.width.empty() == args.strips.empty()) {
    return Invalid(args.width.empty() ? "--width is missing"
                                      : "--width and --strips are both given",
                   "--width 3 for one strip, --strips 0:3,4:7 for more");
  }
  const double unit = planar::Metres(args.units);
  std::vector<Strip> strips;
  if (args.strips.empty()) {
    ASSAY_ASSIGN(width,
                 NeededNumber("width", args.width, 0, "a length above 0"));
    strips.push_back({0, width * unit});
    return strips;
  }
  for (const std::string_view part : Split(args.strips, ',')) {
    const std::vector<std::string_view> ends = Split(part, ':');
    const auto refuse = [&](std::string_view why) {
      return Invalid(fmt::format("--strips: \"{}\" {}", part, why),
                     "both edges of each strip from left to right, with gaps "
                     "between them: 0:3,4:7");
    };
    if (ends.size() != 2) return refuse("is no x0:x1");
    const Result<double> x0 = ParseReal(ends[0]), x1 = ParseReal(ends[1]);
    if (!x0.ok() || !x1.ok()) return refuse("is no x0:x1");
    if (*x0 >= *x1) return refuse("has no width");
    if (!strips.empty() && *x0 * unit <= strips.back().x1) {
      return refuse("does not lie right of the strip before it");
    }
    strips.push_back({*x0 * unit, *x1 * unit});
  }
  if (strips.size() > kMostStrips) {
    return Invalid(fmt::format("--strips names {} strips", strips.size()),
                   fmt::format("at most {}", kMostStrips));
  }
  return strips;
}

Status ReadConductor(const LineArgs& args, Line& line) {
  const double unit = planar::Metres(args.units);
  if ((args.sigma > 0) != (args.thickness > 0)) {
    return Invalid(
        fmt::format("--{} is missing", args.sigma > 0 ? "thickness" : "sigma"),
        "metal with losses has both: --sigma 5.8e7 --thickness 0.035");
  }
  if (args.sigma == 0) {
    for (const auto& [flag, given] :
         {std::pair("roughness", args.roughness > 0),
          {"two-sided", args.two_sided},
          {"ground-loss", args.ground_loss}}) {
      if (!given) continue;
      return Invalid(fmt::format("--{} means nothing for perfect metal", flag),
                     "give --sigma and --thickness too");
    }
  }
  line.conductor = {args.sigma, args.thickness * unit, args.roughness * unit,
                    args.two_sided};
  line.ground_loss = args.ground_loss;
  for (const Strip& strip : line.strips) {
    if (line.conductor.thickness > strip.x1 - strip.x0) {
      const std::string_view name = planar::UnitName(args.units);
      return Invalid(
          fmt::format("--thickness {:g} {} is more than a strip's width of "
                      "{:g} {}",
                      args.thickness, name, (strip.x1 - strip.x0) / unit, name),
          "losses are those of strips wider than they are thick");
    }
  }
  return {};
}

Result<Line> ReadLine(const LineArgs& args) {
  Line line;
  ASSAY_ASSIGN(er, NeededNumber("er", args.er, 1,
                                "relative permittivity: FR4 has about 4.4"));
  ASSAY_ASSIGN(height,
               NeededNumber("height", args.height, 0,
                            "the height of the dielectric over ground"));
  line.substrate = {er, args.tand, height * planar::Metres(args.units)};
  ASSAY_ASSIGN(strips, ReadStrips(args));
  line.strips = std::move(strips);
  ASSAY_TRY(ReadConductor(args, line));
  if (args.frequency.empty()) return line;
  for (const std::string_view part : Split(args.frequency, ',')) {
    const Result<double> hz = ParseHertz(part);
    if (!hz.ok() || *hz == 0) {
      return Invalid(
          fmt::format("--frequency: \"{}\" is no frequency above 0", part),
          "hertz, or k, M or G after the number: 2.4e9, 2.4GHz");
    }
    line.hz.push_back(*hz);
  }
  return line;
}

// Neither too thick nor too high to be what is computed.
void WarnOf(const Line& line) {
  const double t = line.conductor.thickness;
  for (size_t s = 0; s < line.strips.size(); ++s) {
    const double width = line.strips[s].x1 - line.strips[s].x0;
    const double gap =
        s == 0 ? INFINITY : line.strips[s].x0 - line.strips[s - 1].x1;
    if (t > 0.05 * width || t > 0.1 * gap) {
      Warn(
          fmt::format("the metal is {:.2f} of a {} thick and is computed as a "
                      "sheet: the impedance comes out too high",
                      t / std::min(width, gap), width < gap ? "strip" : "gap"));
      break;
    }
  }
}

std::vector<NamedMode> ModesOf(const Line& line, const LineModel& model) {
  if (model.strips == 1) return {{"single", SingleMode(model)}};
  const auto width = [&](size_t s) {
    return line.strips[s].x1 - line.strips[s].x0;
  };
  if (model.strips == 2 && std::abs(width(0) / width(1) - 1) < 1e-9) {
    return {{"even", EvenMode(model)}, {"odd", OddMode(model)}};
  }
  return {};
}

}  // namespace

int RunLine(const LineArgs& args) {
  const Result<Line> line = ReadLine(args);
  if (!line.ok()) return Fail(line.error());
  const Result<LineModel> model =
      planar::SolveLine(line->substrate, line->conductor, line->strips);
  if (!model.ok()) return Fail(model.error());
  const std::vector<NamedMode> modes = ModesOf(*line, *model);
  if (modes.empty() && !line->hz.empty()) {
    return Fail(Invalid(
        "--frequency: these strips have no even and odd mode",
        "one strip, or two of equal width; without --frequency the matrices "
        "of any strips are given"));
  }
  WarnOf(*line);
  if (args.json) {
    PrintJson(LineJson(*line, *model, modes));
  } else {
    PrintLine(*line, *model, modes);
  }
  return kExitOk;
}

}  // namespace assay::cli
