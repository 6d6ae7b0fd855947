// Whether the parts of a proof have the sizes that its schedule asks for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "assay/whir/proof.h"
#include "assay/whir/soundness.h"
#include "assay/whir/verify.h"

namespace assay::whir {

// Accepted if each list of the proof and each point has the length that the
// schedule derives, and each element is below the prime: after it, a verifier
// may index without looking. Linear in the proof, hashes nothing.
Verdict CheckShape(const Schedule& schedule, std::span<const Point> points,
                   const Proof& proof);

}  // namespace assay::whir
