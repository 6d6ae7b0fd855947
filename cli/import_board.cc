// Units, half planes, and the small languages of the flags of an import.
// SPDX-License-Identifier: Apache-2.0
#include "cli/import_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <variant>

#include "assay/base/text.h"
#include "assay/planar/gerber.h"
#include "assay/planar/mask_png.h"
#include "assay/planar/polygon.h"
#include "assay/planar/rasterise.h"

namespace assay::cli {
namespace {

using planar::Axis;
using planar::PixelMask;
using planar::Polygon;
using planar::Rect;
using planar::Shape;
using planar::Vec2;

// Points are kept to a picometre: no plotter means more, and the file stays
// readable.
constexpr double kStepMetres = 1e-12;

Error Invalid(std::string what, std::string hint) {
  return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
}

bool IsPng(const std::string& path) {
  constexpr std::string_view kSignature = "\x89PNG";
  std::string begin(kSignature.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return file && begin == kSignature;
}

Result<Board> ReadMask(const std::string& path, bool invert,
                       const std::string& layout_path) {
  ASSAY_ASSIGN(mask, planar::ReadMaskPng(path, invert, planar::kMostPixels));
  Board board;
  board.kind = fmt::format("mask of {} x {} pixels", mask.nx, mask.ny);
  board.is_mask = true;
  if (!layout_path.empty()) {
    // The layout finds its mask from its own folder.
    std::error_code error;
    const std::filesystem::path folder =
        std::filesystem::absolute(layout_path, error).parent_path();
    const std::filesystem::path file = std::filesystem::proximate(
        std::filesystem::absolute(path, error), folder, error);
    if (error) {
      return Error{Code::kIo,
                   fmt::format("{}: no way from {} to it: {}", path,
                               folder.string(), error.message()),
                   ""};
    }
    mask.file = file.string();
  }
  board.shapes.push_back({std::move(mask), false});
  return board;
}

// What of a closed outline lies on one side of a line (Sutherland and
// Hodgman, 1974). `sign` 1 keeps what is above `at`.
std::vector<Vec2> Clip(const std::vector<Vec2>& points, Axis axis, double at,
                       double sign) {
  const auto over = [&](const Vec2& p) {
    return sign * ((axis == Axis::kX ? p.x : p.y) - at);
  };
  std::vector<Vec2> kept;
  for (size_t k = 0; k < points.size(); ++k) {
    const Vec2& a = points[k];
    const Vec2& b = points[(k + 1) % points.size()];
    const double da = over(a);
    const double db = over(b);
    if (da >= 0) kept.push_back(a);
    if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
      const double share = da / (da - db);
      Vec2 p = {a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)};
      (axis == Axis::kX ? p.x : p.y) = at;
      kept.push_back(p);
    }
  }
  return kept;
}

std::vector<Vec2> PointsOf(const Shape& shape) {
  if (const auto* r = std::get_if<Rect>(&shape.form)) {
    return {{r->x0, r->y0}, {r->x1, r->y0}, {r->x1, r->y1}, {r->x0, r->y1}};
  }
  if (const auto* p = std::get_if<Polygon>(&shape.form)) return p->points;
  return {};
}

}  // namespace

Result<Board> ReadBoard(const std::string& path, planar::Units units,
                        bool invert, const std::string& layout_path) {
  if (IsPng(path)) return ReadMask(path, invert, layout_path);
  if (invert) {
    return Invalid("--invert belongs to a PNG, and " + path + " is none", "");
  }
  ASSAY_ASSIGN(layer, planar::ReadGerber(path));
  Board board;
  board.kind = fmt::format("Gerber in {}", planar::UnitName(layer.units));
  board.shapes = std::move(layer.shapes);
  const double scale = planar::Metres(layer.units) / planar::Metres(units);
  const double steps = planar::Metres(units) / kStepMetres;
  const auto convert = [&](double& length) {
    length = std::round(length * scale * steps) / steps;
  };
  for (Shape& shape : board.shapes) {
    if (auto* r = std::get_if<Rect>(&shape.form)) {
      for (double* length : {&r->x0, &r->x1, &r->y0, &r->y1}) convert(*length);
    } else if (auto* p = std::get_if<Polygon>(&shape.form)) {
      for (Vec2& point : p->points) {
        convert(point.x);
        convert(point.y);
      }
    }
  }
  const auto dark = [](const Shape& shape) { return !shape.clear; };
  if (std::ranges::none_of(board.shapes, dark)) {
    return Invalid(path + ": nothing is drawn in this file",
                   "is it the copper layer?");
  }
  return board;
}

