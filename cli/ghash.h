// Prints the GHASH of files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "assay/runtime/runtime.h"
#include "cli/whir_options.h"

namespace assay::cli {

struct GhashArgs {
  std::vector<std::string> files;  // "-": standard input
  std::string h;                   // hexadecimal
  RuntimeOptions runtime;
  bool json = false;
};

// One line a file: the hash in hexadecimal and the name. Returns the exit
// status: 0 done, 1 error.
int RunGhash(const GhashArgs& args);

template <class V>
void Describe(V& v, GhashArgs& a) {
  v.Text("h", a.h, "the hash key, 32 hexadecimal digits; E(0) of an AES key");
  Describe(v, a.runtime);
  v.Flag("json", a.json, "answer in JSON");
}

}  // namespace assay::cli
