// How two warps of a GPU hand work to each other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace assay::gpu {

inline constexpr int kWarp = 32;

__device__ __forceinline__ int Lane() {
  return static_cast<int>(threadIdx.x) & (kWarp - 1);
}

// Where the two warps meet; what they wrote before is seen by both after.
// Barriers of the block by number, 0 being that of all threads.
enum class Meeting : int { kBlocks = 1, kSchedule1, kSchedule2, kSchedule3 };

__device__ __forceinline__ Meeting ScheduleOf(int part) {
  return static_cast<Meeting>(static_cast<int>(Meeting::kBlocks) + part);
}

// All lanes of both warps. An instruction that names its barrier lets a block
// have no more of them than it uses.
__device__ __forceinline__ void Meet(Meeting meeting) {
  switch (meeting) {
    case Meeting::kBlocks: asm volatile("bar.sync 1, 64;" ::: "memory"); break;
    case Meeting::kSchedule1:
      asm volatile("bar.sync 2, 64;" ::: "memory");
      break;
    case Meeting::kSchedule2:
      asm volatile("bar.sync 3, 64;" ::: "memory");
      break;
    case Meeting::kSchedule3:
      asm volatile("bar.sync 4, 64;" ::: "memory");
      break;
  }
}

}  // namespace assay::gpu
