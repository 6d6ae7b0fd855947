// From a board to a layout: read, cut, look at the pixels, place the ports.
// SPDX-License-Identifier: Apache-2.0
#include "cli/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "assay/base/files.h"
#include "assay/base/text.h"
#include "assay/planar/draw.h"
#include "assay/planar/layout_json.h"
#include "assay/planar/rasterise.h"
#include "cli/import_board.h"
#include "cli/import_edges.h"
#include "cli/import_rims.h"
#include "cli/output.h"
#include "cli/quantity.h"

namespace assay::cli {
namespace {

using planar::Layout;
using planar::Rect;

// More rims than this are listed in JSON only.
constexpr size_t kMostRims = 12;

Error Invalid(std::string what, std::string hint) {
  return Error{Code::kInvalidInput, std::move(what), std::move(hint)};
}

// What is known of a board once its pixels are drawn.
struct Imported {
  std::string kind;
  Layout layout;
  planar::Grid grid;
  Rect box;
  uint64_t metal_pixels = 0;
  size_t unknowns = 0;  // with ports only
  std::vector<planar::EdgeMove> moves;
  double largest_move = 0;    // of the straight edges
  std::string fitting_pixel;  // moves none of them; empty: none known
  std::vector<Rim> rims;
  std::vector<std::string> warnings;

