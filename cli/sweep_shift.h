// Moves the reference planes of ports along the lines that they feed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "assay/base/result.h"
#include "assay/planar/simulate.h"

namespace assay::cli {

// Y and S of `answer` as seen from planes that lie `metres` further inwards,
// one length a port, 0 or negative ones too. The line at a port is as wide as
// the port: its impedance and its gamma come from the cross-section (line.h),
// and S is taken to that impedance, moved, and brought back to z0. 0 Hz stays
// as it is. Fails with kInvalidInput for a length at a port that is no edge
// port, where S of the moved planes has no Y, and as SolveLine.
Status ShiftAnswer(std::span<const double> metres, bool lossy_ground,
                   planar::Answer& answer);

}  // namespace assay::cli
