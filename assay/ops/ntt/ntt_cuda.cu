// The transform on the GPU: up to ten stages a pass over memory.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include "assay/device/cuda/launch.h"
#include "assay/ops/ntt/butterflies_gpu.h"
#include "assay/ops/ntt/ntt_kernels.h"

namespace assay {
namespace {

// Decimation in time on bit-reversed coefficients, as ntt.encode on the cpu
// does it: what is at place j after the first log_rows - log_message stages is
// coefficient reverse(j / copies), so these stages are copies made by whoever
// reads the message, and the order of the result is the natural one.
//
// A pass takes the kStages stages from `log_step` on. Its transforms have
// 2^kStages values, 2^log_step apart; 2^log_low neighbours below the step and
// 2^log_high runs above it make the tile of a block. All passes but the first
// work in place.
constexpr int kMostStages = 10;
constexpr int kLogThreads = 9;

enum class Source : uint8_t { kCodeword, kMessage, kReversed };

struct PassParams {
  const uint32_t* message;
  uint32_t* codeword;
  const uint32_t* twiddles;
  uint32_t log_message, log_rows, log_step;
  uint32_t log_low, log_high;
  uint32_t planes, log_blocks;
  uint64_t plane_stride;
  bool last;
};

__device__ __forceinline__ uint32_t Reverse(uint32_t i, uint32_t bits) {
  return bits == 0 ? 0 : __brev(i) >> (32 - bits);
}

__device__ __forceinline__ const uint32_t* ColumnOfMessage(const PassParams& p,
                                                           uint32_t column,
                                                           bool reversed) {
  uint32_t block = column / p.planes;
  const uint32_t plane = column - block * p.planes;
  if (reversed) block = Reverse(block, p.log_blocks);
  return p.message + plane * p.plane_stride +
         (uint64_t{block} << p.log_message);
}

// Values of a thread in the first phase: bits 0 to kA - 1 of a place, the
// other bits and the column of the tile being the thread's. Then they go
// through shared memory, and a thread has bits kA to kStages - 1.
template <int kStages>
struct Shape {
  static constexpr int kA = (kStages + 1) / 2, kB = kStages / 2;
  static constexpr int kValues = 1 << kA;
  static constexpr uint32_t kLogColumns = kLogThreads - kB;  // of a full tile

