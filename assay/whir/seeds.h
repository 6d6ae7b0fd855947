// The seeds that mark the parts of a WHIR transcript.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "assay/number/babybear.h"
#include "assay/protocol/challenger.h"
#include "assay/whir/soundness.h"

namespace assay::whir {

// What prover and verifier absorb before each part (docs/engines/whir.md,
// section 4). The constructor hashes a few kilobytes; each method absorbs
// one seed, and nothing can fail.
class Seeds {
 public:
  explicit Seeds(const Schedule& schedule);

  void Commit(DuplexChallenger& challenger) const;
  void Ood(DuplexChallenger& challenger) const;
  void Open(DuplexChallenger& challenger) const;
  void Whir(DuplexChallenger& challenger) const;
  void Batch(DuplexChallenger& challenger) const;
  // Before a sum-check of `rounds` rounds; absorbs nothing for 0 rounds.
  void Sumcheck(DuplexChallenger& challenger, int rounds, int pow_bits) const;

 private:
  std::vector<BabyBear> commit_;
  std::vector<BabyBear> ood_;
  std::vector<BabyBear> open_;
  std::vector<BabyBear> whir_;
  std::vector<BabyBear> batch_;
  // By rounds and bits: those of the schedule.
  std::map<std::pair<int, int>, std::vector<BabyBear>> sumchecks_;
};

}  // namespace assay::whir
