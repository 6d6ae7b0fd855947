// Copies from the GPU's memory into that of a block while its threads work.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/number/gf2_128.h"

namespace assay::gpu {

// Begins to copy one element. Its thread may read it after WaitForCopies, the
// others of its block after a barrier that follows.
__device__ __forceinline__ void BeginCopy(const Word128* from, Word128* to) {
  const auto shared = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared),
               "l"(from)
               : "memory");
}

// Ends a batch of this thread's copies.
__device__ __forceinline__ void EndBatch() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

// Waits for all but the newest kLeft batches of this thread.
template <int kLeft>
__device__ __forceinline__ void WaitForCopies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

}  // namespace assay::gpu
