// Reads a copper layer from Gerber RS-274X as polygons with polarity.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/layout.h"

namespace assay::planar {

struct GerberLayer {
  Units units = Units::kMillimetre;
  // In the order they were drawn, in `units`; clear ones remove metal. Arcs
  // are chords that deviate by 2 um at most.
  std::vector<Shape> shapes;
};

// Reads format, units, circle, rectangle, obround and polygon apertures,
// flashes, lines and multi-quadrant arcs, regions, step and repeat, polarity
// and attributes (which change nothing). Fails, naming file and line, with
// kCorrupt for a broken file, with kUnsupported for a command outside this
// subset, which it names, with kOverBudget for more than four million points.
Result<GerberLayer> ParseGerber(std::string_view text, const std::string& file);

// ParseGerber of a file of at most 64 MiB. Fails with kIo too.
Result<GerberLayer> ReadGerber(const std::string& path);

}  // namespace assay::planar
