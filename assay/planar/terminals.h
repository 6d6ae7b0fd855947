// Sets the ports and vias of a layout on the pixels of its metal.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/grid.h"
#include "assay/planar/mesh.h"
#include "assay/planar/rasterise.h"

namespace assay::planar {

// Fills the ports and vias of raster.mesh, whose pixels are drawn, and
// appends to its moves and warnings. Fails with kInvalidInput, naming the key:
// off the metal, on both sides of it, narrower than a pixel, two on one pixel.
Status SetTerminals(const Layout& layout, const Grid& grid, Raster& raster);

}  // namespace assay::planar
