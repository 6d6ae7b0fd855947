// Number the charges and currents of a mesh.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/mesh.h"

namespace assay::planar {

// Checks a mesh's first block and fills its second. Linear in the pixels.
// Fails with kInvalidInput, and leaves the mesh as it was, where a size is not
// positive and finite, the mask has another size or no metal, there is no
// port, a port or via is off the metal or shares its pixel with another, or a
// kEdge current enters through a side where metal goes on.
Status NumberUnknowns(Mesh& mesh);

// Where a current begins and ends. Ground is -1.
struct Ends {
  int32_t from = -1;
  int32_t to = -1;
};

// The cells of each unknown current: the columns of the incidence matrix D,
// which holds +1 where a current enters a cell and -1 where it leaves.
// Precondition: the mesh is numbered.
std::vector<Ends> EndsOfCurrents(const Mesh& mesh);

// One entry of the sources B: a port drives `unknown` with `sign`.
struct Source {
  uint32_t unknown = 0;
  uint32_t port = 0;
  double sign = 1;
};

// All entries of B, port by port. Precondition: the mesh is numbered.
std::vector<Source> Sources(const Mesh& mesh);

}  // namespace assay::planar
