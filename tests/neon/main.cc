// Runs every case of every operation and prints what passed.
// SPDX-License-Identifier: Apache-2.0
//
// A plain main() because a cross build has no GoogleTest: tools/neon_test.sh
// compiles it for arm64 and runs it under qemu.
#include <fmt/format.h>

#include <cstdio>

#include "assay/runtime/runtime.h"

int main() {
  auto runtime = assay::Runtime::Open({.device = "cpu", .threads = 1});
  if (!runtime.ok()) {
    fmt::print(stderr, "error: {}\n", runtime.error().what);
    return 1;
  }
  int passed = 0;
  int failed = 0;
  for (const assay::CaseResult& result : (*runtime)->SelfTest()) {
    ++(result.passed ? passed : failed);
    fmt::print("{} {:<12} {}{}{}\n", result.passed ? "ok    " : "FAILED",
               result.op, result.name, result.detail.empty() ? "" : ": ",
               result.detail);
  }
  fmt::print("{}\n", (*runtime)->device().info().name);
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
