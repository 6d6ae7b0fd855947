// Hold what the solvers know of a layout: pixels, edges, ports and vias.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace assay::planar {

// A dielectric on a perfect ground at z = 0; the metal lies at z = h.
struct Substrate {
  double er = 1;    // relative permittivity, at least 1
  double tand = 0;  // loss tangent, at least 0
  double h = 0;     // metres
};

// The metal of the sheet.
struct Conductor {
  double sigma = 0;        // siemens a metre; 0: a perfect conductor
  double thickness = 0;    // metres; not zero where sigma is not
  double roughness = 0;    // rms roughness Rq in metres (Hammerstad); 0: smooth
  bool two_sided = false;  // equal currents on both faces
};

enum class Axis : uint8_t { kX, kY };

// The current from one metal pixel to its neighbour at greater i (x) or j (y).
struct Edge {
  Axis axis = Axis::kX;
  uint32_t from = 0;  // numbers of the two cells
  uint32_t to = 0;
};

// The side of a pixel through which a port's current enters. kWest is the side
// of least x, kSouth that of least y.
enum class Side : uint8_t { kWest, kEast, kSouth, kNorth };

// kEdge: from ground up to the rim on `side`, then half a pixel inwards.
// kGround: from ground up into the pixel's middle.
// kGap: a source between two neighbouring metal pixels.
enum class PortKind : uint8_t { kEdge, kGround, kGap };

// One current of a port, positive into `pixel`. For kEdge `side` is the rim;
// for kGround it says how the vertical sheet lies (its normal); for kGap the
// current enters `pixel` through `side` from the neighbour there, which is
// metal too.
struct PortCurrent {
  uint32_t pixel = 0;  // i * ny + j
  Side side = Side::kWest;
};

// All currents of a port see one voltage; the port's current is their sum.
struct Port {
  PortKind kind = PortKind::kEdge;
  std::vector<PortCurrent> currents;
  double z0 = 50;  // ohms, real
};

// A round conductor from ground to the middle of a pixel.
struct Via {
  uint32_t pixel = 0;
  double radius = 0;  // metres
};

// Whoever makes a mesh fills the first block and calls NumberUnknowns
// (unknowns.h), which checks it and fills the second.
struct Mesh {
  int nx = 0;  // pixels; pixel (i, j) is number i * ny + j
  int ny = 0;
  double dx = 0;  // metres
  double dy = 0;
  double x0 = 0;  // metres: the outer corner of pixel (0, 0)
  double y0 = 0;
  std::vector<uint8_t> metal;  // nx * ny, 1: metal
  Substrate substrate;
  Conductor conductor;
  std::vector<Port> ports;
  std::vector<Via> vias;

  // Charges: the metal pixels in the order of their numbers.
  std::vector<uint32_t> cells;   // pixel of each cell
  std::vector<int32_t> cell_of;  // cell of each pixel, -1: no metal
  std::vector<Edge> edges;       // all x edges, then all y edges
  size_t x_edges = 0;            // how many of them are x edges

  // Currents: edges, then currents of kEdge and kGround ports in the order of
  // the ports, then vias. The current of a kGap port is an edge's.
  size_t port_currents = 0;
  size_t unknowns() const { return edges.size() + port_currents + vias.size(); }
};

}  // namespace assay::planar
