// The commands of the tool and what each of them takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "assay/runtime/runtime.h"
#include "assay/whir/options.h"
#include "cli/source.h"
#include "cli/whir_device.h"
#include "cli/whir_options.h"

namespace assay::cli {

struct ProveArgs {
  whir::Parameters parameters;  // n is filled in from the source
  WhirDevice device;
  SourceFlags source;  // its n is parameters.n
  std::string point = "random";
  std::string out = "proof.bin";
  std::string statement;
  std::string trace;
  std::string report;
  bool no_verify = false;
  bool json = false;
};

struct VerifyArgs {
  std::string proof;
  std::string statement;
  std::string policy;
  bool json = false;
};

struct SelfTestArgs {
  std::string op;
  RuntimeOptions runtime;
  bool json = false;
};

struct DevicesArgs {
  bool json = false;
};

struct BenchWhirArgs {
  whir::Parameters parameters;
  WhirDevice device;
  bool grid = false;
  int max_n = 24;
  int runs = 5;
  std::string seed = "1";
  std::string out;
  bool json = false;
};

// Each prints its answer and returns the exit status: 0 done or accepted,
// 1 error, 2 rejected.
int RunProve(const ProveArgs& args);
int RunVerify(const VerifyArgs& args);
int RunSelfTest(const SelfTestArgs& args);
int RunDevices(const DevicesArgs& args);
int RunBenchWhir(const BenchWhirArgs& args);

template <class V>
void Describe(V& v, ProveArgs& a) {
  v.Text("seed", a.source.seed, "polynomial: the instance of this seed");
  Describe(v, a.parameters);
  v.Text("evals", a.source.evals,
         "polynomial: a file of little-endian u32 below p, a power of two");
  v.Text("input", a.source.input,
         "polynomial: the bytes of any file, three to a value");
  v.Text("point", a.point,
         "random (a fresh seed, kept in the proof, or --seed) or a file");
  Describe(v, a.device);
  v.Text("out", a.out, "where the proof goes");
  v.Text("statement", a.statement, "where the statement goes, as JSON");
  v.Text("trace", a.trace, "where a Chrome trace goes");
  v.Text("report", a.report, "where a page about the proof goes");
  v.Flag("no-verify", a.no_verify, "skip the check of the finished proof");
  v.Flag("json", a.json, "answer in JSON");
}

template <class V>
void Describe(V& v, VerifyArgs& a) {
  v.Text("statement", a.statement, "the statement that the proof has to prove");
  v.Text("policy", a.policy,
         "a policy file, or any (default: ud or jb, 90 bits, 16 grinding)");
  v.Flag("json", a.json, "answer in JSON");
}

template <class V>
void Describe(V& v, SelfTestArgs& a) {
  Describe(v, a.runtime);
  v.Flag("json", a.json, "answer in JSON");
}

template <class V>
void Describe(V& v, DevicesArgs& a) {
  v.Flag("json", a.json, "answer in JSON");
}

template <class V>
void Describe(V& v, BenchWhirArgs& a) {
  Describe(v, a.parameters);
  Describe(v, a.device);
  v.Flag("grid", a.grid, "run the table of published configurations");
  v.Int("max-n", a.max_n, {1, whir::kMaxVariables},
        "with --grid: leave out larger n");
  v.Int("runs", a.runs, {1, 1000}, "how often each proof is made");
  v.Text("seed", a.seed, "the deterministic instance");
  v.Text("out", a.out, "with --grid: a folder for figures and a page");
  v.Flag("json", a.json, "answer in JSON");
}

}  // namespace assay::cli
