// Inverses, and the Cayley map of S and of -S.
// SPDX-License-Identifier: Apache-2.0
#include "cli/immittance.h"

#include <utility>
#include <vector>

#include "assay/planar/network.h"

namespace assay::cli {
namespace {

using planar::Answer;
using planar::PortMatrix;

std::optional<PortMatrix> IfThere(Result<PortMatrix> found) {
  if (!found.ok()) return std::nullopt;
  return std::move(*found);
}

bool IsStandIn(const Answer& answer, size_t index) {
  return answer.hz[index] == 0 && answer.raster.mesh.conductor.sigma == 0;
}

}  // namespace

std::optional<PortMatrix> AdmittanceAt(const Answer& answer, size_t index) {
  if (!IsStandIn(answer, index)) return answer.y[index];
  return IfThere(planar::YFromS(answer.s[index], answer.z0));
}

std::optional<PortMatrix> ImpedanceAt(const Answer& answer, size_t index) {
  if (!IsStandIn(answer, index)) {
    return IfThere(planar::ZFromY(answer.y[index]));
  }
  // Z is to -S and 1 / z0 what Y is to S and z0.
  PortMatrix dual = answer.s[index];
  for (planar::Complex& value : dual.values) value = -value;
  std::vector<double> siemens;
  for (const double ohms : answer.z0) siemens.push_back(1 / ohms);
  return IfThere(planar::YFromS(dual, siemens));
}

}  // namespace assay::cli
