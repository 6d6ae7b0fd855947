// Sum-check rounds and sums against product weights on the GPU.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "assay/device/cuda/launch.h"
#include "assay/ops/sumcheck/residue_sum_cuda.h"
#include "assay/ops/sumcheck/sumcheck_kernels.h"

namespace assay {
namespace {

using gpu::Ext4BaseSum;
using gpu::Ext4Factor;
using gpu::Ext4Sum;

constexpr uint32_t kThreads = 256;
constexpr uint32_t kBlocksAnSm = 2;  // of rounds, for their registers

struct ExtTable {
  BabyBear* words;
  uint64_t stride;

  __device__ __forceinline__ Ext4 operator[](uint64_t i) const {
    return gpu::LoadPlanes(words, stride, i);
  }
  __device__ __forceinline__ void Put(uint64_t i, const Ext4& x) const {
    gpu::StorePlanes(x, words, stride, i);
  }
};

using MessageState = gpu::ResidueSumState<8>;

// h(0) and the leading coefficient of some positions.
struct MessageSum {
  Ext4Sum at_zero, leading;

  __device__ __forceinline__ void Add(const Ext4& f0, const Ext4& f1,
                                      const Ext4& w0, const Ext4& w1) {
    at_zero.Add(f0, w0);
    leading.Add(gpu::Sub(f1, f0), gpu::Sub(w1, w0));
  }
  __device__ __forceinline__ void Finish(MessageState* state,
                                         uint32_t* out) const {
    uint32_t words[8];
    gpu::WordsOf<2>({at_zero.Value(), leading.Value()}, words);
    gpu::ResidueSum(words, state, gridDim.x, out);
  }
};

__global__ void __launch_bounds__(kThreads, kBlocksAnSm)
    Round(ExtTable f, ExtTable w, uint32_t log_size, MessageState* state,
          uint32_t* out) {
  const uint64_t half = uint64_t{1} << (log_size - 1);
  MessageSum sum;
  for (uint64_t i = uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < half;
       i += uint64_t{gridDim.x} * kThreads) {
    sum.Add(f[i], f[i + half], w[i], w[i + half]);
  }
  sum.Finish(state, out);
}

// A thread reads the four entries that its two new ones come from, so that
// tables fold in place.
__global__ void __launch_bounds__(kThreads, kBlocksAnSm)
    Fold(ExtTable f, ExtTable w, uint32_t log_size, Ext4 challenge,
         MessageState* state, uint32_t* out) {
  const uint64_t quarter = uint64_t{1} << (log_size - 2);
  const Ext4Factor r = Ext4Factor::Of(challenge);
  const auto bind = [&r](const Ext4& zero, const Ext4& one) {
    return gpu::Add(zero, gpu::Mul(gpu::Sub(one, zero), r));
  };
  MessageSum sum;
  for (uint64_t i = uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < quarter;
       i += uint64_t{gridDim.x} * kThreads) {
    Ext4 f_in[4], w_in[4];
#pragma unroll
    for (uint64_t k = 0; k < 4; ++k) {
      f_in[k] = f[i + k * quarter];
      w_in[k] = w[i + k * quarter];
    }
    const Ext4 f0 = bind(f_in[0], f_in[2]), f1 = bind(f_in[1], f_in[3]);
    const Ext4 w0 = bind(w_in[0], w_in[2]), w1 = bind(w_in[1], w_in[3]);
    f.Put(i, f0);
    f.Put(i + quarter, f1);
    w.Put(i, w0);
    w.Put(i + quarter, w1);
    sum.Add(f0, f1, w0, w1);
  }
  sum.Finish(state, out);
}

// One entry is left, and nothing to measure.
__global__ void FoldLast(ExtTable f, ExtTable w, Ext4 r) {
  const ExtTable table = threadIdx.x == 0 ? f : w;
  table.Put(0, gpu::Add(table[0], gpu::Mul(gpu::Sub(table[1], table[0]), r)));
}

// One load where the address allows it, which it does for all threads or none.
__device__ __forceinline__ Ext4 LoadHigh(const Ext4* at) {
  if (reinterpret_cast<uintptr_t>(at) % 16 != 0) return *at;
  return reinterpret_cast<const gpu::Ext4Words*>(at)->x;
}

// Sums of kBlocks blocks against a product weight. A thread keeps its place
// among the low weights, so that it multiplies by them once, at the end.
template <int kBlocks, class Sum, class Step>
__device__ __forceinline__ void SumByProducts(const BabyBear* low,
                                              uint32_t log_low,
                                              uint32_t log_high,
                                              const Step& step,
                                              Ext4 (&totals)[kBlocks]) {
  const uint64_t threads = uint64_t{gridDim.x} * kThreads;
  const uint64_t first = uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const uint64_t low_size = uint64_t{1} << log_low;
  const uint64_t high_size = uint64_t{1} << log_high;
  const uint64_t high_step = threads < low_size ? 1 : threads >> log_low;
  for (uint64_t l = first & (low_size - 1); l < low_size; l += threads) {
    Sum sums[kBlocks];
    uint64_t h = first >> log_low;
    if (h >= high_size) break;
    // The entries of the next steps are under way while these are summed up.
    constexpr int kAhead = Step::kAhead;
    if (h + (kAhead - 1) * high_step < high_size) {
      typename Step::Entries now, next;
      step.Load(h, high_step, l, now);
      for (;; h += kAhead * high_step) {
        const bool more = h + (2 * kAhead - 1) * high_step < high_size;
        if (more) step.Load(h + kAhead * high_step, high_step, l, next);
#pragma unroll
        for (int a = 0; a < kAhead; ++a) {
          step.Add(now, a, LoadHigh(step.high + h + a * high_step), sums);
        }
        if (!more) break;
        now = next;
      }
      h += kAhead * high_step;
    }
    for (; h < high_size; h += high_step) {
      typename Step::Entries one;
      step.LoadOne(h, l, one);
      step.Add(one, 0, LoadHigh(step.high + h), sums);
    }
    const Ext4Factor factor = Ext4Factor::Of(gpu::LoadPlanes(low, low_size, l));
#pragma unroll
    for (int k = 0; k < kBlocks; ++k) {
      totals[k] = gpu::Add(totals[k], gpu::Mul(sums[k].Value(), factor));
    }
  }
}

// Words of kBlocks blocks of a base-field table.
template <int kBlocks>
struct BaseStep {
  static constexpr int kAhead = 4;
  struct Entries {
    BabyBear x[kAhead][kBlocks];
  };

