// Turn port solutions into what flows with one port driven.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/fields.h"

#include <utility>

#include "assay/ops/green/images.h"
#include "assay/planar/blas.h"
#include "assay/planar/unknowns.h"

namespace assay::planar {
namespace {

// columns * volts, for columns of n.
std::vector<Complex> Combine(size_t n, std::span<const Complex> columns,
                             const std::vector<Complex>& volts) {
  std::vector<Complex> sum(n);
  for (size_t b = 0; b < volts.size(); ++b) {
    for (size_t i = 0; i < n; ++i) sum[i] += volts[b] * columns[b * n + i];
  }
  return sum;
}

std::vector<Complex> Brought(const Mesh& mesh, double omega,
                             const std::vector<Complex>& currents) {
  std::vector<Complex> charges(mesh.cells.size());
  const auto ends = EndsOfCurrents(mesh);
  for (size_t e = 0; e < currents.size() && omega > 0; ++e) {
    const Complex moved = currents[e] / Complex(0, omega);
    charges[static_cast<size_t>(ends[e].to)] += moved;
    if (ends[e].from >= 0) {
      charges[static_cast<size_t>(ends[e].from)] -= moved;
    }
  }
  return charges;
}

}  // namespace

Result<std::vector<Field>> FieldsOf(
    const Mesh& mesh, size_t index, double hz, const PortMatrix& y,
    std::span<const double> z0, std::span<const std::complex<double>> currents,
    std::span<const std::complex<double>> charges) {
  const size_t p = y.ports;
  std::vector<Field> fields;
  for (size_t driven = 0; driven < p; ++driven) {
    // Port voltages: (1 + z0 Y) V = e, by columns.
    std::vector<Complex> system(p * p), volts(p);
    volts[driven] = 1;
    for (size_t a = 0; a < p; ++a) {
      for (size_t b = 0; b < p; ++b) {
        system[b * p + a] = (a == b ? 1.0 : 0.0) + z0[a] * y(a, b);
      }
    }
    const PivotedFactor factor(Pivoting::kRows, p, system.data());
    if (!factor.ok()) {
      return Error{Code::kInternal, "1 + z0 Y has no inverse", ""};
    }
    factor.Solve(1, volts.data());
    Field field;
    field.index = index;
    field.port = driven;
    field.currents = Combine(mesh.unknowns(), currents, volts);
    field.charges = charges.empty()
                        ? Brought(mesh, 2 * green::kPi * hz, field.currents)
                        : Combine(mesh.cells.size(), charges, volts);
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace assay::planar
