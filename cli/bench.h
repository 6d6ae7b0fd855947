// Measures proofs of one configuration, several times.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "assay/runtime/report.h"
#include "assay/runtime/runtime.h"
#include "assay/whir/batch.h"
#include "assay/whir/options.h"
#include "assay/whir/placement.h"
#include "assay/whir/work.h"
#include "cli/output.h"
#include "cli/verbs.h"

namespace assay::cli {

// A kernel in one proof.
struct KernelFigure {
  std::string name;
  std::string device;
  double ms = 0;
  int64_t calls = 0;
  uint64_t bytes = 0;     // each input and output once; 0: not counted
  uint64_t products = 0;  // of base elements
};

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
  whir::Offload offload = whir::Offload::kFused;
  whir::Traffic traffic;  // of one proof
  std::vector<Step> steps;
  std::vector<KernelFigure> kernels;
};

// Proves the instance of `seed` `runs` times and verifies each proof. Off the
// processor, where taking times costs time, kernels are timed in one more run,
// before the others. Fails like MakePlan and Prove, and with kInternal if a
// proof is rejected.
Result<Figures> MeasureWhir(Runtime& runtime,
                            const whir::Parameters& parameters, uint64_t seed,
                            int runs,
                            whir::Offload offload = whir::Offload::kFused);

Json FiguresJson(const Figures& figures);

// The published configurations and their extension, one row each.
struct GridRow {
  int n = 0;
  int fold = 0;
  int rate = 0;
  int reduction = 0;
};
std::vector<GridRow> GridRows(int max_n);

// One configuration in every way of offloading that was asked for; where a
// measurement was not possible its error stands in its place.
struct GridCell {
  std::string mode;  // "cpu", "fused", "gpu", "grind"
  std::optional<Figures> figures;
  std::optional<Error> error;
};
struct GridResult {
  GridRow row;
  whir::Parameters parameters;
  std::vector<GridCell> cells;

  const GridCell* Find(std::string_view mode) const;
  // The fastest on the device, null where there is none.
  const GridCell* Best() const;
  // By which the best is faster than the processor; 0 where either is missing.
  double SpeedUp() const;
};
struct GridData {
  std::string host;    // the processor
  std::string device;  // the other one; empty: there is none
  int runs = 0;
  whir::Roofs roofs;
  std::vector<GridResult> results;
};

// Measures them all; the other parameters are those of `args`. Infeasible ones
// say why. Writes whir.json and whir.html to the folder `args.out`, if there
// is one. Returns the exit status.
int RunGrid(const BenchWhirArgs& args, Runtime& runtime, uint64_t seed);

Json GridJson(const GridData& data);
// A page with plots, which needs no other file.
std::string GridPage(const GridData& data);

}  // namespace assay::cli
