// Runs every case of every operation and remakes proofs, without GoogleTest.
// SPDX-License-Identifier: Apache-2.0
//
// tools/neon_test.sh compiles it for arm64, where no test library is, and runs
// it under qemu. Arguments: proof files of the deterministic instance.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "assay/base/files.h"
#include "assay/runtime/runtime.h"
#include "assay/whir/instance.h"
#include "assay/whir/plan.h"
#include "assay/whir/proof.h"
#include "assay/whir/prove.h"
#include "assay/whir/verify.h"

namespace assay {
namespace {

// Proves again what the file proves and compares the bytes. Empty: equal.
std::string Remake(Runtime& runtime, const std::string& path) {
  const auto bytes = ReadFile(path, uint64_t{1} << 24);
  if (!bytes.ok()) return bytes.error().what;
  auto file = whir::Decode(*bytes);
  if (!file.ok()) return file.error().what;
  const whir::Parameters& parameters = file->parameters;
  const auto plan = whir::MakePlan(parameters, uint64_t{1} << 32);
  if (!plan.ok()) return plan.error().what;
  std::vector<whir::Point> points;
  if (parameters.mode == whir::Mode::kGiven) {
    points = whir::SeedPoints(file->seed, parameters.n, parameters.points);
  }
  const whir::Verdict verdict =
      whir::Verify(plan->schedule, points, file->proof);
  if (!verdict.accepted) return "rejected: " + verdict.check;
  auto proof = whir::Prove(runtime, *plan,
                           whir::SeedEvals(file->seed, parameters.n), points);
  if (!proof.ok()) return proof.error().what;
  file->proof = *std::move(proof);
  const std::vector<std::byte> again = whir::Encode(*file);
  const auto [left, right] =
      std::mismatch(bytes->begin(), bytes->end(), again.begin(), again.end());
  if (left == bytes->end() && right == again.end()) return {};
  return fmt::format("differs at byte {}", left - bytes->begin());
}

int Run(const std::vector<std::string>& paths) {
  auto runtime = Runtime::Open({.device = "cpu", .threads = 1});
  if (!runtime.ok()) {
    fmt::print(stderr, "error: {}\n", runtime.error().what);
    return 1;
  }
  fmt::print("{}\n", (*runtime)->device().info().detail);
  int passed = 0;
  int failed = 0;
  const auto report = [&](bool good, const std::string& what,
                          const std::string& detail) {
    ++(good ? passed : failed);
    fmt::print("{} {}{}{}\n", good ? "ok    " : "FAILED", what,
               detail.empty() ? "" : ": ", detail);
  };
  for (const CaseResult& result : (*runtime)->SelfTest()) {
    report(result.passed, result.name, result.detail);
  }
  for (const std::string& path : paths) {
    const std::string fault = Remake(**runtime, path);
    report(fault.empty(), "proof " + path, fault);
  }
  fmt::print("{} passed, {} failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  return assay::Run(std::vector<std::string>(argv + 1, argv + argc));
}
