// Functions on three bits, a word at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#if !defined(ASSAY_HD)
#if defined(__CUDACC__)
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif
#endif

namespace assay::aes {

// The tables of three arguments; a formula in them is its own table. The
// order is that of LOP3, of vpternlog and of their immediate operands.
inline constexpr int kA = 0xf0;
inline constexpr int kB = 0xcc;
inline constexpr int kC = 0xaa;

// Bit i of the result is the table's function of bits i of a, b and c: one
// instruction on NVIDIA GPUs, elsewhere the sum of products that the table
// has.
template <int kFormula>
ASSAY_HD constexpr uint32_t Lut(uint32_t a, uint32_t b, uint32_t c) {
  constexpr int kTable = kFormula & 0xff;
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) {
    uint32_t d;
    asm("lop3.b32 %0, %1, %2, %3, %4;"
        : "=r"(d)
        : "r"(a), "r"(b), "r"(c), "n"(kTable));
    return d;
  }
#endif
  // Bit m of `sums` says whether the product of the arguments in m belongs to
  // the sum (the transform of Moebius); m = 4 for a, 2 for b, 1 for c.
  constexpr int kOne = kTable ^ (kTable << 1 & 0xaa);
  constexpr int kTwo = kOne ^ (kOne << 2 & 0xcc);
  constexpr int kSums = kTwo ^ (kTwo << 4 & 0xf0);
  uint32_t sum = kSums & 1 ? ~uint32_t{0} : 0;
  if constexpr ((kSums >> 4 & 1) != 0) sum ^= a;
  if constexpr ((kSums >> 2 & 1) != 0) sum ^= b;
  if constexpr ((kSums >> 1 & 1) != 0) sum ^= c;
  if constexpr ((kSums >> 6 & 1) != 0) sum ^= a & b;
  if constexpr ((kSums >> 5 & 1) != 0) sum ^= a & c;
  if constexpr ((kSums >> 3 & 1) != 0) sum ^= b & c;
  if constexpr ((kSums >> 7 & 1) != 0) sum ^= a & b & c;
  return sum;
}

}  // namespace assay::aes
