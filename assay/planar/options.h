// What a caller may set of a sweep.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/ops/green/rectangles.h"

namespace assay::planar {

enum class Solver : uint8_t { kAuto, kDense, kFast };

struct Options {
  double tolerance = 1e-3;  // of the reduced model's residual
  bool direct = false;      // solve every frequency exactly
  // Auto: dense for few unknowns and frequencies that its form can take, fast
  // for the rest.
  Solver solver = Solver::kAuto;
  green::FarForm far = green::FarForm::kMultipole;  // kPoint: the seed's form
  bool edge_correction = false;                     // spec 5
  bool flat_ports = false;    // no upright sheets below edge ports (spec 7)
  bool ground_loss = false;   // the ground has the metal's conductivity
  bool fields = false;        // keep currents and charges for pictures
  uint64_t memory_bytes = 0;  // the most; 0: what is free
};

template <class V>
void Describe(V& v, Options& o) {
  v.Real("tol", o.tolerance, {1e-12, 1},
         "greatest residual of an interpolated frequency");
  v.Enum("solver", o.solver,
         {{"auto", Solver::kAuto},
          {"dense", Solver::kDense},
          {"fast", Solver::kFast}},
         "how an exact frequency is solved");
  v.Enum("mode", o.far,
         {{"multipole", green::FarForm::kMultipole},
          {"point", green::FarForm::kPoint}},
         "how far pairs of cells are taken");
  v.Flag("direct", o.direct, "solve every frequency exactly");
  v.Flag("edge-correction", o.edge_correction,
         "correct the self terms of cells at the metal's edge");
  v.Flag("flat-ports", o.flat_ports,
         "leave out the upright sheets below edge ports");
  v.Flag("ground-loss", o.ground_loss,
         "a ground of the metal's conductivity instead of a perfect one");
  v.Flag("currents", o.fields, "keep currents and charges, for pictures");
  v.Bytes("memory", o.memory_bytes, "most memory, e.g. 8GiB");
}

}  // namespace assay::planar
