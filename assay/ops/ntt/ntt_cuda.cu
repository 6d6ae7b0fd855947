// The transform on the GPU: up to ten stages a pass over memory.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
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
  // The tile of a pass with so large a step; false if it is no full one.
  static constexpr __host__ __device__ bool SetTile(uint32_t log_step,
                                                    PassParams& p) {
    const uint32_t log_above = p.log_rows - kStages - log_step;
    p.log_step = log_step;
    p.log_low = log_step < kLogColumns ? log_step : kLogColumns;
    p.log_high = kLogColumns - p.log_low;
    if (p.log_high <= log_above) return true;
    p.log_high = log_above;
    return false;
  }

  static constexpr int kA = (kStages + 1) / 2, kB = kStages / 2;
  static constexpr int kValues = 1 << kA;
  // Of a full tile. Blocks of 256 threads wait less for each other; with ten
  // stages they would have half a line of memory a row.
  static constexpr int kLogThreads = kStages == kMostStages ? 9 : 8;
  static constexpr uint32_t kLogColumns = kLogThreads - kB;

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

// Where the compiler knows the step and the runs above it (else -1), the tile
// is a full one, and addresses, a third of all instructions, cost next to none.
template <int kStages, Source kFrom, int kLogStep, int kLogAbove>
__global__ void __launch_bounds__(1 << Shape<kStages>::kLogThreads,
                                  1024 >> Shape<kStages>::kLogThreads)
    Pass(const __grid_constant__ PassParams params) {
  using S = Shape<kStages>;
  constexpr int kA = S::kA, kB = S::kB;
  extern __shared__ uint32_t shared[];
  PassParams p = params;
  if constexpr (kLogStep >= 0) {
    p.log_rows = kStages + kLogStep + kLogAbove;
    S::SetTile(kLogStep, p);
  }
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

// Passes of the commitments of proofs of 2^20 to 2^24 values with fold 4 and
// rate 1, beside which the others take little time.
struct Known {
  Source from;
  int stages, log_step, log_above;
};
constexpr Known kKnown[] = {
    {Source::kMessage, 8, 1, 7},   {Source::kMessage, 8, 1, 8},
    {Source::kMessage, 9, 1, 8},   {Source::kMessage, 9, 1, 9},
    {Source::kMessage, 10, 1, 9},  {Source::kMessage, 10, 1, 10},
    {Source::kMessage, 6, 4, 6},   {Source::kMessage, 7, 4, 7},
    {Source::kMessage, 8, 4, 8},   {Source::kMessage, 6, 7, 6},
    {Source::kCodeword, 7, 9, 0},  {Source::kCodeword, 8, 9, 0},
    {Source::kCodeword, 8, 10, 0}, {Source::kCodeword, 9, 10, 0},
    {Source::kCodeword, 9, 11, 0}, {Source::kCodeword, 10, 11, 0},
    {Source::kCodeword, 6, 10, 0}, {Source::kCodeword, 7, 11, 0},
    {Source::kCodeword, 8, 12, 0}, {Source::kCodeword, 6, 13, 0},
};

struct PassLaunch {
  PassParams params;
  Source from;
  int stages;
  uint32_t columns;
  cudaStream_t stream;
};

template <int kStages, Source kFrom, int kLogStep, int kLogAbove>
void LaunchKernel(const PassLaunch& launch, const PassParams& p) {
  using S = Shape<kStages>;
  const uint32_t log_columns = p.log_low + p.log_high;
  const uint32_t shared = S::SharedBytes(log_columns, p.log_low);
  auto* kernel = Pass<kStages, kFrom, kLogStep, kLogAbove>;
  if (shared > 48 * 1024) {
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                         static_cast<int>(shared));
  }
  kernel<<<launch.columns << (p.log_rows - kStages - log_columns),
           1u << (S::kB + log_columns), shared, launch.stream>>>(p);
}

template <size_t kIndex>
bool TryKnown(const PassLaunch& launch) {
  constexpr Known kPass = kKnown[kIndex];
  PassParams p = launch.params;
  if (launch.from != kPass.from || launch.stages != kPass.stages ||
      p.log_step != kPass.log_step ||
      p.log_rows != kPass.stages + kPass.log_step + kPass.log_above ||
      !Shape<kPass.stages>::SetTile(kPass.log_step, p)) {
    return false;
  }
  LaunchKernel<kPass.stages, kPass.from, kPass.log_step, kPass.log_above>(
      launch, p);
  return true;
}

template <int kStages, Source kFrom>
bool TryAny(const PassLaunch& launch) {
  if (launch.from != kFrom || launch.stages != kStages) return false;
  PassParams p = launch.params;
  Shape<kStages>::SetTile(p.log_step, p);
  LaunchKernel<kStages, kFrom, -1, -1>(launch, p);
  return true;
}

// The kernel out of those that were compiled.
void LaunchPass(const PassLaunch& launch) {
  const auto known = [&]<size_t... kIndex>(std::index_sequence<kIndex...>) {
    return (TryKnown<kIndex>(launch) || ...);
  };
  const auto any = [&]<int... kStages>(std::integer_sequence<int, kStages...>) {
    return ((TryAny<kStages, Source::kCodeword>(launch) ||
             TryAny<kStages, Source::kMessage>(launch) ||
             TryAny<kStages, Source::kReversed>(launch)) ||
            ...);
  };
  if (!known(std::make_index_sequence<std::size(kKnown)>())) {
    any(std::make_integer_sequence<int, kMostStages + 1>());
  }
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

  const int all = static_cast<int>(p.log_message);
  const int passes = std::max(1, (all + kMostStages - 1) / kMostStages);
  Source from = p.reversed != 0 ? Source::kReversed : Source::kMessage;
  for (int done = 0, k = 0; k < passes; ++k) {
    const int stages = (all - done + passes - k - 1) / (passes - k);
    pass.last = k + 1 == passes;
    LaunchPass({pass, from, stages, p.columns, args.stream});
    from = Source::kCodeword;
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
