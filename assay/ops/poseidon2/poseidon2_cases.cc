// Counts of states that the permutation is tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "assay/ops/op.h"
#include "assay/ops/poseidon2/poseidon2.h"
#include "assay/ops/poseidon2/poseidon2_kernels.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;

void PermuteAll(std::vector<uint32_t>& words) {
  const size_t count = words.size() / 16;
  for (size_t s = 0; s < count; ++s) {
    poseidon2::State state;
    for (size_t i = 0; i < 16; ++i) {
      state[i] = BabyBear::FromResidue(words[i * count + s]);
    }
    poseidon2::Permute(state);
    for (size_t i = 0; i < 16; ++i) words[i * count + s] = state[i].residue;
  }
}

OpCase PermuteCase(uint32_t count, std::string_view what,
                   std::vector<uint32_t> words) {
  OpCase result;
  result.name =
      fmt::format("{} count={}{}", Poseidon2Permute::kName, count, what);
  result.buffers = {std::move(words)};
  result.record = [count](Recorder& recorder,
                          std::span<const View<uint32_t>> views) {
    recorder.Dispatch<Poseidon2Permute>({views[0].raw}, {count, {}});
  };
  result.meaning = [](Buffers& buffers) { PermuteAll(buffers[0]); };
  result.bytes = uint64_t{128} * count;
  result.operations = uint64_t{564} * count;
  return result;
}

OpCase RandomCase(uint32_t count) {
  return PermuteCase(count, "", RandomResidues(count, size_t{16} * count));
}

}  // namespace

std::vector<OpCase> Poseidon2Cases(CaseSize size) {
  std::vector<OpCase> cases;
  if (size == CaseSize::kLarge) {
    cases.push_back(RandomCase(1 << 16));
    return cases;
  }
  // One state, ragged vectors, and more than one thread's share.
  for (const uint32_t count : {1, 2, 5, 8, 16, 17, 33, 300}) {
    cases.push_back(RandomCase(count));
  }
  // Where sums are smallest and largest.
  cases.push_back(PermuteCase(17, " zeros", std::vector<uint32_t>(16 * 17, 0)));
  cases.push_back(PermuteCase(
      17, " largest", std::vector<uint32_t>(16 * 17, BabyBear::kPrime - 1)));
  return cases;
}

}  // namespace assay
