// Outlines run against the clock, and a hole is cut in from the first point.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/gerber_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "assay/planar/gerber_lexer.h"

namespace assay::planar {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kMostSize = 1e5;  // units: larger apertures are slips

// Equal steps over `sweep` whose chords stay within the tolerance.
int StepsFor(double radius, double sweep, double tolerance) {
  constexpr double kMostStep = kPi / 8;
  constexpr double kLeastStep = kPi / 512;
  const double share = std::min(tolerance / radius, 1.0);
  const double step =
      std::clamp(2 * std::acos(1 - share), kLeastStep, kMostStep);
  return std::max(1, static_cast<int>(std::ceil(std::abs(sweep) / step)));
}

// From angle `begin` over `sweep`, both ends included.
void AppendArc(Vec2 centre, double radius, double begin, double sweep,
               double tolerance, Points& out) {
  const int steps = StepsFor(radius, sweep, tolerance);
  for (int k = 0; k <= steps; ++k) {
    const double angle = begin + sweep * k / steps;
    out.push_back({centre.x + radius * std::cos(angle),
                   centre.y + radius * std::sin(angle)});
  }
}

// A capsule about the segment from a to b.
Points Capsule(Vec2 a, Vec2 b, double radius, double tolerance) {
  const double angle = std::atan2(b.y - a.y, b.x - a.x);
  Points out;
  AppendArc(b, radius, angle - kPi / 2, kPi, tolerance, out);
  AppendArc(a, radius, angle + kPi / 2, kPi, tolerance, out);
  return out;
}

Points Box(Vec2 at, double width, double height) {
  const double x = width / 2;
  const double y = height / 2;
  return {{at.x - x, at.y - y},
          {at.x + x, at.y - y},
          {at.x + x, at.y + y},
          {at.x - x, at.y + y}};
}

Points SolidOutline(const Aperture& a, Vec2 at, double tolerance) {
  Points out;
  switch (a.kind) {
    case Aperture::Kind::kCircle:
      AppendArc(at, a.width / 2, 0, 2 * kPi, tolerance, out);
      out.pop_back();
      return out;
    case Aperture::Kind::kRectangle: return Box(at, a.width, a.height);
    case Aperture::Kind::kObround: {
      const double radius = std::min(a.width, a.height) / 2;
      const double x = a.width / 2 - radius;
      const double y = a.height / 2 - radius;
      return Capsule({at.x - x, at.y - y}, {at.x + x, at.y + y}, radius,
                     tolerance);
    }
    case Aperture::Kind::kPolygon:
      for (int k = 0; k < a.corners; ++k) {
        const double angle = a.turn + 2 * kPi * k / a.corners;
        out.push_back({at.x + a.width / 2 * std::cos(angle),
                       at.y + a.width / 2 * std::sin(angle)});
      }
      return out;
  }
  return out;
}

Error BadAperture(std::string_view text, std::string_view why) {
  return Error{Code::kCorrupt,
               fmt::format("aperture \"{}\": {}", text.substr(0, 40), why), ""};
}

}  // namespace

Result<Aperture> ParseAperture(std::string_view text) {
  const size_t comma = text.find(',');
  const std::string_view name = text.substr(0, comma);
  if (name != "C" && name != "R" && name != "O" && name != "P") {
    return Error{Code::kUnsupported,
                 fmt::format("the aperture template \"{}\" is a macro, which "
                             "is not read here",
                             name.substr(0, 40)),
                 "plot without aperture macros (KiCad: \"Disable aperture "
                 "macros\")"};
  }
  if (comma == std::string_view::npos) {
    return BadAperture(text, "its sizes are missing");
  }
  const auto numbers = GerberNumbers(text.substr(comma + 1));
  if (!numbers) return BadAperture(text, "its sizes are no numbers");
  const std::vector<double>& n = *numbers;
  Aperture aperture;
  size_t sizes = 2;  // that come before the hole
  if (name == "C") {
    sizes = 1;
  } else if (name == "R") {
    aperture.kind = Aperture::Kind::kRectangle;
  } else if (name == "O") {
    aperture.kind = Aperture::Kind::kObround;
  } else {
    aperture.kind = Aperture::Kind::kPolygon;
    sizes = std::min<size_t>(n.size(), 3);
  }
  const size_t least = name == "C" ? 1 : 2;
  if (n.size() < least || n.size() > sizes + 1) {
    return BadAperture(text, "it has another number of sizes");
  }
  aperture.width = n[0];
  aperture.height = name == "R" || name == "O" ? n[1] : n[0];
  if (name == "P") {
    if (!(n[1] >= 3 && n[1] <= 12) || n[1] != std::floor(n[1])) {
      return BadAperture(text, "a polygon has 3 to 12 corners");
    }
    aperture.corners = static_cast<int>(n[1]);
    if (n.size() > 2) aperture.turn = std::fmod(n[2], 360) * kPi / 180;
  }
  if (n.size() > sizes) aperture.hole = n[sizes];
  const double small = std::min(aperture.width, aperture.height);
  if (!(aperture.width >= 0 && aperture.height >= 0) ||
      (small == 0 && name != "C") || aperture.width > kMostSize ||
      aperture.height > kMostSize) {
    return BadAperture(text, "its size is not above zero");
  }
  if (!(aperture.hole >= 0) || (aperture.hole > 0 && aperture.hole >= small)) {
    return BadAperture(text, "its hole does not fit");
  }
  return aperture;
}

Points FlashOutline(const Aperture& aperture, Vec2 at, double tolerance) {
  Points out = SolidOutline(aperture, at, tolerance);
  if (aperture.hole > 0) {
    // Outlines are convex: a cut towards the centre meets nothing else.
    const Vec2 first = out.front();
    const double radius = aperture.hole / 2;
    const size_t hole = out.size() + 1;
    out.push_back(first);
    AppendArc(at, radius, std::atan2(first.y - at.y, first.x - at.x), -2 * kPi,
              tolerance, out);
    out.back() = out[hole];
  }
  return out;
}

Points StrokeOutline(const Aperture& aperture, Vec2 a, Vec2 b,
                     double tolerance) {
  if (a == b) return FlashOutline(aperture, a, tolerance);
  if (aperture.kind == Aperture::Kind::kCircle) {
    return Capsule(a, b, aperture.width / 2, tolerance);
  }
  // The hull of two boxes: from below left to above right, or mirrored.
  const Points p = Box(a, aperture.width, aperture.height);
  const Points q = Box(b, aperture.width, aperture.height);
  if (b.x < a.x) return StrokeOutline(aperture, b, a, tolerance);
  if (b.y >= a.y) return {p[0], p[1], q[1], q[2], q[3], p[3]};
  return {p[0], q[0], q[1], q[2], p[2], p[3]};
}

Points ArcPoints(Vec2 begin, Vec2 end, Vec2 centre, bool clockwise,
                 double tolerance) {
  const double radius = std::hypot(begin.x - centre.x, begin.y - centre.y);
  const double from = std::atan2(begin.y - centre.y, begin.x - centre.x);
  const double to = std::atan2(end.y - centre.y, end.x - centre.x);
  double sweep = clockwise ? from - to : to - from;
  if (sweep <= 0) sweep += 2 * kPi;
  if (begin == end) sweep = 2 * kPi;
  Points out;
  AppendArc(centre, radius, from, clockwise ? -sweep : sweep, tolerance, out);
  out.erase(out.begin());
  out.back() = end;
  return out;
}

}  // namespace assay::planar