  // Words from one of a first phase's values to the next: neighbours of the
  // second phase fall into different banks.
  static constexpr __host__ __device__ uint32_t Row(uint32_t log_columns,
                                                    uint32_t log_low) {
    const uint32_t row = 1u << (kB + log_columns);
    return row >= 32 && log_low < 5 ? row + (1u << log_low) : row;
  }
  static constexpr uint32_t SharedBytes(uint32_t log_columns,
                                        uint32_t log_low) {
    const uint32_t exchange = Row(log_columns, log_low) << kA;
    const uint32_t staged = 33u << (kStages + log_columns) >> 5;
    return 4 * std::max(exchange, staged + 1);
  }
};

template <int kStages, Source kFrom>
__global__ void __launch_bounds__(1 << kLogThreads, 2)
    Pass(const __grid_constant__ PassParams p) {
  using S = Shape<kStages>;
  constexpr int kA = S::kA, kB = S::kB;
  extern __shared__ uint32_t shared[];
  const uint32_t log_above = p.log_rows - kStages - p.log_step;
  const uint32_t log_columns = p.log_low + p.log_high;
  const uint32_t log_tiles = p.log_rows - kStages - log_columns;
  const uint32_t column = blockIdx.x >> log_tiles;
  const uint32_t tile = blockIdx.x & ((1u << log_tiles) - 1);
  const uint32_t log_low_tiles = p.log_step - p.log_low;
  const uint32_t low_first = (tile & ((1u << log_low_tiles) - 1)) << p.log_low;
  const uint32_t high_first = tile >> log_low_tiles << p.log_high;
  uint32_t* codeword = p.codeword + (uint64_t{column} << p.log_rows);

  uint32_t x[S::kValues];
  {
    const uint32_t q = threadIdx.x & ((1u << log_columns) - 1);
    const uint32_t b = threadIdx.x >> log_columns;
    const uint32_t low = low_first + (q & ((1u << p.log_low) - 1));
    const uint32_t high = high_first + (q >> p.log_low);
    if constexpr (kFrom == Source::kCodeword) {
      const uint32_t* from = codeword + (high << (kStages + p.log_step)) +
                             (b << (kA + p.log_step)) + low;
#pragma unroll
      for (int a = 0; a < S::kValues; ++a) {
        x[a] = __ldcg(from + (static_cast<uint32_t>(a) << p.log_step));
      }
    } else if constexpr (kFrom == Source::kMessage) {
      // Neighbours of the message are the runs of a tile.
      const uint32_t* from = ColumnOfMessage(p, column, false) +
                             (Reverse(b, kB) << log_above) + high;
#pragma unroll
      for (int a = 0; a < S::kValues; ++a) {
        const uint32_t i = kA == 0 ? 0 : __brev(a) >> (32 - (kA ? kA : 1));
        x[a] = __ldg(from + (i << (kB + log_above)));
      }
    } else {
      const uint32_t* from =
          ColumnOfMessage(p, column, true) + (high_first << kStages);
      const uint32_t size = 1u << (kStages + p.log_high);
      for (uint32_t k = threadIdx.x; k < size; k += blockDim.x) {
        shared[k + (k >> 5)] = __ldg(from + k);
      }
      __syncthreads();
      const uint32_t first = (q >> p.log_low) << kStages | b << kA;
#pragma unroll
      for (int a = 0; a < S::kValues; ++a) {
        const uint32_t k = first + static_cast<uint32_t>(a);
        x[a] = shared[k + (k >> 5)];
      }
      __syncthreads();
    }
    gpu::Stages<kA, 0>(x, p.twiddles + low, p.log_step);
    if constexpr (kB > 0) {
      uint32_t* to = shared + (b << log_columns) + q;
      const uint32_t row = S::Row(log_columns, p.log_low);
#pragma unroll
      for (int a = 0; a < S::kValues; ++a) to[a * row] = x[a];
    }
  }

  if constexpr (kB > 0) __syncthreads();
  const uint32_t low_in = threadIdx.x & ((1u << p.log_low) - 1);
  const uint32_t a_low = threadIdx.x >> p.log_low & ((1u << kB) - 1);
  const uint32_t high_in = threadIdx.x >> (p.log_low + kB);
  uint32_t high = high_first + high_in;
  if constexpr (kFrom == Source::kMessage) high = Reverse(high, log_above);
  uint32_t* to = codeword + (high << (kStages + p.log_step)) + low_first +
                 low_in + (a_low << p.log_step);
  if constexpr (kB > 0) {
    const uint32_t row = S::Row(log_columns, p.log_low);
    const uint32_t* from =
        shared + a_low * row + (high_in << p.log_low | low_in);
    const uint32_t position = (a_low << p.log_step) + low_first + low_in;
    // Where kA > kB, a thread has two transforms of the second phase.
#pragma unroll
    for (int b = 0; b < 1 << kB; ++b) {
      x[b] = from[static_cast<uint32_t>(b) << log_columns];
      if constexpr (kA > kB) {
        x[(1 << kB) + b] =
            from[(row << kB) + (static_cast<uint32_t>(b) << log_columns)];
      }
    }
    gpu::Stages<kB, 0>(x, p.twiddles + position, kA + p.log_step);
    if constexpr (kA > kB) {
      gpu::Stages<kB, 1 << kB>(
          x, p.twiddles + position + (1u << (kB + p.log_step)),
          kA + p.log_step);
    }
  }
#pragma unroll
  for (int v = 0; v < S::kValues; ++v) {
    // Without a second phase all bits of a place are in v.
    const uint32_t b = kB > 0 ? v & ((1 << kB) - 1) : 0;
    const uint32_t g = kB > 0 ? v >> kB : v;
    to[(b << kA | g << kB) << p.log_step] =
        p.last ? gpu::ReduceOnce(x[v]) : x[v];
  }
}

template <int kStages, Source kFrom>
void LaunchPass(PassParams p, uint32_t columns, cudaStream_t stream) {
  using S = Shape<kStages>;
  p.log_low = std::min(p.log_step, S::kLogColumns);
  p.log_high =
      std::min(p.log_rows - kStages - p.log_step, S::kLogColumns - p.log_low);
  const uint32_t log_columns = p.log_low + p.log_high;
  const uint32_t shared = S::SharedBytes(log_columns, p.log_low);
  auto* kernel = Pass<kStages, kFrom>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(shared));
  kernel<<<columns << (p.log_rows - kStages - log_columns),
           1u << (S::kB + log_columns), shared, stream>>>(p);
}

// The kernel of `stages` stages, out of a list made at compile time.
template <Source kFrom, int... kStages>
void LaunchStages(int stages, const PassParams& p, uint32_t columns,
                  cudaStream_t stream, std::integer_sequence<int, kStages...>) {
  ((stages == kStages ? LaunchPass<kStages, kFrom>(p, columns, stream)
                      : void()),
   ...);
}

void LaunchEncode(const CudaArgs& args) {
  const auto& p = args.Params<NttEncode::Params>();
  PassParams pass = {};
  pass.message = args.Get<uint32_t>(0);
  pass.codeword = args.Get<uint32_t>(1);
  pass.twiddles = args.Get<uint32_t>(2);
  pass.log_message = p.log_message;
  pass.log_rows = p.log_rows;
  pass.log_step = p.log_rows - p.log_message;
  pass.planes = p.planes;
  pass.plane_stride = p.plane_stride;
  while (1u << pass.log_blocks < p.columns / p.planes) ++pass.log_blocks;

  constexpr auto kAll = std::make_integer_sequence<int, kMostStages + 1>();
  const int all = static_cast<int>(p.log_message);
  const int passes = std::max(1, (all + kMostStages - 1) / kMostStages);
  for (int done = 0, k = 0; k < passes; ++k) {
    const int stages = (all - done + passes - k - 1) / (passes - k);
    pass.last = k + 1 == passes;
    if (k > 0) {
      LaunchStages<Source::kCodeword>(stages, pass, p.columns, args.stream,
                                      kAll);
    } else if (p.reversed != 0) {
      LaunchStages<Source::kReversed>(stages, pass, p.columns, args.stream,
                                      kAll);
    } else {
      LaunchStages<Source::kMessage>(stages, pass, p.columns, args.stream,
                                     kAll);
    }
    done += stages;
    pass.log_step += static_cast<uint32_t>(stages);
  }
}

// g_k of order 2^k; the square of each is the one before.
struct Generators {
  uint32_t of[BabyBear::kTwoAdicity + 1];
};

constexpr Generators kGenerators = [] {
  Generators generators = {};
  for (int k = 0; k <= BabyBear::kTwoAdicity; ++k) {
    generators.of[k] = BabyBear::TwoAdicGenerator(k).residue;
  }
  return generators;
}();

constexpr uint32_t kTwiddleThreads = 256, kTwiddlesEach = 8;

// Entry h + j is the product of the generators of the set bits of j. A thread
// makes some entries, a block's width apart.
__global__ void Twiddles(uint32_t* table, uint32_t size,
                         const __grid_constant__ Generators generators) {
  const uint32_t first =
      blockIdx.x * kTwiddleThreads * kTwiddlesEach + threadIdx.x;
  uint32_t power = 0, h = 0;
#pragma unroll
  for (uint32_t k = 0; k < kTwiddlesEach; ++k) {
    const uint32_t i = first + k * kTwiddleThreads;
    if (i >= size) return;
    if (i == 0) {
      table[0] = BabyBear::kOneResidue;
      continue;
    }
    const int log_h = 31 - __clz(static_cast<int>(i));
    if (1u << log_h != h || k == 0) {
      h = 1u << log_h;
      power = BabyBear::kOneResidue;
      for (uint32_t j = i - h; j != 0; j &= j - 1) {
        const int bit = __ffs(static_cast<int>(j)) - 1;
        power = gpu::MulMod(power, generators.of[log_h + 1 - bit]);
      }
    } else {
      // A step of kTwiddleThreads = 2^8 entries.
      power = gpu::MulMod(power, generators.of[log_h + 1 - 8]);
    }
    table[i] = power;
  }
}

void LaunchTwiddles(const CudaArgs& args) {
  const uint32_t size = 1u << args.Params<NttTwiddles::Params>().log_size;
  constexpr uint32_t kEach = kTwiddleThreads * kTwiddlesEach;
  Twiddles<<<(size + kEach - 1) / kEach, kTwiddleThreads, 0, args.stream>>>(
      args.Get<uint32_t>(0), size, kGenerators);
}

}  // namespace

CudaEntry NttTwiddles::Cuda() { return {LaunchTwiddles}; }
CudaEntry NttEncode::Cuda() { return {LaunchEncode}; }

}  // namespace assay
