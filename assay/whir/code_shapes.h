// The shapes of all commitments of a schedule.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "assay/whir/commitment.h"
#include "assay/whir/soundness.h"

namespace assay::whir {

// The first commitment, then one a round (docs/engines/whir.md, section 6).
inline std::vector<CodeShape> CodeShapes(const Schedule& schedule) {
  const int n = schedule.parameters.n;
  std::vector<CodeShape> shapes;
  shapes.push_back({n - schedule.first_fold,
                    schedule.log_domain - schedule.first_fold,
                    schedule.first_fold, /*extension=*/false});
  for (const Round& round : schedule.rounds) {
    shapes.push_back({round.variables - round.fold,
                      round.log_domain - round.fold, round.fold,
                      /*extension=*/true});
  }
  return shapes;
}

// The table of twiddles that serves every shape.
inline int LogTwiddles(const std::vector<CodeShape>& shapes) {
  int log_size = 0;
  for (const CodeShape& shape : shapes) {
    log_size = std::max(log_size, shape.log_rows);
  }
  return log_size;
}

}  // namespace assay::whir
