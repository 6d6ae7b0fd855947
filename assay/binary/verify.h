// Accepts or rejects a sum-check proof without any device.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "assay/base/result.h"
#include "assay/binary/columns.h"
#include "assay/binary/proof.h"
#include "assay/binary/verdict.h"

namespace assay::binary {

// What the transcript alone shows: the statement holds if P_j(point) =
// proof.values[j] for all j, but for a chance of at most n d / 2^128. Where the
// verdict rejects, there is no point.
struct Reduction {
  Verdict verdict;
  std::vector<Gf2_128> point;  // point[k] is the value of x_k
};

// Replays the rounds (docs/engines/binary.md, section 2.3). Single-threaded,
// about 3 SHA-256 compressions and d products a round. This decides nothing
// about the columns: one value scaled by c and another by 1/c pass as well.
// A proof hides nothing of its columns.
Reduction Reduce(const Proof& proof);

// Sizes, context, transcript, values, in this order; the first that fails
// names the verdict. Accepted means: the sum over these columns is the
// statement's. Reads the columns once, and once more where the context is
// their hash; single-threaded, one product an element. Fails with kIo where
// they can not be read.
Result<Verdict> Verify(const Proof& proof, const Columns& columns);

}  // namespace assay::binary
