// Transforms on the GPU in other forms than ntt.encode, to compare with it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace assay::bench {

// Columns of 2^log_size coefficients, log_size >= 10, natural order; the same
// size of room for values and in between; a table of ntt.twiddles. All in the
// device's memory. Each form queues its kernels on the default stream and
// leaves values in natural order in `codeword`.
struct LadderData {
  uint32_t columns, log_size;
  const uint32_t* message;
  uint32_t* codeword;
  uint32_t* scratch;
  const uint32_t* twiddles;
};

// Decimation in frequency, a pass over memory a stage, and one to reorder.
void RadixTwo(const LadderData& data);
// The same with 2^bits values a thread, bits <= 5: `bits` stages a pass.
void RadixFrequency(const LadderData& data, uint32_t bits);
// Stockham's order, up to four stages a pass, from one array to the other.
void RadixStockham(const LadderData& data);
// Transpose, rows in shared memory, transpose, rows, transpose.
void FourStep(const LadderData& data);

}  // namespace assay::bench
