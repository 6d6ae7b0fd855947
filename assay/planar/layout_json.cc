// The keys of the layout's JSON, one function an object.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/layout_json.h"

#include <fmt/format.h>

#include <array>
#include <span>
#include <utility>

#include "assay/base/files.h"
#include "assay/base/text.h"
#include "assay/planar/json_reader.h"
#include "assay/planar/mask_png.h"

namespace assay::planar {
namespace {

using Json = nlohmann::json;

constexpr uint64_t kMostFileBytes = uint64_t{64} << 20;
constexpr int kMostDepth = 8;
constexpr std::array kUnits = {Units::kMetre, Units::kMillimetre,
                               Units::kMicrometre, Units::kInch, Units::kMil};
constexpr std::array kKindNames = {"edge", "ground", "gap"};  // as PortKind

class LayoutReader {
 public:
  Layout Read(const Json& json) {
    Layout layout;
    if (!read_.Object(json, "",
                      {"units", "substrate", "pixel", "metal", "ports"},
                      {"conductor", "vias", "comment", "$schema"})) {
      return layout;
    }
    read_.Text(json, "", "comment", "");
    read_.Text(json, "", "$schema", "");
    layout.units = ReadUnits(json);
    ReadSubstrate(json["substrate"], layout.substrate);
    if (json.contains("conductor")) ReadConductor(json["conductor"], layout);
    const auto pixel = read_.Numbers(json["pixel"], "pixel", 2);
    layout.dx = pixel[0];
    layout.dy = pixel[1];
    ForEach(json, "metal", [&](const Json& item, const std::string& key) {
      layout.metal.push_back(ReadShape(item, key));
    });
    ForEach(json, "vias", [&](const Json& item, const std::string& key) {
      layout.vias.push_back(ReadVia(item, key));
    });
    ForEach(json, "ports", [&](const Json& item, const std::string& key) {
      layout.ports.push_back(ReadPort(item, key));
    });
    return layout;
  }

  const std::optional<LayoutFault>& fault() const { return read_.fault(); }

 private:
  template <class F>
  void ForEach(const Json& json, const std::string& key, const F& each) {
    if (!json.contains(key)) return;
    const Json& list = json[key];
    if (!list.is_array()) {
      read_.Fail(key,
                 fmt::format("a list is wanted, not {}", list.type_name()));
      return;
    }
    for (size_t i = 0; i < list.size() && !fault(); ++i) {
      each(list[i], fmt::format("{}[{}]", key, i));
    }
  }

  Units ReadUnits(const Json& json) {
    const std::string name = read_.Text(json, "", "units", "");
    for (const Units units : kUnits) {
      if (name == UnitName(units)) return units;
    }
    read_.Fail("units", fmt::format("\"{}\" is no unit known here", name),
               "m, mm, um, in or mil");
    return Units::kMillimetre;
  }

  void ReadSubstrate(const Json& json, Layout::Substrate& substrate) {
    const std::string key = "substrate";
    if (!read_.Object(json, key, {"er", "h"}, {"tand"})) return;
    substrate.er = read_.Number(json, key, "er");
    substrate.tand = read_.Number(json, key, "tand");
    substrate.h = read_.Number(json, key, "h");
  }

  void ReadConductor(const Json& json, Layout& layout) {
    const std::string key = "conductor";
    if (!read_.Object(json, key, {"sigma", "t"}, {"roughness", "two_sided"})) {
      return;
    }
    Layout::Conductor& conductor = layout.conductor.emplace();
    conductor.sigma = read_.Number(json, key, "sigma");
    conductor.t = read_.Number(json, key, "t");
    conductor.roughness = read_.Number(json, key, "roughness");
    conductor.two_sided = read_.Flag(json, key, "two_sided", false);
  }

  Vec2 ReadPoint(const Json& json, const std::string& key) {
    const auto numbers = read_.Numbers(json, key, 2);
    return {numbers[0], numbers[1]};
  }

