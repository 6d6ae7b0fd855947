// Chooses the frequencies whose currents are kept and draws them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/base/result.h"
#include "assay/planar/simulate.h"
#include "cli/sweep_files.h"

namespace assay::cli {

// Indices into `hz` that are nearest to the frequencies in `text`, rising and
// each once. Fails with kInvalidInput for one outside of the band.
Result<std::vector<size_t>> NearestTo(std::string_view text,
                                      std::span<const double> hz);

// Where currents tell most: the first frequency above 0, the last one, and
// the one of the least |S21|, or of the least |S11| where there is one port.
std::vector<size_t> TellingFrequencies(const planar::Answer& answer);

// The index of the least |S_ij| above 0 Hz.
size_t LeastIndex(const planar::Answer& answer, size_t i, size_t j);

// Two PNG a field: `folder`/NAME_current_port1_3.674GHz.png and _charge_, with
// as many digits as make the names differ.
Result<std::vector<Output>> DrawFields(const planar::Answer& answer,
                                       const std::string& folder,
                                       const std::string& name);

}  // namespace assay::cli
