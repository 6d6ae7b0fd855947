// Tries one witness after the other.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/grind/grind.h"

namespace assay::grind {

bool IsWitness(poseidon2::State state, int position, int bits, BabyBear w) {
  state[static_cast<size_t>(position)] = w;
  poseidon2::Permute(state);
  return (state[7].Canonical() & ((uint32_t{1} << bits) - 1)) == 0;
}

uint32_t SmallestWitness(const poseidon2::State& state, int position, int bits,
                         uint32_t start, uint32_t count) {
  for (uint32_t w = start; w < start + count; ++w) {
    if (IsWitness(state, position, bits, BabyBear::From(w))) return w;
  }
  return kNoWitness;
}

}  // namespace assay::grind
