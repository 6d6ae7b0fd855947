// Writes a sweep as a table that spreadsheets and scripts read.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "assay/planar/simulate.h"

namespace assay::cli {

enum class Parameters : uint8_t { kS, kY, kZ };

// A header with units and a line a frequency, comma-separated: frequency_hz;
// re and im of every parameter by rows, which read back exactly; of S its dB
// and degrees; of a one-port R, X, L, C and Q; 1 where solved exactly.
// `s21_re` is port 2 driven by port 1, `s10_2_re` where there are more than 9
// ports; y is in siemens and z in ohms. A cell is empty where there is no
// number: dB of 0, L of a capacitor, 0 Hz, all of a Y or Z that does not exist
// (immittance.h).
std::string SweepCsv(const planar::Answer& answer,
                     Parameters parameters = Parameters::kS);

}  // namespace assay::cli
