// Says what a sweep found: as rows, as a table, as JSON, as Touchstone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/simulate.h"
#include "assay/planar/touchstone.h"
#include "cli/output.h"
#include "cli/sweep_files.h"

namespace assay::cli {

struct SweepFigures {
  double sweep_s = 0;       // of Simulate, wall clock
  uint64_t peak_bytes = 0;  // of the process so far
};

// Of the drawing, of validity, and fallbacks, each once.
std::vector<std::string> WarningsOf(const planar::Answer& answer);

// "moved inwards by 1, 2 mm"; empty where no plane moved.
std::string ShiftWords(const SweepJob& job);

// What was solved, how, the least |S|, the three edges that
// moved farthest, the tests, and the costs.
std::vector<Row> SweepRows(const SweepJob& job, const planar::Answer& answer,
                           const SweepFigures& figures);

// |S| in dB and the angle in degrees, a line a frequency: all of S for one
// and two ports, its first column for more.
std::string SweepTable(const planar::Answer& answer);

// Everything but fields; keys end in their unit, "y" is in siemens and "z" in
// ohms, null where there is none (immittance.h). "moves" lists the farthest
// 200 of "moves_count" edges.
Json SweepJson(const SweepJob& job, const planar::Answer& answer,
               const SweepFigures& figures);

// The Touchstone file of that path. Fails as VersionForPath and
// FormatTouchstone.
Result<std::string> TouchstoneText(const SweepJob& job,
                                   const planar::Answer& answer,
                                   planar::TouchstoneOptions options);

// "residual (1.2e-5, at most 1e-9: ...); ...": the tests that failed.
std::string FailedChecks(const planar::Verification& verification);

}  // namespace assay::cli
