// Tell where a quasi-static answer on a grid of pixels is not to be trusted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "assay/planar/mesh.h"

namespace assay::planar {

// The width in metres that stands for the strips of `mesh`: through each
// metal pixel go two runs of metal, along x and along y, and the shorter one
// is the width there. This is their median over the pixels. 0 without metal.
// O(pixels).
double TypicalWidth(const Mesh& mesh);

// One sentence each, with the number and what would help; none where nothing
// is wrong. `max_hz` is the highest frequency of the sweep, 0: of the grid and
// the metal only. Of the mesh only pixels and stack-up are read. O(pixels):
// 50 to 150 ms for a million. Warns of
// (spec 8)
//   dispersion beyond 0.5 % in frequency, by Kirschning and Jansen for a strip
//     of TypicalWidth,
//   h > 0.03 wavelengths in air,
//   pixels greater than a twentieth of the wavelength on such a strip, or than
//     the substrate is high,
//   strips or gaps of one or two pixels. Pixels count as a strip where such
//     runs follow each other for three lines and for twice their width, so
//     that rims of round and slanted shapes do not,
//   metal thicker than 0.1 gaps or 0.05 strips.
std::vector<std::string> ValidityWarnings(const Mesh& mesh, double max_hz);

}  // namespace assay::planar