  Shape ReadShape(const Json& json, const std::string& key) {
    Shape shape;
    if (!read_.Object(
            json, key, {},
            {"rect", "polygon", "mask", "origin", "invert", "clear"})) {
      return shape;
    }
    const size_t forms =
        json.count("rect") + json.count("polygon") + json.count("mask");
    if (forms != 1) {
      read_.Fail(key,
                 fmt::format("{} of rect, polygon and mask are given", forms),
                 "give one of them");
      return shape;
    }
    if (!json.contains("mask")) {
      for (const char* name : {"origin", "invert"}) {
        if (json.contains(name)) {
          read_.Fail(fmt::format("{}.{}", key, name),
                     "this key belongs to a mask");
        }
      }
    }
    shape.clear = read_.Flag(json, key, "clear", false);
    if (json.contains("rect")) {
      const auto r = read_.Numbers(json["rect"], key + ".rect", 4);
      shape.form = Rect{r[0], r[1], r[2], r[3]};
    } else if (json.contains("polygon")) {
      shape.form = ReadPolygon(json["polygon"], key + ".polygon");
    } else {
      PixelMask mask;
      mask.file = read_.Text(json, key, "mask", "");
      mask.invert = read_.Flag(json, key, "invert", false);
      if (json.contains("origin")) {
        mask.origin = ReadPoint(json["origin"], key + ".origin");
      }
      if (mask.file.empty()) read_.Fail(key + ".mask", "no file is named");
      shape.form = std::move(mask);
    }
    return shape;
  }

  Polygon ReadPolygon(const Json& json, const std::string& key) {
    Polygon polygon;
    if (!json.is_array()) {
      read_.Fail(key, "a list of points [x, y] is wanted");
      return polygon;
    }
    for (size_t i = 0; i < json.size() && !fault(); ++i) {
      polygon.points.push_back(
          ReadPoint(json[i], fmt::format("{}[{}]", key, i)));
    }
    return polygon;
  }

  Layout::Via ReadVia(const Json& json, const std::string& key) {
    Layout::Via via;
    if (!read_.Object(json, key, {"at", "diameter"}, {})) return via;
    via.at = ReadPoint(json["at"], key + ".at");
    via.diameter = read_.Number(json, key, "diameter");
    return via;
  }

  Layout::Port ReadPort(const Json& json, const std::string& key) {
    Layout::Port port;
    if (!read_.Object(json, key, {"at"},
                      {"kind", "axis", "from", "to", "z0"})) {
      return port;
    }
    port.kind = ReadKind(json, key);
    port.z0 = read_.Number(json, key, "z0", 50);
    if (json["at"].is_array()) {
      port.point = ReadPoint(json["at"], key + ".at");
      for (const char* name : {"axis", "from", "to"}) {
        if (json.contains(name)) {
          read_.Fail(fmt::format("{}.{}", key, name),
                     "a port in one point has no such key");
        }
      }
      return port;
    }
    // Said again for the keys that only a line needs.
    read_.Object(json, key, {"axis", "at", "from", "to"}, {"kind", "z0"});
    const std::string axis = read_.Text(json, key, "axis", "x");
    if (axis != "x" && axis != "y") {
      read_.Fail(key + ".axis", fmt::format("\"{}\" is no axis", axis),
                 "x or y: the normal of the line that the port lies on");
    }
    port.axis = axis == "y" ? Axis::kY : Axis::kX;
    port.at = read_.Number(json, key, "at");
    port.from = read_.Number(json, key, "from");
    port.to = read_.Number(json, key, "to");
    return port;
  }

  PortKind ReadKind(const Json& json, const std::string& key) {
    const std::string name = read_.Text(json, key, "kind", kKindNames[0]);
    for (size_t kind = 0; kind < kKindNames.size(); ++kind) {
      if (name == kKindNames[kind]) return static_cast<PortKind>(kind);
    }
    read_.Fail(key + ".kind", fmt::format("\"{}\" is no kind of port", name),
               "edge, ground or gap");
    return PortKind::kEdge;
  }

