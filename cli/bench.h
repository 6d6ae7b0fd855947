// Measures proofs of one configuration, several times.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "assay/runtime/report.h"
#include "assay/runtime/runtime.h"
#include "assay/whir/options.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace assay::cli {

// Medians over the runs.
struct Figures {
  whir::Parameters parameters;
  int runs = 0;
  double prove_ms = 0;
  double prove_min_ms = 0;
  double prove_cpu_ms = 0;
  double verify_ms = 0;
  uint64_t proof_bytes = 0;
  uint64_t peak_bytes = 0;  // of the process, the polynomial included
  uint64_t device_peak_bytes = 0;
  uint64_t planned_peak_bytes = 0;
  uint64_t submissions = 0;  // for one proof
  std::vector<Step> steps;
};

// Proves the instance of `seed` `runs` times and verifies each proof. Fails
// like MakePlan and Prove, and with kInternal if a proof is rejected.
Result<Figures> MeasureWhir(Runtime& runtime,
                            const whir::Parameters& parameters, uint64_t seed,
                            int runs);

Json FiguresJson(const Figures& figures);

// The published configurations and their extension, one row each.
struct GridRow {
  int n = 0;
  int fold = 0;
  int rate = 0;
  int reduction = 0;
};
std::vector<GridRow> GridRows(int max_n);

// Measures them all; the other parameters are those of `args`. Infeasible ones
// say why. Returns the exit status.
int RunGrid(const BenchWhirArgs& args, Runtime& runtime, uint64_t seed);

}  // namespace assay::cli
