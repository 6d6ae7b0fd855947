// Says in words and tables what a sweep was of, cost, and passed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "assay/planar/layout.h"
#include "assay/planar/simulate.h"
#include "cli/output.h"

namespace assay::cli {

// One line of verdict over a table: check, value, bound, passed.
std::string VerdictHtml(const planar::Verification& verification);

// What triangles mean, and how well the curves between them are known.
// Both are of S before reference planes moved, which it says if they did.
std::string SolvedHtml(const planar::Answer& answer, bool moved = false);

std::vector<Row> ParameterRows(const planar::Layout& layout,
                               const planar::Answer& answer);
std::vector<Row> CostRows(const planar::Answer& answer);

// Folded: how far edges moved, and each exact solution. At most 60 rows.
std::string MovesHtml(const planar::Layout& layout,
                      const planar::Answer& answer);
std::string SolutionsHtml(const planar::Answer& answer);

}  // namespace assay::cli
