// Folding and weights on vector lanes.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/fold/fold_kernels.h"

#include <algorithm>
#include <utility>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/fold/fold_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/number/ext4-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// Products in one unreduced sum, within DotF's bound.
constexpr size_t kTerms = 1024;

// Four sums with the coefficients of one extension factor.
struct DotE {
  DotF c0, c1, c2, c3;

  // Spelled out, since an implicit constructor would not be compiled for the
  // vector target.
  HWY_INLINE DotE() {}

  HWY_INLINE void Add(const DotF::Operand& x, const Ext4& factor) {
    c0.Add(x, factor.c[0]);
    c1.Add(x, factor.c[1]);
    c2.Add(x, factor.c[2]);
    c3.Add(x, factor.c[3]);
  }
  HWY_INLINE VE Sum() const { return {c0.Sum(), c1.Sum(), c2.Sum(), c3.Sum()}; }
};

void Base(const CpuArgs& args) {
  const auto& p = args.Params<FoldBase::Params>();
  const BabyBear* table = args.Get<BabyBear>(0).data();
  const Ext4* weights = args.Get<Ext4>(1).data();
  BabyBear* out = args.Get<BabyBear>(2).data();
  const size_t size = size_t{1} << p.log_size;
  const size_t blocks = size_t{1} << p.log_blocks;
  const size_t lanes = hn::Lanes(DF());
  args.threads().For(
      (size + lanes - 1) / lanes, 64, [&](size_t begin, size_t end) {
        for (size_t v = begin; v < end; ++v) {
          const size_t i = v * lanes;
          const size_t n = std::min(lanes, size - i);
          VE sum = ZeroE();
          for (size_t first = 0; first < blocks; first += kTerms) {
            const size_t last = std::min(blocks, first + kTerms);
            DotE part;
            for (size_t c = first; c < last; ++c) {
              part.Add(DotF::Split(LoadSome(table + c * size + i, n)),
                       weights[c]);
            }
            sum = AddE(sum, part.Sum());
          }
          StoreSomeE(sum, out + i, p.stride, n);
        }
      });
}

void EqWeights(const CpuArgs& args) {
  const auto& p = args.Params<FoldEq::Params>();
  const BabyBear* low = args.Get<BabyBear>(0).data();
  const Ext4* high = args.Get<Ext4>(1).data();
  BabyBear* w = args.Get<BabyBear>(2).data();
  const size_t low_size = size_t{1} << p.log_low;
  const size_t lanes = hn::Lanes(DF());
  args.threads().For(size_t{1} << p.log_high, 4, [&](size_t begin, size_t end) {
    for (size_t h = begin; h < end; ++h) {
      const VE factor = SetE(high[h]);
      BabyBear* run = w + (h << p.log_low);
      for (size_t i = 0; i < low_size; i += lanes) {
        const size_t n = std::min(lanes, low_size - i);
        VE x = MulE(LoadSomeE(low + i, low_size, n), factor);
        if (p.accumulate != 0) {
          x = AddE(x, LoadSomeE(run + i, p.stride, n));
        }
        StoreSomeE(x, run + i, p.stride, n);
      }
    }
  });
}

// table[b] = product of factors[t] over the set bits t of b.
void PowerTable(const BabyBear* factors, uint32_t bits, BabyBear* table) {
  table[0] = BabyBear::One();
  for (uint32_t t = 0; t < bits; ++t) {
    const size_t n = size_t{1} << t;
    for (size_t b = 0; b < n; ++b) table[n + b] = table[b] * factors[t];
  }
}

// y^b for the bits that `factors` stand for.
BabyBear PowerAt(const BabyBear* factors, size_t b) {
  BabyBear power = BabyBear::One();
  for (int t = 0; b != 0; ++t, b >>= 1) {
    if (b & 1) power *= factors[t];
  }
  return power;
}

