// AES-GCM's pass over data on the GPU: bit-sliced AES fused with GHASH.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "assay/device/cuda/grid_sum.h"
#include "assay/device/cuda/launch.h"
#include "assay/number/gf2_128_cuda.h"
#include "assay/ops/aes/key_stream_gpu.h"
#include "assay/ops/seal/seal_kernels.h"

namespace assay {
namespace {

using gpu::KeyOf;
using gpu::MulReflected;

constexpr int kPack = 4;
constexpr int kThreads = 512;
constexpr int kWarps = kThreads / 32;
constexpr int kBlocksOfSm = 1;
constexpr int kSteps = 32;
using F = aes::gpu::Frame<kPack>;
// Whatever the first frame's place, the upper bytes of so many are prepared.
constexpr uint64_t kMostFrames = uint64_t{F::kMiddle} * (F::kUpper - 1);

// A power of H as a factor, and the sum of its words.
struct Factor {
  uint64_t low, high, sum;
};
__device__ __forceinline__ Factor FactorOf(Word128 key) {
  return {key.low, key.high, key.low ^ key.high};
}
__device__ __forceinline__ Word128 KeyOf(const Factor& f) {
  return {f.low, f.high};
}

struct Shared {
  aes::gpu::StreamTables<kPack> stream;
  Factor place[F::kBlocks];  // H^(32 k)
  Factor step[kSteps + 1];   // H^(k times the size of a frame)
  uint64_t square[34][2];    // H^(2^t)
  uint32_t next;             // frame
};

struct Task {
  const uint8_t* keys;  // 15 round keys, then H
  uint8_t* state;       // counter, hash
  const uint8_t* in;
  uint8_t* out;
  uint64_t bytes;
  int rounds;
  bool aligned;  // in and out, to 16 bytes
  bool direct;   // few frames: tables would cost more than they save
};

__device__ __forceinline__ uint64_t Swapped(uint32_t low, uint32_t high) {
  return static_cast<uint64_t>(__byte_perm(low, 0, 0x0123)) << 32 |
         __byte_perm(high, 0, 0x0123);
}
// A block as GHASH reads it.
__device__ __forceinline__ Word128 Reflected(uint4 x) {
  return {Swapped(x.z, x.w), Swapped(x.x, x.y)};
}
__device__ Word128 LoadReflected(const uint8_t* p) {
  Word128 x;
  for (int i = 0; i < 8; ++i) {
    x.high = x.high << 8 | p[i];
    x.low = x.low << 8 | p[8 + i];
  }
  return x;
}

__device__ __forceinline__ void AddProduct(gpu::Sum256& sum, Word128 a,
                                           const Factor& f) {
  sum.z0.low = gpu::ClmadLow(a.low, f.low, sum.z0.low);
  sum.z0.high = gpu::ClmadHigh(a.low, f.low, sum.z0.high);
  sum.z2.low = gpu::ClmadLow(a.high, f.high, sum.z2.low);
  sum.z2.high = gpu::ClmadHigh(a.high, f.high, sum.z2.high);
  const uint64_t x = a.low ^ a.high;
  sum.z1.low = gpu::ClmadLow(x, f.sum, sum.z1.low);
  sum.z1.high = gpu::ClmadHigh(x, f.sum, sum.z1.high);
}

// y H^e.
__device__ __noinline__ Word128 TimesPower(const Shared& shared, Word128 y,
                                           uint64_t e) {
  for (int t = 0; e != 0; ++t, e >>= 1) {
    if ((e & 1) != 0) {
      y = MulReflected(y, {shared.square[t][0], shared.square[t][1]});
    }
  }
  return y;
}

// One warp: powers for a message that ends at place `end`.
__device__ void MakePowers(Shared& shared, const uint8_t* h, uint64_t end) {
  Word128 power = LoadReflected(h);
  constexpr int kLeast = F::kLogSize + 6;
  for (int t = 0; t < kLeast || end >> t != 0; ++t) {
    const Word128 key = KeyOf(power);
    shared.square[t][0] = key.low;
    shared.square[t][1] = key.high;
    power = gpu::SquareReflected(power);
  }
  __syncwarp();
  for (int i = static_cast<int>(threadIdx.x % 32); i < F::kBlocks + kSteps + 1;
       i += 32) {
    const bool place = i < F::kBlocks;
    const int k = place ? i : i - F::kBlocks;
    const Word128 one = {0, uint64_t{1} << 63};
    (place ? shared.place[k] : shared.step[k]) = FactorOf(KeyOf(TimesPower(
        shared, one, static_cast<uint64_t>(k) * (place ? 32 : F::kSize))));
  }
}

// Where a lane's blocks of a frame are. Places are counted in blocks from the
// beginning of the first frame, `offset` being the message's first.
struct Message {
  uint64_t offset, whole_end, end;
};

// A frame inside the message: 16 bytes a thread at a time, and the products of
// its blocks with one reduction. `y` is what was hashed `gap` frames before.
template <bool kDecrypt>
__device__ __forceinline__ Word128
CryptInterior(const Task& task, const Shared& shared,
              const uint32_t (&stream)[F::kBlocks][4], uint64_t block,
              Word128 y, const Factor& step) {
  const uint4 last = LastKey(shared.stream);
  const auto* in = reinterpret_cast<const uint4*>(task.in) + block;
  auto* out = reinterpret_cast<uint4*>(task.out) + block;
  gpu::Sum256 sum;
  AddProduct(sum, y, step);
#pragma unroll
  for (int j = 0; j < F::kBlocks; ++j) {
    const uint4 before = __ldcs(in + 32 * j);
    const uint4 after = aes::gpu::Add(before, stream[j], last);
    __stcs(out + 32 * j, after);
    AddProduct(sum, Reflected(kDecrypt ? before : after),
               shared.place[F::kBlocks - 1 - j]);
  }
  return gpu::ReduceReflected(sum.Join());
}

// Any frame. Blocks before the message count as zeros, those after it do not
// count: `y` ends at the lane's last block. By bytes where it must be.
template <bool kDecrypt>
__device__ __forceinline__ Word128
CryptEdge(const Task& task, const Shared& shared,
          const uint32_t (&stream)[F::kBlocks][4], uint64_t place,
          const Message& message, Word128 y) {
  const uint4 last = LastKey(shared.stream);
  const Word128 step = KeyOf(shared.place[1]);
  Word128 hash;
  if (place < F::kSize) hash = LoadReflected(task.state + 16);
  const auto before_it = [&](uint64_t at) {
    return at == message.offset ? hash : Word128{};
  };
  if (task.aligned) {
#pragma unroll
    for (int j = 0; j < F::kBlocks; ++j) {
      const uint64_t at = place + static_cast<unsigned>(32 * j);
      if (at < message.offset || at >= message.whole_end) continue;
      const uint64_t block = at - message.offset;
      const uint4 before = reinterpret_cast<const uint4*>(task.in)[block];
      const uint4 after = aes::gpu::Add(before, stream[j], last);
      reinterpret_cast<uint4*>(task.out)[block] = after;
      y = MulReflected(y, step) ^ Reflected(kDecrypt ? before : after) ^
          before_it(at);
    }
  }
  const uint64_t begin = task.aligned ? message.whole_end : message.offset;
  if (begin == message.end) return y;
  const aes::gpu::Stash<kPack> stash(stream, last);
#pragma unroll 1
  for (int j = 0; j < F::kBlocks; ++j) {
    const uint64_t at = place + static_cast<unsigned>(32 * j);
    if (at < begin || at >= message.end) continue;
    const uint64_t first = 16 * (at - message.offset);
    const auto count = static_cast<int>(min(uint64_t{16}, task.bytes - first));
    Word128 x = before_it(at);
#pragma unroll 1
    for (int k = 0; k < count; ++k) {
      const uint64_t i = first + static_cast<unsigned>(k);
      const uint8_t before = task.in[i];
      const auto after = static_cast<uint8_t>(before ^ stash.Byte(j, k));
      task.out[i] = after;
      const uint64_t byte = kDecrypt ? before : after;
      (k < 8 ? x.high : x.low) ^= byte << (56 - 8 * (k % 8));
    }
    y = MulReflected(y, step) ^ x;
  }
  return y;
}

// Each block of threads has a run of frames, and its warps take one after the
// other. A lane keeps sum of C H^(last place of its own - place of C).
template <bool kDecrypt>
__global__ void __launch_bounds__(kThreads, kBlocksOfSm)
    Gcm(Task task, gpu::GridSumState* sums) {
  __shared__ Shared shared;
  const uint32_t lane = threadIdx.x % 32;
  const uint32_t number = static_cast<uint32_t>(task.state[12]) << 24 |
                          task.state[13] << 16 | task.state[14] << 8 |
                          task.state[15];
  Message message;
  message.offset = number % F::kSize;
  message.whole_end = message.offset + task.bytes / 16;
  message.end = message.offset + (task.bytes + 15) / 16;
  const auto frames =
      static_cast<uint32_t>((message.end + F::kSize - 1) / F::kSize);
  const uint32_t each = frames / gridDim.x, rest = frames % gridDim.x;
  const uint32_t first = blockIdx.x * each + min(blockIdx.x, rest);
  const uint32_t stop = first + each + (blockIdx.x < rest ? 1 : 0);
  if (threadIdx.x == 0) shared.next = first;
  MakeKeys(shared.stream, task.keys, task.rounds, task.state, first);
  __syncthreads();
  if (threadIdx.x >= kThreads - 32) {
    MakePowers(shared, task.keys + 240, message.end);
  } else if (!task.direct) {
    for (uint32_t i = threadIdx.x; i < F::kEntries; i += kThreads - 32) {
      MakeEntry(shared.stream, i);
    }
  }
  if (!task.direct) __syncthreads();

  Word128 total, y;
  bool any = false;
  uint32_t before = 0;         // the frame that y ends with
  bool powers = !task.direct;  // are there for all warps
  while (true) {
    uint32_t f = 0;
    if (lane == 0) f = atomicAdd(&shared.next, 1u);
    f = __shfl_sync(0xffffffff, f, 0);
    const uint64_t place = uint64_t{f} * F::kSize + lane;
    uint32_t stream[F::kBlocks][4];
    if (f < stop) StreamOf(shared.stream, f, task.direct, stream);
    // Every warp comes here.
    if (!powers) __syncthreads();
    powers = true;
    if (f >= stop) break;
    const bool last = f + 1 == frames;
    if (task.aligned && f != 0 && !last) {
      uint32_t gap = any ? f - before : 0;
      for (; gap > kSteps; gap -= kSteps) {
        y = MulReflected(y, KeyOf(shared.step[kSteps]));
      }
      y = CryptInterior<kDecrypt>(task, shared, stream, place - message.offset,
                                  y, shared.step[gap]);
    } else {
      // The last frame's distance to the end is not the others'.
      if (any) {
        uint64_t e = uint64_t{f - before - 1} * F::kSize;
        if (last) e += message.end - place + 32;
        y = TimesPower(shared, y, e);
        if (last) {
          total = y;
          y = {};
        }
      }
      y = CryptEdge<kDecrypt>(task, shared, stream, place, message, y);
    }
    any = true;
    before = f;
  }
  if (any) {
    const uint64_t place = uint64_t{before} * F::kSize + lane;
    const bool last = before + 1 == frames;
    uint64_t e = message.end - place - 32 * (F::kBlocks - 1);
    if (last) e = place < message.end ? (message.end - 1 - place) % 32 + 1 : 0;
    total = total ^ TimesPower(shared, y, e);
  }
  const uint64_t mine[2] = {total.low, total.high};
  __shared__ uint64_t sum[2];
  const bool done = gpu::GridSum<2>(mine, sums, sum);
  aes::gpu::Forget(shared);
  if (!done) return;
  const uint32_t k = threadIdx.x;
  if (k < 16) {
    task.state[16 + k] =
        static_cast<uint8_t>(sum[k < 8 ? 1 : 0] >> (8 * (7 - k % 8)));
  } else if (k < 20) {
    const auto blocks = static_cast<uint32_t>(message.end - message.offset);
    task.state[k - 4] = static_cast<uint8_t>((number + blocks) >> 8 * (19 - k));
  }
}

void Launch(const CudaArgs& args) {
  const auto& p = args.Params<SealGcm::Params>();
  Task task = {args.Get<uint8_t>(0),
               args.Get<uint8_t>(1),
               args.Get<uint8_t>(2),
               args.Get<uint8_t>(3),
               uint64_t{p.bytes_high} << 32 | p.bytes_low,
               static_cast<int>(p.rounds),
               false,
               false};
  if (task.bytes == 0) return;
  task.aligned = ((reinterpret_cast<uintptr_t>(task.in) |
                   reinterpret_cast<uintptr_t>(task.out)) &
                  15) == 0;
  const uint64_t resident =
      static_cast<uint64_t>(args.multiprocessors) * kBlocksOfSm;
  const uint64_t most = task.bytes / 16 / F::kSize + 2;  // frames
  task.direct = most <= 2 * kWarps * resident;
  const auto grid = static_cast<unsigned>(std::max(
      std::min(resident, most), (most + kMostFrames - 1) / kMostFrames));
  const auto kernel = p.decrypt != 0 ? &Gcm<true> : &Gcm<false>;
  kernel<<<grid, kThreads, 0, args.stream>>>(task,
                                             args.Sums<gpu::GridSumState>());
}

}  // namespace

CudaEntry SealGcm::Cuda() { return {Launch}; }

}  // namespace assay
