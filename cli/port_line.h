// Follows the line that a port feeds over the pixels of a mesh.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "assay/planar/mesh.h"

namespace assay::cli {

struct LineEnd {
  double metres = 0;  // from the port's rim, whole pixels
  std::string why;    // "the metal is wider there"
};

// Where metal of exactly the port's width stops going on straight inwards, if
// that is nearer than `metres`: it is wider, narrower or at its end, or a via
// or another port stands on it, save an edge port that faces this one. What
// lies beside the line is not looked at. Linear in the pixels of the line and
// in vias. Precondition: an edge port, and `mesh` is numbered.
std::optional<LineEnd> LineEndWithin(const planar::Mesh& mesh, size_t port,
                                     double metres);

}  // namespace assay::cli