// The weights are the product of a |y| x 2^log_low matrix of powers with
// rows scaled for each high part: a matrix product with lazy sums. The high
// parts go in runs, so that host memory stays below 6 KiB a query.
void Select(const CpuArgs& args) {
  const auto& p = args.Params<FoldSelect::Params>();
  const BabyBear* y = args.Get<BabyBear>(0).data();
  const Ext4* coefficients = args.Get<Ext4>(1).data();
  BabyBear* w = args.Get<BabyBear>(2).data();
  const uint32_t log_low = std::min<uint32_t>(8, p.log_size);
  const uint32_t log_run = std::min<uint32_t>(10, p.log_size - log_low);
  const uint32_t log_runs = p.log_size - log_low - log_run;
  const size_t low_size = size_t{1} << log_low;
  const size_t run_size = size_t{1} << log_run;
  const size_t lanes = hn::Lanes(DF());

  std::vector<BabyBear> factors(size_t{p.count} * 32);
  std::vector<BabyBear> low(p.count * low_size);
  std::vector<BabyBear> run(p.count * run_size);
  args.threads().For(p.count, 8, [&](size_t begin, size_t end) {
    for (size_t j = begin; j < end; ++j) {
      BabyBear* f = factors.data() + 32 * j;
      BabyBear power = y[j];
      for (uint32_t t = 0; t < p.log_size; ++t, power *= power) {
        f[p.reversed != 0 ? p.log_size - 1 - t : t] = power;
      }
      PowerTable(f, log_low, low.data() + j * low_size);
      PowerTable(f + log_low, log_run, run.data() + j * run_size);
    }
  });
  std::vector<Ext4> outer(p.count);
  for (size_t k = 0; k < size_t{1} << log_runs; ++k) {
    for (size_t j = 0; j < p.count; ++j) {
      const BabyBear* f = factors.data() + 32 * j;
      outer[j] = coefficients[j] * PowerAt(f + log_low + log_run, k);
    }
    args.threads().For(run_size, 1, [&](size_t begin, size_t end) {
      std::vector<Ext4> scaled(p.count);
      for (size_t h = begin; h < end; ++h) {
        for (size_t j = 0; j < p.count; ++j) {
          scaled[j] = outer[j] * run[j * run_size + h];
        }
        BabyBear* block = w + (((k << log_run) | h) << log_low);
        for (size_t i = 0; i < low_size; i += lanes) {
          const size_t n = std::min(lanes, low_size - i);
          VE sum = LoadSomeE(block + i, p.stride, n);
          for (size_t first = 0; first < p.count; first += kTerms) {
            const size_t last = std::min<size_t>(p.count, first + kTerms);
            DotE part;
            for (size_t j = first; j < last; ++j) {
              part.Add(DotF::Split(LoadSome(low.data() + j * low_size + i, n)),
                       scaled[j]);
            }
            sum = AddE(sum, part.Sum());
          }
          StoreSomeE(sum, block + i, p.stride, n);
        }
      }
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(Base);
HWY_EXPORT(EqWeights);
HWY_EXPORT(Select);

CpuEntry FoldBase::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Base)(args); }};
}
CpuEntry FoldEq::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(EqWeights)(args); }};
}
CpuEntry FoldSelect::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Select)(args); }};
}

CpuEntry FoldReverse::Cpu() {
  return {[](const CpuArgs& args) {
    const uint32_t bits = args.Params<FoldReverse::Params>().log_size;
    uint32_t* table = args.Get<uint32_t>(0).data();
    const size_t size = size_t{1} << bits;
    // `reverse` counts with its top bit as the lowest.
    size_t reverse = 0;
    for (size_t i = 0; i < size; ++i) {
      if (i < reverse) std::swap(table[i], table[reverse]);
      size_t bit = size >> 1;
      while (bit != 0 && (reverse & bit) != 0) {
        reverse ^= bit;
        bit >>= 1;
      }
      reverse |= bit;
    }
  }};
}

}  // namespace assay
#endif  // HWY_ONCE
