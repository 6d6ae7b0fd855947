// The prover's side of the transcript, once it is known where the work is done.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "assay/base/result.h"
#include "assay/number/babybear.h"
#include "assay/whir/batch.h"
#include "assay/whir/placement.h"
#include "assay/whir/plan.h"
#include "assay/whir/proof.h"
#include "assay/whir/prove.h"

namespace assay::whir {

// The devices of a proof. `near` and `grind` may be empty.
struct Places {
  Scratch work;
  Scratch near;   // small rounds
  Scratch grind;  // searches of witnesses; empty: that of the work
};

// Plays steps 0 to 11 of docs/engines/whir.md, section 8. Sizes fit the plan,
// and the kernels are trusted. Fails like Prove.
Result<Proof> PlayProver(Places& places, const Plan& plan,
                         const Placement& placement,
                         std::span<const BabyBear> evals,
                         std::span<const Point> points,
                         const ProveContext& context);

}  // namespace assay::whir
