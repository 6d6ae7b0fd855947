// Draws a mesh and what flows and lies on it, pixel by pixel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/planar/mesh.h"
#include "assay/planar/png_image.h"

namespace assay::planar {

// The current density on each cell in A/m: of both axes the mean of what
// enters and what leaves the pixel, edge ports included. With a phase (of
// e^(j phase), radians) its size at that moment, else its amplitude
// sqrt(|Jx|^2 + |Jy|^2). `currents` holds an entry an unknown.
std::vector<double> CurrentDensity(
    const Mesh& mesh, std::span<const std::complex<double>> currents,
    std::optional<double> phase = {});

// The charge density of each cell in C/m^2: with a phase its signed value at
// that moment, else its amplitude. `charges` holds an entry a cell.
std::vector<double> ChargeDensity(const Mesh& mesh,
                                  std::span<const std::complex<double>> charges,
                                  std::optional<double> phase = {});

// The phase at which the sum of squares of the real parts is greatest, in
// [-pi/2, pi/2). A standing wave is seen whole there.
double PhaseOfMost(std::span<const std::complex<double>> values);

// The value that a share of the sizes (0 to 1) does not exceed; 0 of nothing.
double Quantile(std::span<const double> values, double share);

struct PictureOptions {
  bool decibel = false;    // 20 log10 of the size, for amplitudes
  bool with_sign = false;  // blue and orange around zero; not in decibel
  double range_db = 40;    // below the top
  double top = 0;          // the last colour's value; 0: the greatest
  int least_side = 512;    // small grids are enlarged to it
  int most_side = 2048;    // large ones shrunk: each picture element shows
                           // the greatest of its block
  std::string what;        // "current of port 1 at 2 GHz"
  std::string_view unit;   // "A/m"
};

// `image` with what its colours mean.
struct Picture {
  PaletteImage image;
  // Pixels of the mesh that it is wide and high: nx and ny, or a little more
  // where blocks stand over. Pixel (0, 0) is at the lower left.
  double columns = 0, rows = 0;
  // Values of the first and last colour: in decibel below the top where asked.
  double low = 0, high = 0;
  double greatest = 0;          // of the sizes, linear
  std::vector<Colour> colours;  // the scale alone
};

// Metal, ports and vias; seams between pixels where there is room.
Picture DrawLayout(const Mesh& mesh, const PictureOptions& options);

// Values of cells in colours. Where all are zero, all have the lowest colour,
// or the middle one.
Picture DrawField(const Mesh& mesh, std::span<const double> values,
                  const PictureOptions& options);

}  // namespace assay::planar
