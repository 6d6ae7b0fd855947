// Which parts of a proof are worth a device's while.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/device/backend.h"

namespace assay::whir {

// How the work goes to a device. The comparison of "GPU-Accelerated WHIR
// Proving on Apple Silicon" (2026-04-30); proofs are the same bytes.
enum class Offload : uint8_t {
  kFused,  // all of it, as few submissions as the transcript allows
  kSteps,  // all of it, each kernel a submission that is waited for
  kGrind,  // searches of witnesses alone; the rest is the processor's
  kNone,   // nothing
};

// A way to and fro costs more than a small round does: tables of at most
// 2^host_variables entries go to the host, and so do searches of at most
// host_grind_bits bits. -1: none.
struct Placement {
  int host_variables = -1;
  int host_grind_bits = -1;
  // A search of so many bits tries windows of 2^(bits + log_grind_window)
  // candidates, at most 2^log_most_window: a second or so, since nothing is
  // cancelled inside one.
  int log_grind_window = 6;
  int log_most_window = 22;
};

// CUDA's by measurement (docs/results.md); through WebGPU a way costs five to
// ten times as much.
constexpr Placement PlacementFor(BackendKind kind) {
  switch (kind) {
    case BackendKind::kCpu: return {};
    case BackendKind::kCuda: return {11, 8, 2, 28};
    case BackendKind::kWebGpu: return {13, 11, 2, 26};
  }
  return {};
}

}  // namespace assay::whir
