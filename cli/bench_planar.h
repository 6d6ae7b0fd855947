// Times whole sweeps of layouts that are made in code.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "assay/planar/options.h"

namespace assay::cli {

struct BenchPlanarArgs {
  std::string which = "all";
  bool growth = false;
  int runs = 3;
  int threads = 0;
  planar::Options options;
  bool json = false;
};

// Medians of `runs` sweeps from the layout to tested S-parameters. Prints a
// table, or with --json an object a case. Returns the exit status.
int RunBenchPlanar(const BenchPlanarArgs& args);

template <class V>
void Describe(V& v, BenchPlanarArgs& a) {
  v.Text("case", a.which, "seed, sheet, large, blocks, or all of them");
  v.Flag("growth", a.growth, "full sheets from 1000 to 250 000 unknowns");
  v.Int("runs", a.runs, {1, 100}, "sweeps of each case");
  v.Int("threads", a.threads, {0, 1024}, "worker threads (0: all there are)");
  Describe(v, a.options);
  v.Flag("json", a.json, "answer in JSON, one line a case");
}

}  // namespace assay::cli
