// Grid, shapes, terminals, and a look at what the pixels became.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/rasterise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assay/planar/draw.h"
#include "assay/planar/grid.h"
#include "assay/planar/terminals.h"
#include "assay/planar/unknowns.h"

namespace assay::planar {
namespace {

void SetMaterials(const Layout& layout, Mesh& mesh) {
  const double unit = Metres(layout.units);
  mesh.substrate = {layout.substrate.er, layout.substrate.tand,
                    layout.substrate.h * unit};
  if (!layout.conductor) return;
  const Layout::Conductor& c = *layout.conductor;
  mesh.conductor = {c.sigma, c.t * unit, c.roughness * unit, c.two_sided};
}

void SetGrid(const Layout& layout, const Grid& grid, Mesh& mesh) {
  const double unit = Metres(layout.units);
  mesh.nx = grid.nx;
  mesh.ny = grid.ny;
  mesh.dx = grid.dx * unit;
  mesh.dy = grid.dy * unit;
  mesh.x0 = grid.origin.x * unit;
  mesh.y0 = grid.origin.y * unit;
  mesh.metal.assign(static_cast<size_t>(grid.nx) * grid.ny, 0);
}

Status DrawMetal(const Layout& layout, const Grid& grid, Raster& raster) {
  for (size_t i = 0; i < layout.metal.size(); ++i) {
    const Shape& shape = layout.metal[i];
    const std::string key = fmt::format("metal[{}]", i);
    const auto* mask = std::get_if<PixelMask>(&shape.form);
    if (mask && mask->metal.empty()) {
      return FaultError(layout, {key + ".mask", "the mask was not read", ""});
    }
    if (DrawShape(shape, grid, raster.mesh.metal) == 0) {
      raster.warnings.push_back(
          fmt::format("{} covers no pixel's centre and left no trace", key));
    }
    AppendMoves(shape, grid, key, raster.moves);
  }
  const bool empty = std::ranges::count(raster.mesh.metal, 1) == 0;
  if (empty) {
    return FaultError(
        layout, {"metal", "no pixel is metal",
                 "use smaller pixels, or fewer clear shapes, or \"invert\" "
                 "where white is the metal of a mask"});
  }
  return {};
}

void FindCornerContacts(const Grid& grid, Raster& raster) {
  const Mesh& mesh = raster.mesh;
  const auto metal = [&](int i, int j) {
    return mesh.metal[static_cast<size_t>(i) * mesh.ny + j] != 0;
  };
  std::string first;
  for (int i = 0; i + 1 < mesh.nx; ++i) {
    for (int j = 0; j + 1 < mesh.ny; ++j) {
      const bool rising = metal(i, j) && metal(i + 1, j + 1);
      const bool falling = metal(i + 1, j) && metal(i, j + 1);
      const bool all = rising && falling;
      if (all || (rising && (metal(i + 1, j) || metal(i, j + 1))) ||
          (falling && (metal(i, j) || metal(i + 1, j + 1))) ||
          !(rising || falling)) {
        continue;
      }
      if (raster.corner_contacts++ == 0) {
        first = fmt::format("({:.6g}, {:.6g})", grid.X(i + 1), grid.Y(j + 1));
      }
    }
  }
  if (raster.corner_contacts == 0) return;
  raster.warnings.push_back(fmt::format(
      "{} pairs of pixels touch in a corner only and do not conduct, the "
      "first at {}",
      raster.corner_contacts, first));
}

// Pieces of metal by union of the cells that edges join.
void CountIslands(Raster& raster) {
  const Mesh& mesh = raster.mesh;
  std::vector<uint32_t> parent(mesh.cells.size());
  for (uint32_t c = 0; c < parent.size(); ++c) parent[c] = c;
  const auto root = [&](uint32_t c) {
    while (parent[c] != c) c = parent[c] = parent[parent[c]];
    return c;
  };
  for (const Edge& edge : mesh.edges) parent[root(edge.from)] = root(edge.to);
  std::vector<uint8_t> tied(parent.size());
  const auto tie = [&](uint32_t pixel) {
    tied[root(static_cast<uint32_t>(mesh.cell_of[pixel]))] = 1;
  };
  for (const Port& port : mesh.ports) {
    for (const PortCurrent& current : port.currents) tie(current.pixel);
  }
  for (const Via& via : mesh.vias) tie(via.pixel);
  for (uint32_t c = 0; c < parent.size(); ++c) {
    if (parent[c] == c && !tied[c]) ++raster.islands;
  }
}

}  // namespace

Result<Raster> Rasterise(const Layout& layout, uint64_t most_pixels) {
  ASSAY_TRY(CheckLayout(layout));
  ASSAY_ASSIGN(grid, MakeGrid(layout, most_pixels));
  Raster raster;
  SetMaterials(layout, raster.mesh);
  SetGrid(layout, grid, raster.mesh);
  ASSAY_TRY(DrawMetal(layout, grid, raster));
  ASSAY_TRY(SetTerminals(layout, grid, raster));
  ASSAY_TRY(NumberUnknowns(raster.mesh));
  FindCornerContacts(grid, raster);
  CountIslands(raster);
  for (const EdgeMove& move : raster.moves) {
    raster.largest_move = std::max(raster.largest_move, std::abs(move.moved));
  }
  return raster;
}

}  // namespace assay::planar
