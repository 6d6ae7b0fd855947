// Solve the cross-section of parallel strips over a grounded dielectric.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/mesh.h"

namespace assay::planar {

// A strip of no thickness on top of the dielectric, in metres.
struct Strip {
  double x0 = 0;
  double x1 = 0;  // greater than x0
};

// One way in which waves run along a line, per strip. For a single strip and
// for the even and odd mode of a pair.
struct LineMode {
  std::complex<double> capacitance;  // F/m: C' - j G'/omega
  double inductance = 0;             // H/m, of the fields outside the metal
  // 1/m: surface impedance times these is the series impedance.
  double strip_loss = 0;
  double ground_loss = 0;

  // Without losses: sqrt(L'/C') in ohms, L' C' c^2, and s/m.
  double Impedance() const;
  double Permittivity() const;
  double Delay() const;
};

// Matrices are strips x strips, row by row, and symmetric.
struct LineModel {
  size_t strips = 0;
  std::vector<std::complex<double>> capacitance;  // F/m, Maxwell's matrix
  std::vector<double> inductance;                 // H/m
  std::vector<double> strip_loss;   // 1/m, empty for a perfect conductor
  std::vector<double> ground_loss;  // 1/m, of a ground of the same metal
};

inline constexpr int kLineSegments = 200;
// Strips times segments.
inline constexpr size_t kMostLineSegments = 4096;
// Pairs of segments times images: two minutes or so.
inline constexpr double kMostLineTerms = 5e9;

// The quasi-static line of `strips`, which rise and do not touch. Galerkin's
// method with pulses on `segments` pieces a strip, graded as cosines, and the
// images of green::ScalarPotential as lines of charge: -2 ln r for each 1/r
// (spec 3 and 10). The loss is the incremental inductance of receding walls
// (Wheeler, Proc. IRE 30, 1942): the square of the field on both faces of
// strips and on the ground. Edges of a strip of thickness t stop at t/290
// from the rim (Lewin, IEEE MTT 32, 1984), which is meant for skin depths
// small beside t.
//
// Cost, n = strips * segments: n^2/2 logarithms an image (75 images on FR4),
// n^3/3 multiplications, 16 n^2 bytes. With 200 segments a strip takes 25 ms,
// Z0 is 2e-5 from its limit and the strip's loss 1e-3. Fails with
// kInvalidInput for a substrate that has no series, strips out of order, n
// above kMostLineSegments, or lossy metal that has no thickness or more of it
// than a strip has width, and with kOverBudget above kMostLineTerms.
Result<LineModel> SolveLine(const Substrate& substrate,
                            const Conductor& conductor,
                            std::span<const Strip> strips,
                            int segments = kLineSegments);

// Precondition: one strip.
LineMode SingleMode(const LineModel& model);

// Equal and opposite voltages. Preconditions: two strips of equal width.
LineMode EvenMode(const LineModel& model);
LineMode OddMode(const LineModel& model);

// A mode at one frequency. A reference plane moves by gamma * length
// (ShiftPlanes, network.h).
struct LineWave {
  std::complex<double> gamma;      // Np/m and rad/m
  std::complex<double> impedance;  // ohms
};

// Quasi-static: no dispersion beside that of the metal's surface impedance.
// `lossy_ground`: the ground is of the strips' metal. `conductor` is the one
// that the model was made for. Precondition: hz > 0.
LineWave WaveAt(const LineMode& mode, const Conductor& conductor, double hz,
                bool lossy_ground);

}  // namespace assay::planar
