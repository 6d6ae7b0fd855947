// Proves and checks sums of products of columns over GF(2^128).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "assay/binary/statement.h"
#include "cli/whir_options.h"

namespace assay::cli {

// A generated instance, or files of columns.
struct ColumnFlags {
  std::string seed;  // empty: not given
  int n = 0;         // 0: not given
  int d = 0;
  std::vector<std::string> columns;
};

struct SumcheckProveArgs {
  ColumnFlags source;
  RuntimeOptions runtime;
  std::string out = "sumcheck.bin";
  std::string trace;
  bool no_verify = false;
  bool json = false;
};

struct SumcheckVerifyArgs {
  std::string proof;
  ColumnFlags source;
  bool transcript_only = false;
  int n = 0;
  int d = 0;
  std::string sum;
  int max_n = 28;
  bool json = false;
};

// How fast proofs are made; cli/bench_sumcheck.cc.
struct BenchSumcheckArgs {
  int n = 20;
  int d = 2;
  int runs = 9;
  RuntimeOptions runtime;
  bool json = false;
};

// Each prints its answer and returns the exit status: 0 done or accepted,
// 1 error, 2 rejected.
int RunSumcheckProve(const SumcheckProveArgs& args);
int RunSumcheckVerify(const SumcheckVerifyArgs& args);
int RunBenchSumcheck(const BenchSumcheckArgs& args);

template <class V>
void Describe(V& v, SumcheckProveArgs& a) {
  v.Int("n", a.source.n, {1, binary::kMaxVariables},
        "variables: a column has 2^n elements; with --seed");
  v.Int("d", a.source.d, {1, binary::kMaxFactors}, "columns; with --seed");
  v.Text("seed", a.source.seed, "the generated instance of this seed");
  Describe(v, a.runtime);
  v.Text("out", a.out, "where the proof goes");
  v.Text("trace", a.trace, "where a Chrome trace goes");
  v.Flag("no-verify", a.no_verify, "skip the check of the finished proof");
  v.Flag("json", a.json, "answer in JSON");
}

template <class V>
void Describe(V& v, SumcheckVerifyArgs& a) {
  v.Text("seed", a.source.seed,
         "the instance it has to be about (default: the one that it names)");
  v.Int("n", a.n, {0, binary::kMaxVariables},
        "the variables that it has to have (0: any)");
  v.Int("d", a.d, {0, binary::kMaxFactors},
        "the columns that it has to have (0: any)");
  v.Text("sum", a.sum, "the sum that it has to claim, 32 hexadecimal digits");
  v.Flag("transcript-only", a.transcript_only,
         "replay the rounds and look at no column: decides nothing alone");
  v.Int("max-n", a.max_n, {1, binary::kMaxVariables},
        "refuse larger proofs: columns are evaluated, 2^n products each");
  v.Flag("json", a.json, "answer in JSON");
}

template <class V>
void Describe(V& v, BenchSumcheckArgs& a) {
  v.Int("n", a.n, {1, binary::kMaxVariables}, "variables");
  v.Int("d", a.d, {1, binary::kMaxFactors}, "columns");
  v.Int("runs", a.runs, {1, 1000}, "how often the proof is made");
  Describe(v, a.runtime);
  v.Flag("json", a.json, "answer in JSON");
}

}  // namespace assay::cli
