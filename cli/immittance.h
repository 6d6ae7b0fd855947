// Finds Y and Z of a sweep's answer where they exist.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "assay/planar/simulate.h"

namespace assay::cli {

// Siemens and ohms at frequency `index` of `answer`, nothing where the network
// has none: Z of a series element that no current leaves to ground, Y of an
// ideal short. At 0 Hz of perfect metal, whose Answer::y is that of a stand-in
// (dc.h), both come from S, which is the limit. O(ports^3).
std::optional<planar::PortMatrix> AdmittanceAt(const planar::Answer& answer,
                                               size_t index);
std::optional<planar::PortMatrix> ImpedanceAt(const planar::Answer& answer,
                                              size_t index);

}  // namespace assay::cli
