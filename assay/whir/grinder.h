// Searches proofs of work where the way there costs less than the search.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "assay/base/result.h"
#include "assay/protocol/challenger.h"
#include "assay/whir/batch.h"
#include "assay/whir/placement.h"

namespace assay::whir {

class Grinder {
 public:
  // Many bits are searched for in `far`, few in `near`, which may be null.
  Grinder(Scratch* far, Scratch* near, const Placement& placement)
      : far_(far), near_(near), placement_(placement) {}

  // The smallest witness of `bits` bits by the device's word: the caller
  // checks it. 2^bits permutations on average. `poll` is asked between windows
  // whether to go on.
  Result<BabyBear> Find(const DuplexChallenger::GrindState& start, int bits,
                        const std::function<Status()>& poll) const;

  static constexpr ScratchSize kScratch = {Room(16 * sizeof(BabyBear)),
                                           Room(sizeof(uint32_t))};

 private:
  Scratch* far_;
  Scratch* near_;
  Placement placement_;
};

}  // namespace assay::whir
