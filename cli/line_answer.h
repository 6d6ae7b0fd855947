// Prints what is known of a line, for people and as JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "assay/planar/line.h"
#include "cli/output.h"

namespace assay::cli {

// What was asked, in metres and hertz.
struct Line {
  planar::Substrate substrate;
  planar::Conductor conductor;
  std::vector<planar::Strip> strips;
  std::vector<double> hz;
  bool ground_loss = false;
};

// "single", "even" or "odd".
struct NamedMode {
  const char* name;
  planar::LineMode mode;
};

// Rows for each mode and frequency, and matrices where there are more strips
// than one, on stdout.
void PrintLine(const Line& line, const planar::LineModel& model,
               const std::vector<NamedMode>& modes);

// The same in SI units, one entry of "waves" a frequency.
Json LineJson(const Line& line, const planar::LineModel& model,
              const std::vector<NamedMode>& modes);

}  // namespace assay::cli
