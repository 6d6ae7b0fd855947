// Searches that the kernel of the proof of work is tried and timed on.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "assay/ops/grind/grind.h"
#include "assay/ops/grind/grind_kernels.h"
#include "assay/ops/op.h"

namespace assay {
namespace {

using Buffers = std::vector<std::vector<uint32_t>>;

poseidon2::State StateOf(const std::vector<uint32_t>& words) {
  poseidon2::State state;
  for (size_t i = 0; i < state.size(); ++i) {
    state[i] = BabyBear::FromResidue(words[i]);
  }
  return state;
}

std::vector<uint32_t> Words(uint64_t seed) {
  return RandomResidues(seed, poseidon2::kWidth);
}

uint32_t Smallest(const std::vector<uint32_t>& words, const Grind::Params& p) {
  return grind::SmallestWitness(StateOf(words), static_cast<int>(p.position),
                                static_cast<int>(p.bits), p.start, p.count);
}

// `tried`: candidates up to the hit.
OpCase SearchCase(const std::vector<uint32_t>& words,
                  const Grind::Params& params, std::string_view what,
                  uint64_t tried) {
  OpCase result;
  result.name = fmt::format("{} position={} bits={} start={} count={}{}",
                            Grind::kName, params.position, params.bits,
                            params.start, params.count, what);
  result.buffers = {words, RandomResidues(1, 1)};
  result.record = [params](Recorder& recorder,
                           std::span<const View<uint32_t>> views) {
    recorder.Dispatch<Grind>({views[0].raw, views[1].raw}, params);
  };
  result.meaning = [params](Buffers& buffers) {
    buffers[1][0] = Smallest(buffers[0], params);
  };
  result.bytes = 4 * (poseidon2::kWidth + 1);
  result.operations = uint64_t{564} * tried;
  return result;
}

// Windows around a hit w: it alone, all before it, and up to it.
void AddWindows(const std::vector<uint32_t>& words, uint32_t position,
                uint32_t bits, std::vector<OpCase>& cases) {
  const uint32_t w = Smallest(words, {position, bits, 0, 1u << 16});
  cases.push_back(
      SearchCase(words, {position, bits, w, 1}, " the hit alone", 1));
  cases.push_back(SearchCase(words, {position, bits, 0, w}, " no hit", w));
  cases.push_back(SearchCase(words, {position, bits, 0, w + 1},
                             " the last is the hit", w + 1));
}

}  // namespace

std::vector<OpCase> GrindCases(CaseSize size) {
  std::vector<OpCase> cases;
  if (size == CaseSize::kLarge) {
    const std::vector<uint32_t> words = Words(14);
    const Grind::Params params = {3, 14, 0, 1u << 22};
    cases.push_back(
        SearchCase(words, params, "", uint64_t{Smallest(words, params)} + 1));
    return cases;
  }
  for (uint32_t position = 0; position < 8; ++position) {
    for (const uint32_t bits : {0, 1, 5, 8}) {
      cases.push_back(SearchCase(Words(position), {position, bits, 0, 1 << 16},
                                 "", uint64_t{1} << bits));
    }
  }
  AddWindows(Words(21), 2, 5, cases);
  AddWindows(Words(22), 7, 8, cases);
  const auto words = Words(23);
  cases.push_back(SearchCase(words, {0, 0, 5, 0}, " empty", 0));
  cases.push_back(SearchCase(words, {4, 3, 1000, 50}, " inner", 8));
  constexpr uint32_t kLast = BabyBear::kPrime - 1;
  cases.push_back(SearchCase(words, {5, 30, kLast - 39, 40}, " the end", 40));
  cases.push_back(SearchCase(words, {5, 0, kLast, 1}, " the end", 1));
  // The smallest of many hits, however the work is shared.
  cases.push_back(SearchCase(words, {6, 5, 123, 5000}, " many hits", 32));
  return cases;
}

}  // namespace assay
