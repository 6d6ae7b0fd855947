// Chooses the passes of a proof.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/product_rounds/product_rounds_kernels.h"

namespace assay {
namespace {

// Rounds of a pass, the first one reading most. A grid of m rounds has (d +
// 1)^m sums, and its products cost what the pass over memory does not at these:
// section 2.7 of docs/engines/binary.md.
uint32_t FirstRounds(uint32_t factors) {
  return factors == 2 ? 3 : factors <= 3 ? 2 : 1;
}
uint32_t LaterRounds(uint32_t factors) { return factors <= 4 ? 2 : 1; }

}  // namespace

void RecordProductRounds(Recorder& recorder, const RawView& columns,
                         const RawView& transcript,
                         const ProductRoundsTable& table) {
  const uint32_t most_closed = MostCloseLogSize(table.factors);
  ProductRoundsTable left = table;
  uint32_t pending = 0;
  uint32_t round = 0;
  while (left.log_size - pending > most_closed) {
    const uint32_t measured =
        round == 0 ? FirstRounds(table.factors) : LaterRounds(table.factors);
    recorder.Dispatch<ProductRoundsPlay>({columns, transcript},
                                         {left, pending, measured, round, 0});
    left.log_size -= pending;
    pending = measured;
    round += measured;
  }
  recorder.Dispatch<ProductRoundsClose>({columns, transcript},
                                        {left, pending, round, {0, 0}});
}

}  // namespace assay
