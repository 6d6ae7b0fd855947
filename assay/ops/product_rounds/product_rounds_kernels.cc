// Chooses the passes of a proof.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/product_rounds/product_rounds_kernels.h"

namespace assay {

void RecordProductRounds(Recorder& recorder, const RawView& columns,
                         const RawView& transcript,
                         const ProductRoundsTable& table) {
  // Three rounds in the first pass, which reads most, take 27 sums a thread
  // for two columns, which is what registers hold; with more columns 64.
  const uint32_t first = table.factors == 2 ? 3 : 2;
  const uint32_t most_closed = MostCloseLogSize(table.factors);
  ProductRoundsTable left = table;
  uint32_t pending = 0;
  uint32_t round = 0;
  while (left.log_size - pending > most_closed) {
    const uint32_t measured = round == 0 ? first : 2;
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