  const BabyBear* table;
  const Ext4* high;
  uint64_t size;
  uint32_t log_low;

  template <int kCount>
  __device__ __forceinline__ void LoadSome(uint64_t h, uint64_t high_step,
                                           uint64_t l, Entries& to) const {
    const BabyBear* at = table + (h << log_low) + l;
#pragma unroll
    for (int a = 0; a < kCount; ++a, at += high_step << log_low) {
#pragma unroll
      for (int k = 0; k < kBlocks; ++k) {
        to.x[a][k].residue = __ldg(&at[k * size].residue);
      }
    }
  }
  __device__ __forceinline__ void Load(uint64_t h, uint64_t high_step,
                                       uint64_t l, Entries& to) const {
    LoadSome<kAhead>(h, high_step, l, to);
  }
  __device__ __forceinline__ void LoadOne(uint64_t h, uint64_t l,
                                          Entries& to) const {
    LoadSome<1>(h, 0, l, to);
  }
  __device__ __forceinline__ void Add(const Entries& from, int a,
                                      const Ext4& weight,
                                      Ext4BaseSum (&sums)[kBlocks]) const {
#pragma unroll
    for (int k = 0; k < kBlocks; ++k) sums[k].Add(weight, from.x[a][k]);
  }
};

template <int kBlocks>
using PartialState = gpu::ResidueSumState<4 * kBlocks>;

template <int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocksAnSm)
    Partial(const BabyBear* table, const BabyBear* low, const Ext4* high,
            uint32_t log_low, uint32_t log_high, PartialState<kBlocks>* states,
            uint32_t* out) {
  const uint64_t size = uint64_t{1} << (log_low + log_high);
  Ext4 totals[kBlocks] = {};
  SumByProducts<kBlocks, Ext4BaseSum>(
      low, log_low, log_high,
      BaseStep<kBlocks>{table + uint64_t{blockIdx.y} * kBlocks * size, high,
                        size, log_low},
      totals);
  uint32_t words[4 * kBlocks];
  gpu::WordsOf(totals, words);
  gpu::ResidueSum(words, states + blockIdx.y, gridDim.x,
                  out + uint64_t{blockIdx.y} * 4 * kBlocks);
}

struct ExtStep {
  static constexpr int kAhead = 4;
  struct Entries {
    Ext4 x[kAhead];
  };

  ExtTable table;
  const Ext4* high;
  uint32_t log_low;

