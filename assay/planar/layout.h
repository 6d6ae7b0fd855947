// What a user draws: stack-up, pixels, metal, vias and ports in one unit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/mesh.h"

namespace assay::planar {

// The unit of every length of a layout.
enum class Units : uint8_t { kMetre, kMillimetre, kMicrometre, kInch, kMil };

double Metres(Units units);              // metres in one unit
std::string_view UnitName(Units units);  // "mm"

// Reference impedances beyond these give S of 1 or -1 to all digits.
constexpr double kLeastOhms = 1e-3;
constexpr double kMostOhms = 1e6;
constexpr std::string_view kReferenceHint = "0.001 to 1000000 ohms, mostly 50";
constexpr bool IsReference(double ohms) {
  return ohms >= kLeastOhms && ohms <= kMostOhms;
}

struct Vec2 {
  double x = 0, y = 0;
  bool operator==(const Vec2&) const = default;
};

struct Rect {
  double x0 = 0, x1 = 0, y0 = 0, y1 = 0;
};

// Closed by itself: the first point need not be repeated.
struct Polygon {
  std::vector<Vec2> points;
};

// Pixels of the layout's own pitch, lower left corner at `origin`; `metal`
// holds nx*ny bytes, row j from below, i + j*nx.
struct PixelMask {
  std::string file;  // as the layout names it; empty if there is none
  Vec2 origin;
  bool invert = false;  // metal is white instead of black
  int nx = 0, ny = 0;
  std::vector<uint8_t> metal;
};

// Shapes apply in order: a clear one removes what is under it.
struct Shape {
  std::variant<Rect, Polygon, PixelMask> form;
  bool clear = false;
};

// sigma in S/m, rms roughness. Two-sided: current on both faces.
struct LayoutConductor {
  double sigma = 5.8e7, t = 0, roughness = 0;
  bool two_sided = false;
};

struct Layout {
  using Conductor = LayoutConductor;

  // Dielectric of height h over a perfect ground.
  struct Substrate {
    double er = 1, tand = 0, h = 0;
  };

  // A hole to ground, plated or filled.
  struct Via {
    Vec2 at;
    double diameter = 0;
  };

  // edge: on a side of the metal that lies on the line `axis` = `at`, between
  //   `from` and `to` along it, against ground.
  // ground: from ground up into the pixels on that line, or into the one
  //   pixel that holds `point`.
  // gap: in series with the current that crosses that line.
  struct Port {
    PortKind kind = PortKind::kEdge;
    Axis axis = Axis::kX;  // the line's normal
    double at = 0, from = 0, to = 0;
    std::optional<Vec2> point;  // ground ports only
    double z0 = 50;             // ohms
  };

  Units units = Units::kMillimetre;
  Substrate substrate;
  std::optional<Conductor> conductor;  // none: a perfect conductor
  double dx = 0, dy = 0;
  std::vector<Shape> metal;
  std::vector<Via> vias;
  std::vector<Port> ports;

  // Where it was read, so that messages name the line. Empty: made in code.
  std::string file, text;
};

// A fault and the key that holds it, as "ports[1].from".
struct LayoutFault {
  std::string key;
  std::string what;
  std::string hint;
};

// The first thing in `layout` that no solver could use: sizes that are no
// positive numbers, er < 1, open or self-intersecting polygons, no port.
// O(n log n) for polygons without crossings.
std::optional<LayoutFault> FindFault(const Layout& layout);

// "filter.json:12: ports[1].from: ..." as kInvalidInput.
Error FaultError(const Layout& layout, const LayoutFault& fault);

// FindFault as kInvalidInput.
Status CheckLayout(const Layout& layout);

}  // namespace assay::planar
