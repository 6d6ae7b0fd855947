// A table of cases that says what an operation's kernels must compute.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "assay/device/device.h"

namespace assay {

// One recording with the buffers it works on. Tests, self-test, probe and
// bench run the same cases; buffers lie between guard words, and every word
// of every buffer is compared, those that must not change included.
struct OpCase {
  std::string name;  // "ntt.columns log_rows=5 columns=3"
  std::vector<std::vector<uint32_t>> buffers;  // contents before
  std::function<void(Recorder&, std::span<const View<uint32_t>>)> record;
  // Turns the contents before into those after, by the scalar meaning.
  std::function<void(std::vector<std::vector<uint32_t>>&)> meaning;
  uint64_t bytes = 0;       // moved at least: each input and output once
  uint64_t operations = 0;  // field multiplications
};

// Small cases are for tests and the self-test; those of them that take
// milliseconds, to make and to compute, are the probe. Large ones are for the
// bench and are not compared.
enum class CaseSize : uint8_t { kProbe, kSmall, kLarge };

struct Op {
  std::string_view name;
  std::vector<OpCase> (*cases)(CaseSize size);
};

// What a run of one case found.
struct CaseOutcome {
  bool passed = false;
  std::string detail;  // the first difference, or what the error says
  Status status;       // an error of the device: nothing was computed
  double seconds = 0;  // in kernels
};

// The memory of a device that a case takes, guard words included.
uint64_t BytesOf(const OpCase& op_case);

// Runs a case; with `compare` against its meaning. Errors of the device are
// outcomes, too.
CaseOutcome RunCase(Device& device, const OpCase& op_case, bool compare);

// `count` residues below p from a SplitMix64 stream, for inputs of cases.
std::vector<uint32_t> RandomResidues(uint64_t seed, size_t count);

}  // namespace assay
