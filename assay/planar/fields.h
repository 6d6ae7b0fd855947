// Turn port solutions into what flows with one port driven.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/mesh.h"
#include "assay/planar/network.h"

namespace assay::planar {

// What flows and lies on the metal at one frequency while port `port` sees
// 1 V behind its z0 and the other ports are closed by theirs.
struct Field {
  size_t index = 0;  // into the frequencies
  size_t port = 0;
  std::vector<std::complex<double>> currents;  // ampere, an unknown each
  std::vector<std::complex<double>> charges;   // coulomb, a cell each
};

// One field a port. `currents` (unknowns x ports) at 1 V on one port and 0 V
// on the others; `charges` likewise, or empty: then they are those that the
// currents bring, or zero at DC (`hz` = 0). Fails with kInternal where 1 + z0 Y
// has no inverse.
Result<std::vector<Field>> FieldsOf(
    const Mesh& mesh, size_t index, double hz, const PortMatrix& y,
    std::span<const double> z0, std::span<const std::complex<double>> currents,
    std::span<const std::complex<double>> charges);

}  // namespace assay::planar
