// Accepts or rejects a WHIR proof without any device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "assay/base/result.h"
#include "assay/number/ext4.h"
#include "assay/protocol/challenger.h"
#include "assay/whir/point.h"
#include "assay/whir/proof.h"
#include "assay/whir/soundness.h"

namespace assay::whir {

// The outcome; `check` names the test that failed, empty where accepted.
struct Verdict {
  bool accepted = false;
  std::string check;   // short name, e.g. "queries of round 1"
  std::string detail;  // one sentence
};

// Checks `proof` against a schedule that Derive made from trusted parameters
// (docs/engines/whir.md, section 10). `points` are the statement's points in
// GIVEN mode and must be empty in DRAWN mode. Accepted means: the committed
// polynomial has the values proof.evals at the points; comparing those values
// with the expected ones is the caller's task. `log`, where not null, records
// the transcript (protocol/challenger.h). Any proof value is safe to pass.
// Single-threaded; a few milliseconds, less where a size is off.
Verdict Verify(const Schedule& schedule, std::span<const Point> points,
               const Proof& proof, TranscriptLog* log = nullptr);

// The points of the deterministic instance: stream of seed ^ "POINTS_1".
std::vector<Point> SeedPoints(uint64_t seed, int n, int count);

}  // namespace assay::whir
