// Moves the reference planes of ports along the lines that they feed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "assay/base/result.h"
#include "assay/planar/simulate.h"

namespace assay::cli {

inline constexpr std::string_view kBeforeShift = "before the planes moved: ";
inline constexpr std::string_view kShiftGain = "reference planes moved: gain";

// Whether a length is not 0.
bool AnyMoves(std::span<const double> metres);

// Y and S of `answer` as seen from planes that lie `metres` further inwards,
// one length a port, 0 or negative ones too. The line at a port is as wide as
// the port: its impedance and its gamma come from the cross-section (line.h),
// and S is taken to that impedance, moved, and brought back to z0. 0 Hz stays
// as it is.
//
// The checks so far keep their results and are renamed kBeforeShift...: they
// were of the S that was solved. One more, kShiftGain, is of the moved S: a
// line that is not what the cross-section says it is makes it gain. Warnings
// say so, and where the line of a port ends before the new plane
// (port_line.h). Nothing at all happens where every length is 0. Fails with
// kInvalidInput for a length at a port that is no edge port, where S of the
// moved planes has no Y, and as SolveLine.
Status ShiftAnswer(std::span<const double> metres, bool lossy_ground,
                   planar::Answer& answer);

}  // namespace assay::cli
