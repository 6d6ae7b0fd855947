// What is said about a finished proof: as text, as JSON and as a page.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "assay/runtime/report.h"
#include "assay/whir/batch.h"
#include "cli/report.h"
#include "cli/source.h"
#include "cli/statement.h"
#include "cli/verbs.h"

namespace assay::cli {

struct ProveAnswer {
  Source source;
  whir::ProofFile file;
  Statement::Points points_from = Statement::Points::kSeed;
  uint64_t proof_bytes = 0;
  double probe_ms = 0;  // trying the device's kernels
  double prove_ms = 0;
  double prove_cpu_ms = 0;
  double verify_ms = 0;
  std::optional<whir::Verdict> verdict;  // absent with --no-verify
  std::optional<whir::Verdict> tampered;
  size_t tampered_byte = 0;
  std::vector<Step> steps;
  std::string device;
  std::string offload;             // what it did: "fused", "grind", ...
  std::vector<std::string> notes;  // devices that were left, and why
  whir::Traffic traffic;
  uint64_t peak_bytes = 0;  // of the whole process
  uint64_t device_peak_bytes = 0;
  uint64_t planned_peak_bytes = 0;

  std::vector<Row> Rows(const ProveArgs& args) const;
  Json ToJson(const ProveArgs& args) const;
  ReportPage Page() const;
  // Where the points come from, in words.
  std::string PointsWords() const;
};

}  // namespace assay::cli