Rect BoundsOf(const std::vector<Shape>& shapes, double dx, double dy) {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  Rect box = {kFar, -kFar, kFar, -kFar};
  const auto add = [&](const Vec2& p) {
    box.x0 = std::min(box.x0, p.x);
    box.x1 = std::max(box.x1, p.x);
    box.y0 = std::min(box.y0, p.y);
    box.y1 = std::max(box.y1, p.y);
  };
  for (const Shape& shape : shapes) {
    if (shape.clear) continue;
    for (const Vec2& point : PointsOf(shape)) add(point);
    if (const auto* m = std::get_if<PixelMask>(&shape.form)) {
      add(m->origin);
      add({m->origin.x + m->nx * dx, m->origin.y + m->ny * dy});
    }
  }
  return box;
}

Result<Rect> ParseCrop(std::string_view text) {
  std::vector<double> values;
  for (const std::string_view range : Split(text, ',')) {
    for (const std::string_view part : Split(range, ':')) {
      const Result<double> value = ParseReal(part);
      if (value.ok()) values.push_back(*value);
    }
  }
  const bool shaped = std::ranges::count(text, ':') == 2 &&
                      std::ranges::count(text, ',') == 1 &&
                      text.find(':') < text.find(',');
  if (!shaped || values.size() != 4 || !(values[0] < values[1]) ||
      !(values[2] < values[3])) {
    return Invalid(fmt::format("--crop {}: this is no window", text),
                   "x0:x1,y0:y1 with x0 < x1 and y0 < y1, like -8:8,0:12.5");
  }
  return Rect{values[0], values[1], values[2], values[3]};
}

std::vector<Shape> Crop(const std::vector<Shape>& shapes, const Rect& window) {
  std::vector<Shape> kept;
  for (const Shape& shape : shapes) {
    const std::vector<Vec2> points = PointsOf(shape);
    std::vector<Vec2> inside = Clip(points, Axis::kX, window.x0, 1);
    inside = Clip(inside, Axis::kX, window.x1, -1);
    inside = Clip(inside, Axis::kY, window.y0, 1);
    inside = planar::Corners(Clip(inside, Axis::kY, window.y1, -1));
    if (inside == points) {
      kept.push_back(shape);
      continue;
    }
    // What only touches the window has corners and no area.
    const Rect box = BoundsOf({Shape{Polygon{inside}, false}}, 0, 0);
    if (inside.size() < 3 || !(box.x0 < box.x1) || !(box.y0 < box.y1)) continue;
    kept.push_back({Polygon{std::move(inside)}, shape.clear});
  }
  return kept;
}

Result<std::vector<double>> ParseNumbers(std::string_view text) {
  std::vector<double> numbers;
  for (const std::string_view part : Split(text, ',')) {
    ASSAY_ASSIGN(number, ParseReal(part));
    numbers.push_back(number);
  }
  return numbers;
}

Result<planar::Layout::Port> ParsePort(std::string_view text) {
  const auto bad = [&](const std::string& what) {
    return Invalid(fmt::format("--port {}: {}", text, what),
                   "kind,axis,at,from,to[,z0] like edge,x,0,1.2,1.5; or "
                   "ground,x,y[,z0]");
  };
  planar::Layout::Port port;
  std::vector<std::string_view> parts = Split(text, ',');
  if (parts[0] == "edge") {
    port.kind = planar::PortKind::kEdge;
  } else if (parts[0] == "ground") {
    port.kind = planar::PortKind::kGround;
  } else if (parts[0] == "gap") {
    port.kind = planar::PortKind::kGap;
  } else {
    return bad(fmt::format("\"{}\" is no kind: edge, ground or gap", parts[0]));
  }
  const bool line = parts.size() > 1 && (parts[1] == "x" || parts[1] == "y");
  if (line) port.axis = parts[1] == "x" ? Axis::kX : Axis::kY;
  const size_t first = line ? 2 : 1;
  if (!line && port.kind != planar::PortKind::kGround) {
    return bad("an axis, x or y, follows the kind");
  }
  std::vector<double> values;
  for (size_t k = first; k < parts.size(); ++k) {
    const Result<double> value = ParseReal(parts[k]);
    if (!value.ok()) return bad(fmt::format("\"{}\" is no number", parts[k]));
    values.push_back(*value);
  }
  const size_t needed = line ? 3 : 2;
  if (values.size() != needed && values.size() != needed + 1) {
    return bad(fmt::format("{} numbers follow, not {}", values.size(), needed));
  }
  if (line) {
    port.at = values[0];
    port.from = values[1];
    port.to = values[2];
  } else {
    port.point = Vec2{values[0], values[1]};
  }
  if (values.size() > needed) port.z0 = values[needed];
  return port;
}

Result<planar::Layout::Via> ParseVia(std::string_view text) {
  const Result<std::vector<double>> values = ParseNumbers(text);
  if (!values.ok() || values->size() != 3) {
    return Invalid(fmt::format("--via {}: three numbers are wanted", text),
                   "x,y,diameter");
  }
  return planar::Layout::Via{{(*values)[0], (*values)[1]}, (*values)[2]};
}

}  // namespace assay::cli
