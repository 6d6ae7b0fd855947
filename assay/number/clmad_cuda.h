// The carry-less multiply-add of NVIDIA GPUs, or its emulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/number/gf2_128.h"

// PTX has clmad from CUDA 13.3 and sm_80 on. Else 64-bit words with holes.
#if defined(__CUDACC_VER_MAJOR__) && \
    (__CUDACC_VER_MAJOR__ > 13 ||    \
     (__CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ >= 3))
#define ASSAY_HAS_CLMAD 1
#else
#define ASSAY_HAS_CLMAD 0
#endif

namespace assay::gpu {

// The lower and upper word of a times b, plus c.
__device__ __forceinline__ uint64_t ClmadLow(uint64_t a, uint64_t b,
                                             uint64_t c) {
#if ASSAY_HAS_CLMAD
  uint64_t d;
  asm("clmad.lo.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
  return d;
#else
  return clmul::Low(a, b) ^ c;
#endif
}
__device__ __forceinline__ uint64_t ClmadHigh(uint64_t a, uint64_t b,
                                              uint64_t c) {
#if ASSAY_HAS_CLMAD
  uint64_t d;
  asm("clmad.hi.u64 %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), "l"(c));
  return d;
#else
  return clmul::Mul(a, b).high ^ c;
#endif
}

}  // namespace assay::gpu