  auto Stairs() const {
    return std::ranges::count_if(moves, [](const auto& m) { return m.stair; });
  }
};

// "0.1" or "0.1,0.2": pixels that move no straight edge, as large as 50 of
// them along the metal allow. Empty where they would be too many.
std::string FittingPixel(const StraightEdges& edges, planar::Units units,
                         const Rect& box) {
  constexpr double kFewest = 50;
  constexpr double kMost = 2000;
  const double longest = std::max(box.x1 - box.x0, box.y1 - box.y0);
  double pitch[2] = {CommonPitch(edges.x, units), CommonPitch(edges.y, units)};
  for (double& p : pitch) {
    if (!(p > longest / kMost)) return "";
    p /= std::max(1.0, std::ceil(kFewest * p / longest));
  }
  // Pixels as square as they get: the larger side takes a whole part.
  double& larger = pitch[0] > pitch[1] ? pitch[0] : pitch[1];
  larger /= std::max(1.0, std::round(larger / std::min(pitch[0], pitch[1])));
  const std::string x = fmt::format("{:.6g}", pitch[0]);
  const std::string y = fmt::format("{:.6g}", pitch[1]);
  return x == y ? x : x + "," + y;
}

Status ReadPixel(const ImportArgs& args, const Board& board, Layout& layout) {
  if (args.pixel.empty()) {
    if (board.is_mask) {
      return Invalid("--pixel is missing",
                     "how wide a pixel of the picture is: --pixel 0.1");
    }
    const Rect box = BoundsOf(board.shapes, 0, 0);
    const std::string pixel =
        FittingPixel(FindStraight(board.shapes, args.units), args.units, box);
    const double width = std::max(box.x1 - box.x0, box.y1 - box.y0);
    const std::string proposal =
        pixel.empty()
            ? fmt::format("{:.1g} gives about 200 pixels along it", width / 200)
            : pixel + " has all straight edges on grid lines";
    return Invalid("--pixel is missing",
                   fmt::format("the metal measures {:.6g} x {:.6g} {}; "
                               "--pixel {}",
                               box.x1 - box.x0, box.y1 - box.y0,
                               planar::UnitName(args.units), proposal));
  }
  const Result<std::vector<double>> sides = ParseNumbers(args.pixel);
  if (!sides.ok() || sides->size() > 2 || !((*sides)[0] > 0) ||
      !(sides->back() > 0)) {
    return Invalid(fmt::format("--pixel {}: this is no size", args.pixel),
                   "one length above zero, or two: 0.1 or 0.1,0.2");
  }
  layout.dx = (*sides)[0];
  layout.dy = sides->back();
  return {};
}

Status ReadMaterials(const ImportArgs& args, Layout& layout) {
  // To look at a board, any dielectric will do.
  layout.substrate = {1, args.tand, 1};
  if (!args.out.empty() || !args.er.empty()) {
    ASSAY_ASSIGN(er, NeededNumber("er", args.er, 1,
                                  "relative permittivity: FR4 has about 4.4"));
    layout.substrate.er = er;
  }
  if (!args.out.empty() || !args.height.empty()) {
    ASSAY_ASSIGN(h, NeededNumber("height", args.height, 0,
                                 "the height of the dielectric over ground"));
    layout.substrate.h = h;
  }
  if ((args.sigma > 0) != (args.thickness > 0)) {
    return Invalid(
        fmt::format("--{} is missing", args.sigma > 0 ? "thickness" : "sigma"),
        "metal with losses has both: --sigma 5.8e7 --thickness 0.035");
  }
  if (args.sigma > 0) {
    layout.conductor =
        Layout::Conductor{args.sigma, args.thickness, args.roughness, false};
  } else if (args.roughness > 0) {
    return Invalid("--roughness belongs to metal with losses",
                   "give --sigma and --thickness too");
  }
  return {};
}

Status CropTo(const ImportArgs& args, const Board& board, Layout& layout) {
  if (args.crop.empty()) return {};
  ASSAY_ASSIGN(window, ParseCrop(args.crop));
  if (board.is_mask) {
    return Invalid("--crop cuts Gerber files only",
                   "cut the picture in the program that it comes from");
  }
  layout.metal = Crop(board.shapes, window);
  const auto dark = [](const planar::Shape& shape) { return !shape.clear; };
  if (std::ranges::any_of(layout.metal, dark)) return {};
  const Rect box = BoundsOf(board.shapes, 0, 0);
  return Invalid(fmt::format("--crop {}: no metal is left", args.crop),
                 fmt::format("the metal lies in {:.6g}:{:.6g},{:.6g}:{:.6g}",
                             box.x0, box.x1, box.y0, box.y1));
}

Status CheckOutput(const ImportArgs& args) {
  if (args.out.empty()) return {};
  if (IsSameFile(args.out, args.board)) {
    return Invalid(fmt::format("--out {} is the board itself", args.out),
                   "name another file with --out");
  }
  return CheckWritable(args.out);
}

// "ports[1].at: ..." with the flag that said so.
Error WithFlag(Error error, const ImportArgs& args) {
  for (size_t k = 0; k < args.ports.size(); ++k) {
    if (error.what.starts_with(fmt::format("ports[{}]", k))) {
      error.what = fmt::format("--port {}: {}", args.ports[k], error.what);
      break;
    }
  }
  return error;
}

// Draws the pixels, and the ports where there are some.
Status Look(Imported& found) {
  Layout& layout = found.layout;
  if (const auto fault = planar::FindFault(layout);
      fault && !(layout.ports.empty() && fault->key == "ports")) {
    return planar::FaultError(layout, *fault);
  }
  ASSAY_ASSIGN(grid, planar::MakeGrid(layout, planar::kMostPixels));
  found.grid = grid;
  std::vector<uint8_t> metal(static_cast<size_t>(grid.nx) * grid.ny);
  for (size_t k = 0; k < layout.metal.size(); ++k) {
    planar::DrawShape(layout.metal[k], grid, metal);
    planar::AppendMoves(layout.metal[k], grid, fmt::format("metal[{}]", k),
                        found.moves);
  }
  const StraightEdges edges = FindStraight(layout.metal, layout.units);
  found.largest_move = LargestMove(edges, grid);
  found.fitting_pixel = FittingPixel(edges, layout.units, found.box);
  found.metal_pixels = static_cast<uint64_t>(std::ranges::count(metal, 1));
  if (found.metal_pixels == 0) {
    return Invalid("no pixel is metal",
                   "use smaller pixels, or --invert where white is the metal "
                   "of a mask");
  }
  found.rims = FindRims(grid, metal);
  if (layout.ports.empty()) return {};
  ASSAY_ASSIGN(raster, planar::Rasterise(layout));
  found.unknowns = raster.mesh.unknowns();
  found.warnings = std::move(raster.warnings);
  return {};
}

Result<Imported> Import(const ImportArgs& args) {
  ASSAY_TRY(CheckOutput(args));
  ASSAY_ASSIGN(board, ReadBoard(args.board, args.units, args.invert, args.out));
  Imported found;
  found.kind = board.kind;
  Layout& layout = found.layout;
  layout.units = args.units;
  layout.metal = board.shapes;
  ASSAY_TRY(ReadPixel(args, board, layout));
  ASSAY_TRY(ReadMaterials(args, layout));
  ASSAY_TRY(CropTo(args, board, layout));
  for (const std::string& text : args.vias) {
    ASSAY_ASSIGN(via, ParseVia(text));
    layout.vias.push_back(via);
  }
  for (const std::string& text : args.ports) {
    ASSAY_ASSIGN(port, ParsePort(text));
    layout.ports.push_back(port);
  }
  found.box = BoundsOf(layout.metal, layout.dx, layout.dy);
  if (const Status looked = Look(found); !looked.ok()) {
    return WithFlag(looked.error(), args);
  }
  if (args.out.empty()) return found;
  if (layout.ports.empty()) {
    std::string flags;
    for (const Rim& rim : found.rims) {
      if (rim.is_end) flags += fmt::format(" --port {}", rim.Flag());
    }
    return Invalid("a layout needs at least one --port",
                   flags.empty() ? "without --out the rims are listed"
                                 : "lines seem to end here:" + flags);
  }
  ASSAY_TRY(WriteFile(args.out, planar::WriteLayout(layout)));
  return found;
}

std::string RimWords(const Rim& rim, std::string_view unit) {
  std::string text =
      fmt::format("{} {}: --port {}", rim.Words(), unit, rim.Flag());
  if (!rim.is_end) text += "  (a long side rather than an end)";
  if (rim.is_round) text += "  (round; --crop cuts it straight)";
  return text;
}

std::vector<Row> Rows(const ImportArgs& args, const Imported& found) {
  const Layout& layout = found.layout;
  const std::string_view unit = planar::UnitName(layout.units);
  const Rect& box = found.box;
  std::vector<Row> rows = {
      {"board", fmt::format("{}: {}, {} shapes", args.board, found.kind,
                            layout.metal.size())},
      {"bounding box",
       fmt::format("x {:.6g}..{:.6g}, y {:.6g}..{:.6g}: {:.6g} x {:.6g} {}",
                   box.x0, box.x1, box.y0, box.y1, box.x1 - box.x0,
                   box.y1 - box.y0, unit)},
      {"pixels", fmt::format("{} x {} of {} x {} {}, {} of them metal",
                             found.grid.nx, found.grid.ny, layout.dx, layout.dy,
                             unit, found.metal_pixels)},
  };
  std::string moved = fmt::format(
      "straight ones by at most {:.3g} {}; {} of {} sides slant "
      "and became stairs",
      found.largest_move, unit, found.Stairs(), found.moves.size());
  if (found.largest_move >
          planar::kGridSlack * std::min(layout.dx, layout.dy) &&
      !found.fitting_pixel.empty()) {
    moved += "; --pixel " + found.fitting_pixel + " moves no straight one";
  }
  rows.emplace_back("edges moved", moved);
  const size_t shown = std::min(found.rims.size(), kMostRims);
  for (size_t k = 0; k < shown; ++k) {
    rows.emplace_back(k == 0 ? "possible ports" : "",
                      RimWords(found.rims[k], unit));
  }
  if (shown < found.rims.size()) {
    rows.emplace_back(
        "", fmt::format("and {} more, with --json", found.rims.size() - shown));
  }
  if (!layout.ports.empty()) {
    rows.emplace_back("ports", std::to_string(layout.ports.size()));
    rows.emplace_back("unknowns", std::to_string(found.unknowns));
  }
  rows.emplace_back(
      "layout", args.out.empty() ? "not written: --out names it" : args.out);
  return rows;
}

Json ToJson(const ImportArgs& args, const Imported& found) {
  const Layout& layout = found.layout;
  const double unit = planar::Metres(layout.units);
  const Rect& box = found.box;
  Json json;
  json["board"] = args.board;
  json["kind"] = found.kind;
  json["shapes"] = layout.metal.size();
  json["units"] = std::string(planar::UnitName(layout.units));
  json["bounding_box_m"] = {box.x0 * unit, box.x1 * unit, box.y0 * unit,
                            box.y1 * unit};
  json["pixels"] = {found.grid.nx, found.grid.ny};
  json["pixel_m"] = {layout.dx * unit, layout.dy * unit};
  json["metal_pixels"] = found.metal_pixels;
  json["largest_move_m"] = found.largest_move * unit;
  json["fitting_pixel"] = found.fitting_pixel;
  json["stairs"] = found.Stairs();
  json["possible_ports"] = Json::array();
  for (const Rim& rim : found.rims) {
    json["possible_ports"].push_back({{"port", rim.Flag()},
                                      {"is_end", rim.is_end},
                                      {"is_round", rim.is_round}});
  }
  json["ports"] = layout.ports.size();
  if (!layout.ports.empty()) json["unknowns"] = found.unknowns;
  json["warnings"] = found.warnings;
  json["out"] = args.out;
  return json;
}

}  // namespace

int RunImport(const ImportArgs& args) {
  const Result<Imported> found = Import(args);
  if (!found.ok()) return Fail(found.error());
  for (const std::string& warning : found->warnings) Warn(warning);
  if (args.json) {
    PrintJson(ToJson(args, *found));
  } else {
    PrintRows(Rows(args, *found));
  }
  return kExitOk;
}

}  // namespace assay::cli
