// Coefficients of potential and inductances of a grid of pixels.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/green/green.h"

#include <cmath>
#include <complex>

namespace assay::green {

namespace {

// (1/mu0) of the derivative of a unit of inductance by the ground's depth h:
// only the image at 2h moves. Central differences of fourth order: 1e-6.
double GroundShare(RectanglePair pair, double h, FarForm form) {
  const auto mean = [&](double z) {
    pair.z = z;
    return MeanInverseDistance(pair, form);
  };
  const double step = h / 16;
  const double slope = (mean(2 * h - 2 * step) - 8 * mean(2 * h - step) +
                        8 * mean(2 * h + step) - mean(2 * h + 2 * step)) /
                       (12 * step);
  return -2 * slope / (4 * kPi);
}

}  // namespace

Tables EmptyTables(const Grid& grid, bool lossy, bool ground) {
  Tables tables;
  tables.grid = grid;
  const size_t size =
      static_cast<size_t>(grid.nx) * static_cast<size_t>(grid.ny);
  tables.p.resize(size);
  if (lossy) tables.p_imag.resize(size);
  tables.lxx.resize(size);
  tables.lyy.resize(size);
  if (ground) {
    tables.gxx.resize(size);
    tables.gyy.resize(size);
  }
  return tables;
}

void FillTables(const Kernel& kernel, int begin, int end, Tables& tables) {
  const Grid& grid = tables.grid;
  for (int i = begin; i < end; ++i) {
    for (int j = 0; j < grid.ny; ++j) {
      const RectanglePair pair = {.x1 = grid.dx,
                                  .y1 = grid.dy,
                                  .x2 = grid.dx,
                                  .y2 = grid.dy,
                                  .dx = i * grid.dx,
                                  .dy = j * grid.dy};
      const size_t at = tables.At(i, j);
      const auto p = Average(kernel.scalar, pair, kernel.form);
      tables.p[at] = p.real();
      if (!tables.p_imag.empty()) tables.p_imag[at] = p.imag();
      // A current's cell is a pixel's rectangle around its edge, for both
      // directions: l w / w of both cells is l^2.
      const double a = Average(kernel.vector, pair, kernel.form).real();
      tables.lxx[at] = a * grid.dx * grid.dx;
      tables.lyy[at] = a * grid.dy * grid.dy;
      if (tables.gxx.empty()) continue;
      const double g =
          GroundShare(pair, kernel.vector.images[1].depth / 2, kernel.form);
      tables.gxx[at] = g * grid.dx * grid.dx;
      tables.gyy[at] = g * grid.dy * grid.dy;
    }
  }
}

double MutualInductance(const Kernel& kernel, const CurrentCell& a,
                        const CurrentCell& b, bool along_x) {
  RectanglePair pair = {.x1 = a.along,
                        .y1 = a.across,
                        .x2 = b.along,
                        .y2 = b.across,
                        .dx = b.x - a.x,
                        .dy = b.y - a.y};
  if (!along_x) {
    std::swap(pair.x1, pair.y1);
    std::swap(pair.x2, pair.y2);
  }
  return Average(kernel.vector, pair, kernel.form).real() * a.along * b.along;
}

double SheetInductance(const SheetPair& pair, double h, FarForm form) {
  // In the vertical plane: one sheet over [0, h], the other with its image
  // over [-h, h].
  const RectanglePair sheets = {.x1 = h,
                                .y1 = pair.width1,
                                .x2 = 2 * h,
                                .y2 = pair.width2,
                                .dx = -h / 2,
                                .dy = pair.lateral,
                                .z = pair.separation};
  return kMu0 / (4 * kPi) * MeanInverseDistance(sheets, form) * h * 2 * h;
}

double FilamentInductance(double distance, double h) {
  // The integral of 1/R over [0, h] and [-h, h].
  return kMu0 / (4 * kPi) *
         (2 * h * std::asinh(2 * h / distance) - std::hypot(2 * h, distance) +
          distance);
}

}  // namespace assay::green
