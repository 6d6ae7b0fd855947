// Some stages of a transform on values in a thread's registers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/number/babybear_cuda.h"

namespace assay::gpu {

// (a, b) becomes (a + w b, a - w b), for a and b below 2 p and w below p: seven
// instructions, and values stay below 2 p from stage to stage.
ASSAY_GPU void Butterfly(uint32_t& a, uint32_t& b, uint32_t w) {
  const uint32_t low = ReduceOnce(a);
  const uint32_t t = MulMod(b, w);
  a = low + t;
  b = low - t + kPrime;
}

// kBits stages by decimation in time on the values x[first + v], v < 2^kBits,
// `first` and the array's length being known to the compiler. Stage s takes
// its factors from w[(2^s + m) << log_step], m < 2^s: in a table of
// ntt.twiddles with w moved on by the values' position below the stages.
template <int kBits, int kFirst, int kCount>
__device__ __forceinline__ void Stages(uint32_t (&x)[kCount],
                                       const uint32_t* __restrict__ w,
                                       uint32_t log_step) {
#pragma unroll
  for (int s = 0; s < kBits; ++s) {
#pragma unroll
    for (int m = 0; m < 1 << s; ++m) {
      const uint32_t factor =
          __ldg(w + (static_cast<uint32_t>((1 << s) + m) << log_step));
#pragma unroll
      for (int k = 0; k < 1 << kBits; k += 2 << s) {
        Butterfly(x[kFirst + k + m], x[kFirst + k + m + (1 << s)], factor);
      }
    }
  }
}

}  // namespace assay::gpu
