// Currents of a mesh that the tables do not know: ports' and vias'.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "assay/ops/green/green.h"
#include "assay/planar/mesh.h"

namespace assay::planar {

// The current of a port's pixel or of a via, all counted upwards.
struct Upright {
  PortKind kind = PortKind::kEdge;  // kEdge or kGround; vias: is_via
  bool is_via = false;
  double x = 0, y = 0;     // metres, of the upright part: rim, middle or barrel
  Axis normal = Axis::kX;  // of the sheet
  double width = 0;        // of the sheet
  double radius = 0;       // of the barrel
  // kEdge: half a pixel of horizontal current from the rim inwards, along
  // `normal`; `inwards` is +1 where that is towards greater x or y.
  green::CurrentCell half;
  double inwards = 1;
};

// In the order of the unknowns after the edges. Coordinates are from the
// middle of pixel (0, 0).
std::vector<Upright> Uprights(const Mesh& mesh);

// Inductance between two uprights, or of one with itself where `same` (spec
// 7): half cells of one direction, sheets in parallel planes, filaments where
// a via takes part. Sheets in perpendicular planes: 0. Without `sheets` only
// kGround ports have them.
double UprightInductance(const green::Kernel& kernel, double h, bool sheets,
                         const Upright& a, const Upright& b, bool same);

// Row of L between an upright and all edges. Zero but for kEdge.
std::vector<double> EdgeInductances(const green::Kernel& kernel,
                                    const Mesh& mesh, const Upright& upright);

}  // namespace assay::planar
