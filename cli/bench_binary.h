// Measures every curve of the binary engine and writes them down.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assay/runtime/runtime.h"
#include "cli/whir_options.h"

namespace assay::cli {

struct BenchBinaryArgs {
  RuntimeOptions runtime;  // "auto": the processor, and the GPU if there is one
  uint64_t max_bytes = uint64_t{8} << 30;
  int max_n = 28;
  int runs = 5;
  std::vector<std::string> with;  // curves that others measured
  std::string out = "bench-binary";
  bool json = false;
};

// Throughput of each kernel against size, time of sum-checks against n and d,
// beside what the memory gives in the same run; as binary.csv, binary.json and
// a page, binary.html, in the folder `out`. Each kernel is compared with its
// meaning before it is timed. Returns the exit status.
int RunBenchBinary(const BenchBinaryArgs& args);

template <class V>
void Describe(V& v, BenchBinaryArgs& a) {
  Describe(v, a.runtime);
  v.Bytes("max-bytes", a.max_bytes,
          "largest input of the kernels, e.g. 1GiB; what fits decides");
  v.Int("max-n", a.max_n, {10, 40}, "most variables of the sum-checks");
  v.Int("runs", a.runs, {1, 1000}, "how often each is measured");
  v.Text("out", a.out, "the folder of the files, made where it is missing");
  v.Flag("json", a.json, "answer in JSON");
}

}  // namespace assay::cli