  JsonReader read_;
};

std::string WriteForm(const Shape& shape) {
  std::string out;
  if (const auto* r = std::get_if<Rect>(&shape.form)) {
    out =
        fmt::format(R"("rect": [{}, {}, {}, {}])", r->x0, r->x1, r->y0, r->y1);
  } else if (const auto* p = std::get_if<Polygon>(&shape.form)) {
    out = R"("polygon": [)";
    for (size_t i = 0; i < p->points.size(); ++i) {
      out += fmt::format("{}[{}, {}]", i > 0 ? ", " : "", p->points[i].x,
                         p->points[i].y);
    }
    out += ']';
  } else if (const auto* m = std::get_if<PixelMask>(&shape.form)) {
    out = fmt::format(R"("mask": "{}", "origin": [{}, {}])",
                      EscapeJson(m->file), m->origin.x, m->origin.y);
    if (m->invert) out += R"(, "invert": true)";
  }
  if (shape.clear) out += R"(, "clear": true)";
  return "{" + out + "}";
}

std::string WritePort(const Layout::Port& port) {
  const char* kind = kKindNames[static_cast<size_t>(port.kind)];
  if (port.point) {
    return fmt::format(R"({{"kind": "{}", "at": [{}, {}], "z0": {}}})", kind,
                       port.point->x, port.point->y, port.z0);
  }
  return fmt::format(
      R"({{"kind": "{}", "axis": "{}", "at": {}, "from": {}, "to": {}, )"
      R"("z0": {}}})",
      kind, port.axis == Axis::kX ? 'x' : 'y', port.at, port.from, port.to,
      port.z0);
}

template <class Items, class Write>
std::string WriteList(const char* name, const Items& items,
                      const Write& write) {
  std::string out = fmt::format(",\n  \"{}\": [", name);
  for (size_t i = 0; i < items.size(); ++i) {
    out += fmt::format("{}\n    {}", i > 0 ? "," : "", write(items[i]));
  }
  return out + (items.empty() ? "]" : "\n  ]");
}

}  // namespace

Result<Layout> ParseLayout(std::string_view text, const std::string& file) {
  ASSAY_ASSIGN(json, ParseJson(text, file, kMostDepth));
  LayoutReader reader;
  Layout layout = reader.Read(json);
  layout.file = file;
  layout.text = text;
  if (reader.fault()) return FaultError(layout, *reader.fault());
  ASSAY_TRY(CheckLayout(layout));
  return layout;
}

Result<Layout> ReadLayout(const std::string& path, uint64_t most_pixels) {
  ASSAY_ASSIGN(bytes, ReadFile(path, kMostFileBytes));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());
  ASSAY_ASSIGN(layout, ParseLayout(text, path));
  const size_t slash = path.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "" : path.substr(0, slash + 1);
  for (Shape& shape : layout.metal) {
    auto* mask = std::get_if<PixelMask>(&shape.form);
    if (!mask) continue;
    const bool absolute = mask->file.starts_with('/');
    ASSAY_ASSIGN(read, ReadMaskPng(absolute ? mask->file : folder + mask->file,
                                   mask->invert, most_pixels));
    mask->nx = read.nx;
    mask->ny = read.ny;
    mask->metal = std::move(read.metal);
  }
  return std::move(layout);
}

std::string WriteLayout(const Layout& layout) {
  const auto& s = layout.substrate;
  std::string out = fmt::format(
      "{{\n  \"units\": \"{}\",\n"
      "  \"substrate\": {{\"er\": {}, \"tand\": {}, \"h\": {}}},\n",
      UnitName(layout.units), s.er, s.tand, s.h);
  if (layout.conductor) {
    const auto& c = *layout.conductor;
    out += fmt::format(
        "  \"conductor\": {{\"sigma\": {}, \"t\": {}, \"roughness\": {}, "
        "\"two_sided\": {}}},\n",
        c.sigma, c.t, c.roughness, c.two_sided);
  }
  out += fmt::format("  \"pixel\": [{}, {}]", layout.dx, layout.dy);
  out += WriteList("metal", layout.metal, WriteForm);
  if (!layout.vias.empty()) {
    out += WriteList("vias", layout.vias, [](const Layout::Via& via) {
      return fmt::format(R"({{"at": [{}, {}], "diameter": {}}})", via.at.x,
                         via.at.y, via.diameter);
    });
  }
  out += WriteList("ports", layout.ports, WritePort);
  return out + "\n}\n";
}

}  // namespace assay::planar
