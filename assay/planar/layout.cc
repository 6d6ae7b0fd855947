// The units, and what can be wrong with a layout before it meets a grid.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/layout.h"

#include <fmt/format.h>

#include <cmath>

#include "assay/ops/green/images.h"
#include "assay/planar/json_position.h"
#include "assay/planar/polygon.h"

namespace assay::planar {
namespace {

using Fault = std::optional<LayoutFault>;

// Coordinates beyond this many units are a slip, and square without overflow.
constexpr double kMostUnits = 1e9;

Fault Coordinate(const std::string& key, double value) {
  if (std::isfinite(value) && std::abs(value) <= kMostUnits) return {};
  return LayoutFault{key, fmt::format("{} is no usable coordinate", value),
                     "a finite number of at most 1e9 units"};
}

Fault Positive(const std::string& key, double value, const char* hint) {
  if (value > 0 && std::isfinite(value)) return {};
  return LayoutFault{key, fmt::format("{} is not above zero", value), hint};
}

Fault NotNegative(const std::string& key, double value, const char* hint) {
  if (value >= 0 && std::isfinite(value)) return {};
  return LayoutFault{
      key, fmt::format("{} is no finite number from zero up", value), hint};
}

Fault First(std::initializer_list<Fault> faults) {
  for (const Fault& fault : faults) {
    if (fault) return fault;
  }
  return {};
}

Fault Stack(const Layout& layout) {
  const Layout::Substrate& s = layout.substrate;
  if (s.er > green::kMostPermittivity) {
    return LayoutFault{"substrate.er", fmt::format("er {} is too great", s.er),
                       fmt::format("at most {}", green::kMostPermittivity)};
  }
  if (!(s.er >= 1) || !std::isfinite(s.er)) {
    return LayoutFault{"substrate.er", fmt::format("er {} is below 1", s.er),
                       "1 is air, FR4 is about 4.4"};
  }
  if (!(s.tand >= 0 && s.tand < 1)) {
    return LayoutFault{"substrate.tand",
                       fmt::format("tand {} is not in 0..1", s.tand),
                       "FR4 has about 0.02"};
  }
  Fault fault = First({
      Positive("substrate.h", s.h, "the height of the dielectric"),
      Positive("pixel[0]", layout.dx, "the width of a pixel"),
      Positive("pixel[1]", layout.dy, "the height of a pixel"),
      Coordinate("substrate.h", s.h),
      Coordinate("pixel[0]", layout.dx),
      Coordinate("pixel[1]", layout.dy),
  });
  if (fault || !layout.conductor) return fault;
  const Layout::Conductor& c = *layout.conductor;
  return First({
      Positive("conductor.sigma", c.sigma,
               "S/m, copper has 5.8e7; leave conductor out for perfect metal"),
      Positive("conductor.t", c.t, "the thickness of the metal"),
      NotNegative("conductor.roughness", c.roughness, "rms height"),
  });
}

Fault CheckRect(const std::string& key, const Rect& r) {
  Fault fault =
      First({Coordinate(key + "[0]", r.x0), Coordinate(key + "[1]", r.x1),
             Coordinate(key + "[2]", r.y0), Coordinate(key + "[3]", r.y1)});
  if (fault) return fault;
  const char* order = "a rectangle is [x0, x1, y0, y1] with x0 < x1, y0 < y1";
  if (!(r.x0 < r.x1)) {
    return LayoutFault{key, fmt::format("x goes from {} to {}", r.x0, r.x1),
                       order};
  }
  if (!(r.y0 < r.y1)) {
    return LayoutFault{key, fmt::format("y goes from {} to {}", r.y0, r.y1),
                       order};
  }
  return {};
}

Fault CheckPolygon(const std::string& key, const Polygon& polygon) {
  for (size_t i = 0; i < polygon.points.size(); ++i) {
    const Vec2& p = polygon.points[i];
    const std::string point = fmt::format("{}[{}]", key, i);
    if (Fault fault = First(
            {Coordinate(point + "[0]", p.x), Coordinate(point + "[1]", p.y)})) {
      return fault;
    }
  }
  const std::vector<Vec2> corners = Corners(polygon.points);
  if (corners.size() < 3) {
    return LayoutFault{
        key,
        fmt::format("an open polygon: {} different points", corners.size()),
        "at least three corners; the last is joined to the first"};
  }
  if (const auto crossing = FindCrossing(corners)) {
    return LayoutFault{
        key,
        fmt::format("the polygon crosses itself near ({:.6g}, {:.6g})",
                    crossing->x, crossing->y),
        "split it into polygons that do not cross themselves"};
  }
  return {};
}

Fault CheckMask(const std::string& key, const PixelMask& mask) {
  const auto pixels = static_cast<size_t>(mask.nx) * mask.ny;
  if (mask.nx < 0 || mask.ny < 0 || mask.metal.size() != pixels) {
    return LayoutFault{key, "the mask's size is not that of its pixels", ""};
  }
  return First({Coordinate(key + ".origin[0]", mask.origin.x),
                Coordinate(key + ".origin[1]", mask.origin.y)});
}

Fault CheckVia(const std::string& key, const Layout::Via& via) {
  return First(
      {Coordinate(key + ".at[0]", via.at.x),
       Coordinate(key + ".at[1]", via.at.y),
       Positive(key + ".diameter", via.diameter, "the diameter of the hole"),
       Coordinate(key + ".diameter", via.diameter)});
}

Fault CheckPort(const std::string& key, const Layout::Port& port) {
  if (Fault fault = Positive(key + ".z0", port.z0,
                             "the reference impedance in ohms, mostly 50")) {
    return fault;
  }
  if (!IsReference(port.z0)) {
    return LayoutFault{key + ".z0",
                       fmt::format("{} ohms are no reference", port.z0),
                       std::string(kReferenceHint)};
  }
  if (port.point) {
    if (port.kind != PortKind::kGround) {
      return LayoutFault{key + ".at", "only a ground port sits in one point",
                         "give axis, at, from and to"};
    }
    return First({Coordinate(key + ".at[0]", port.point->x),
                  Coordinate(key + ".at[1]", port.point->y)});
  }
  if (Fault fault = First({Coordinate(key + ".at", port.at),
                           Coordinate(key + ".from", port.from),
                           Coordinate(key + ".to", port.to)})) {
    return fault;
  }
  if (!(port.from < port.to)) {
    return LayoutFault{
        key + ".from",
        fmt::format("from {} is not below to {}", port.from, port.to),
        "from and to bound the port along its line"};
  }
  return {};
}

}  // namespace

double Metres(Units units) {
  switch (units) {
    case Units::kMetre: return 1;
    case Units::kMillimetre: return 1e-3;
    case Units::kMicrometre: return 1e-6;
    case Units::kInch: return 25.4e-3;
    case Units::kMil: return 25.4e-6;
  }
  return 1;
}

std::string_view UnitName(Units units) {
  switch (units) {
    case Units::kMetre: return "m";
    case Units::kMillimetre: return "mm";
    case Units::kMicrometre: return "um";
    case Units::kInch: return "in";
    case Units::kMil: return "mil";
  }
  return "m";
}

std::optional<LayoutFault> FindFault(const Layout& layout) {
  if (Fault fault = Stack(layout)) return fault;
  if (layout.metal.empty()) {
    return LayoutFault{"metal", "there is no metal",
                       R"(e.g. [{"rect": [0, 10, 0, 3]}])"};
  }
  for (size_t i = 0; i < layout.metal.size(); ++i) {
    const std::string key = fmt::format("metal[{}]", i);
    const auto& form = layout.metal[i].form;
    Fault fault;
    if (const auto* rect = std::get_if<Rect>(&form)) {
      fault = CheckRect(key + ".rect", *rect);
    } else if (const auto* polygon = std::get_if<Polygon>(&form)) {
      fault = CheckPolygon(key + ".polygon", *polygon);
    } else if (const auto* mask = std::get_if<PixelMask>(&form)) {
      fault = CheckMask(key, *mask);
    }
    if (fault) return fault;
  }
  for (size_t i = 0; i < layout.vias.size(); ++i) {
    Fault fault = CheckVia(fmt::format("vias[{}]", i), layout.vias[i]);
    if (fault) return fault;
  }
  if (layout.ports.empty()) {
    return LayoutFault{"ports", "there is no port",
                       R"(e.g. [{"axis": "x", "at": 0, "from": 0, "to": 3}])"};
  }
  for (size_t i = 0; i < layout.ports.size(); ++i) {
    Fault fault = CheckPort(fmt::format("ports[{}]", i), layout.ports[i]);
    if (fault) return fault;
  }
  return {};
}

Error FaultError(const Layout& layout, const LayoutFault& fault) {
  std::string where;
  if (!layout.file.empty()) {
    where =
        fmt::format("{}:{}: ", layout.file, LineOfKey(layout.text, fault.key));
  }
  return Error{Code::kInvalidInput,
               fmt::format("{}{}: {}", where, fault.key, fault.what),
               fault.hint};
}

Status CheckLayout(const Layout& layout) {
  if (Fault fault = FindFault(layout)) return FaultError(layout, *fault);
  return {};
}

}  // namespace assay::planar
