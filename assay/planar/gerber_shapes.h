// Apertures and strokes of a Gerber file as polygons.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/layout.h"

namespace assay::planar {

struct Aperture {
  enum class Kind : uint8_t { kCircle, kRectangle, kObround, kPolygon };
  Kind kind = Kind::kCircle;
  double width = 0;   // x size, or the diameter
  double height = 0;  // y size
  int corners = 0;    // polygon
  double turn = 0;    // polygon: radians of its first corner
  double hole = 0;    // diameter, 0: none
};

// The aperture of "C,0.5" and the like. Fails with kCorrupt for sizes that
// are none and with kUnsupported for other templates (macros).
Result<Aperture> ParseAperture(std::string_view text);

using Points = std::vector<Vec2>;

// `tolerance`: the most that a chord deviates from its arc.
Points FlashOutline(const Aperture& aperture, Vec2 at, double tolerance);

// What a solid circle or rectangle covers from a to b. Precondition: the
// aperture is one of these and has no hole.
Points StrokeOutline(const Aperture& aperture, Vec2 a, Vec2 b,
                     double tolerance);

// Points of the arc about `centre` after `begin`, up to and with `end`: all
// around where they are equal.
Points ArcPoints(Vec2 begin, Vec2 end, Vec2 centre, bool clockwise,
                 double tolerance);

}  // namespace assay::planar
