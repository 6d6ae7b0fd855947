// Writes a page about one sweep that needs no other file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "assay/planar/layout.h"
#include "assay/planar/simulate.h"
#include "cli/output.h"

namespace assay::cli {

// What only the caller knows. Text for people; it is escaped here.
struct SweepNotes {
  std::string title;            // empty: made of the layout's file
  std::string planes;           // "moved inwards by 5 mm"; empty: not moved
  std::vector<Row> parameters;  // options, after those of the layout
  std::vector<Row> figures;     // times and memory, after Answer::costs
};

// HTML: the verdict, warnings, S in dB and degrees, Smith charts, figures of
// one-ports, the layout, the kept fields, parameters and costs. About 0.1 MB,
// and 20 bytes a value of S; the values for the pointer are left out where
// they are many. Precondition: at least one frequency.
std::string SweepReport(const planar::Layout& layout,
                        const planar::Answer& answer,
                        const SweepNotes& notes = {});

}  // namespace assay::cli
