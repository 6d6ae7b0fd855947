// Copies from the GPU's memory into that of a block while its threads work.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/number/gf2_128.h"

namespace assay::gpu {

// In the block's memory: counts arrivals of threads and bytes of copies. When
// all that it expects have come, it starts anew, and what is waited for has
// the other parity; the first is 0.
struct ArrivalBarrier {
  uint64_t word;
};

__device__ __forceinline__ uint32_t SharedAddress(const void* at) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(at));
}

// One thread, before a barrier of the block.
__device__ __forceinline__ void Init(ArrivalBarrier* barrier,
                                     uint32_t arrivals) {
  asm volatile(
      "mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(SharedAddress(barrier)),
      "r"(arrivals)
      : "memory");
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}

__device__ __forceinline__ void Arrive(ArrivalBarrier* barrier) {
  [[maybe_unused]] uint64_t state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];"
               : "=l"(state)
               : "r"(SharedAddress(barrier))
               : "memory");
}

// Copies `runs` runs of `elements` elements each, run k from from(k) to to(k):
// all lanes of one warp, which are 32 arrivals. Where the chip has an engine
// for it, a run is one instruction.
template <class From, class To>
__device__ __forceinline__ void BeginCopies(ArrivalBarrier* barrier, int runs,
                                            uint32_t elements, const From& from,
                                            const To& to) {
  const uint32_t address = SharedAddress(barrier);
  const int lane = static_cast<int>(threadIdx.x) & 31;
#if __CUDA_ARCH__ >= 900
  const int mine = (runs - lane + 31) / 32;
  asm volatile(
      "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(address),
      "r"(16 * elements * static_cast<uint32_t>(mine))
      : "memory");
  for (int k = lane; k < runs; k += 32) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1], %2, [%3];" ::"r"(SharedAddress(to(k))),
        "l"(__cvta_generic_to_global(from(k))), "r"(16 * elements), "r"(address)
        : "memory");
  }
#else
  for (int k = 0; k < runs; ++k) {
    const Word128* source = from(k);
    Word128* place = to(k);
    for (uint32_t i = static_cast<uint32_t>(lane); i < elements; i += 32) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                       SharedAddress(place + i)),
                   "l"(__cvta_generic_to_global(source + i))
                   : "memory");
    }
  }
  asm volatile(
      "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(address)
      : "memory");
#endif
}

__device__ __forceinline__ void WaitFor(ArrivalBarrier* barrier,
                                        uint32_t parity) {
  const uint32_t address = SharedAddress(barrier);
  uint32_t done;
  do {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
#if __CUDA_ARCH__ >= 900
        "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
#else
        "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
#endif
        "selp.u32 %0, 1, 0, p;\n"
        "}"
        : "=r"(done)
        : "r"(address), "r"(parity)
        : "memory");
  } while (done == 0);
}

}  // namespace assay::gpu
