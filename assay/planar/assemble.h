// Assemble the dense matrices of a mesh.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "assay/base/parallel.h"
#include "assay/base/result.h"
#include "assay/ops/green/green.h"
#include "assay/planar/mesh.h"
#include "assay/planar/panels.h"
#include "assay/planar/unknowns.h"

namespace assay::planar {

struct AssembleOptions {
  // Subtracts the uniform pulses' excess at exposed pixel sides (spec 5).
  bool edge_correction = false;
  // Upright sheets below edge ports: spec 7. Half cells stay either way.
  bool vertical_sheets = true;
  green::FarForm far = green::FarForm::kMultipole;
  // The ground loses as the metal does (spec 6). Of edges only: the currents
  // of ports and vias meet no ground of their own.
  bool lossy_ground = false;
};

// What the dense solver solves. The currents' numbers are those of the mesh.
struct DenseMatrices {
  Panels<double> inductance;      // L, henry
  Panels<double> potential;       // Psi = D^T P D, 1/farad
  Panels<double> potential_loss;  // its imaginary part, empty without loss
  Panels<double> ground;          // (1/mu0) dL/dh, empty without its loss
  std::vector<double> squares;    // diagonal of G: length over width
  std::vector<Source> sources;
  Conductor conductor;
  size_t ports = 0;
};

// The tables of a mesh's grid, by all threads. nx ny averages of each series.
Result<green::Tables> MakeTables(const Threads& threads, const Mesh& mesh,
                                 const AssembleOptions& options);

// The Green's functions of a mesh's substrate.
Result<green::Kernel> KernelOf(const Mesh& mesh, green::FarForm far);

// Diagonal of G: length over width of each current's metal, 0 for ports.
std::vector<double> SquaresOf(const Mesh& mesh);

// Bytes of the matrices alone: 8 n^2, and 4 n^2 more each with a lossy
// dielectric and with a lossy ground.
double AssembledBytes(size_t unknowns, bool lossy, bool lossy_ground);

// Precondition: the mesh is numbered. Peak: AssembledBytes and 150 bytes a
// pixel. Fails with kOverBudget where that is above `max_bytes` or memory is
// short.
Result<DenseMatrices> Assemble(const Threads& threads, const Mesh& mesh,
                               const AssembleOptions& options,
                               double max_bytes);

}  // namespace assay::planar