  __device__ __forceinline__ void Load(uint64_t h, uint64_t high_step,
                                       uint64_t l, Entries& to) const {
#pragma unroll
    for (int a = 0; a < kAhead; ++a) {
      to.x[a] = table[((h + a * high_step) << log_low) | l];
    }
  }
  __device__ __forceinline__ void LoadOne(uint64_t h, uint64_t l,
                                          Entries& to) const {
    to.x[0] = table[h << log_low | l];
  }
  __device__ __forceinline__ void Add(const Entries& from, int a,
                                      const Ext4& weight,
                                      Ext4Sum (&sums)[1]) const {
    sums[0].Add(weight, from.x[a]);
  }
};

__global__ void __launch_bounds__(kThreads, kBlocksAnSm)
    Evaluate(ExtTable table, const BabyBear* low, const Ext4* high,
             uint32_t log_low, uint32_t log_high,
             gpu::ResidueSumState<4>* state, uint32_t* out) {
  Ext4 totals[1] = {};
  SumByProducts<1, Ext4Sum>(low, log_low, log_high,
                            ExtStep{table, high, log_low}, totals);
  uint32_t words[4];
  gpu::WordsOf(totals, words);
  gpu::ResidueSum(words, state, gridDim.x, out);
}

unsigned GridOf(const CudaArgs& args, uint64_t positions) {
  return static_cast<unsigned>(std::clamp<uint64_t>(
      (positions + kThreads - 1) / kThreads, 1,
      static_cast<uint64_t>(args.multiprocessors) * kBlocksAnSm));
}

// Blocks that share one sum over 2^log_size places: a power of two, so that a
// thread keeps its place among the low weights.
unsigned GridOfSums(const CudaArgs& args, uint32_t log_size, uint64_t sums,
                    uint64_t most) {
  const uint64_t places = uint64_t{1} << log_size;
  // Few threads with many places each: what a thread does at the end costs as
  // much as some dozens of places.
  const uint64_t wanted = std::bit_floor(std::max<uint64_t>(
      1, static_cast<uint64_t>(args.multiprocessors) * 2 / sums));
  return static_cast<unsigned>(
      sums > most ? 1 : std::clamp<uint64_t>(places / kThreads, 1, wanted));
}

ExtTable TableOf(const CudaArgs& args, size_t binding, uint32_t stride) {
  return {args.Get<BabyBear>(binding), stride};
}

void LaunchRound(const CudaArgs& args) {
  const auto& p = args.Params<SumcheckRound::Params>();
  const uint64_t half = uint64_t{1} << (p.log_size - 1);
  Round<<<GridOf(args, half), kThreads, 0, args.stream>>>(
      TableOf(args, 0, p.f_stride), TableOf(args, 1, p.w_stride), p.log_size,
      args.Sums<MessageState>(), args.Get<uint32_t>(2));
}

void LaunchFold(const CudaArgs& args) {
  const auto& p = args.Params<SumcheckFold::Params>();
  const ExtTable f = TableOf(args, 0, p.f_stride);
  const ExtTable w = TableOf(args, 1, p.w_stride);
  Ext4 r;
  for (int l = 0; l < 4; ++l) r.c[l] = BabyBear::FromResidue(p.r[l]);
  if (p.log_size == 1) {
    FoldLast<<<1, 2, 0, args.stream>>>(f, w, r);
    return;
  }
  const uint64_t quarter = uint64_t{1} << (p.log_size - 2);
  Fold<<<GridOf(args, quarter), kThreads, 0, args.stream>>>(
      f, w, p.log_size, r, args.Sums<MessageState>(), args.Get<uint32_t>(2));
}

template <int kBlocks>
void LaunchPartialOf(const CudaArgs& args) {
  const auto& p = args.Params<SumcheckPartial::Params>();
  const uint32_t sums = p.blocks / kBlocks;
  const dim3 grid(GridOfSums(args, p.log_low + p.log_high, sums,
                             kSumBytes / sizeof(PartialState<kBlocks>)),
                  sums);
  Partial<kBlocks><<<grid, kThreads, 0, args.stream>>>(
      args.Get<BabyBear>(0), args.Get<BabyBear>(1), args.Get<Ext4>(2),
      p.log_low, p.log_high, args.Sums<PartialState<kBlocks>>(),
      args.Get<uint32_t>(3));
}

void LaunchPartial(const CudaArgs& args) {
  const uint32_t blocks = args.Params<SumcheckPartial::Params>().blocks;
  if (blocks == 0) return;
  if (blocks % 4 == 0) {
    LaunchPartialOf<4>(args);
  } else {
    LaunchPartialOf<1>(args);
  }
}

void LaunchEvaluate(const CudaArgs& args) {
  const auto& p = args.Params<SumcheckEvaluate::Params>();
  Evaluate<<<GridOfSums(args, p.log_low + p.log_high, 1, 1), kThreads, 0,
             args.stream>>>(TableOf(args, 0, p.stride), args.Get<BabyBear>(1),
                            args.Get<Ext4>(2), p.log_low, p.log_high,
                            args.Sums<gpu::ResidueSumState<4>>(),
                            args.Get<uint32_t>(3));
}

}  // namespace

CudaEntry SumcheckPartial::Cuda() { return {LaunchPartial}; }
CudaEntry SumcheckEvaluate::Cuda() { return {LaunchEvaluate}; }
CudaEntry SumcheckRound::Cuda() { return {LaunchRound}; }
CudaEntry SumcheckFold::Cuda() { return {LaunchFold}; }

}  // namespace assay
