// Sum-check rounds on vector lanes.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/sumcheck/sumcheck_kernels.h"

#include <algorithm>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/sumcheck/sumcheck_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/number/ext4-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// Entries a thread takes at a time; sums of chunks are added in order, but
// field sums do not depend on the order anyway.
constexpr size_t kChunk = 4096;

// sum_i table[i] * low[i] over one run of the low weights.
HWY_INLINE VE DotLow(const BabyBear* table, const BabyBear* low, size_t size) {
  const size_t lanes = hn::Lanes(DF());
  VE sum = ZeroE();
  for (size_t i = 0; i < size; i += lanes) {
    const size_t n = std::min(lanes, size - i);
    const VF x = LoadSome(table + i, n);
    const VE w = LoadSomeE(low + i, size, n);
    sum =
        AddE(sum, {MulF(x, w.c0), MulF(x, w.c1), MulF(x, w.c2), MulF(x, w.c3)});
  }
  return sum;
}

void Partial(const CpuArgs& args) {
  const auto& p = args.Params<SumcheckPartial::Params>();
  const BabyBear* table = args.Get<BabyBear>(0).data();
  const BabyBear* low = args.Get<BabyBear>(1).data();
  const Ext4* high = args.Get<Ext4>(2).data();
  Ext4* out = args.Get<Ext4>(3).data();
  const size_t low_size = size_t{1} << p.log_low;
  const size_t high_size = size_t{1} << p.log_high;
  args.threads().For(p.blocks, 1, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      VE sum = ZeroE();
      for (size_t h = 0; h < high_size; ++h) {
        const BabyBear* run = table + ((c * high_size + h) << p.log_low);
        sum = AddE(sum, MulE(DotLow(run, low, low_size), SetE(high[h])));
      }
      out[c] = SumLanesE(sum);
    }
  });
}

void Evaluate(const CpuArgs& args) {
  const auto& p = args.Params<SumcheckEvaluate::Params>();
  const BabyBear* table = args.Get<BabyBear>(0).data();
  const BabyBear* low = args.Get<BabyBear>(1).data();
  const Ext4* high = args.Get<Ext4>(2).data();
  const size_t low_size = size_t{1} << p.log_low;
  const size_t high_size = size_t{1} << p.log_high;
  const size_t lanes = hn::Lanes(DF());
  std::vector<Ext4> parts(high_size);
  args.threads().For(high_size, 1, [&](size_t begin, size_t end) {
    for (size_t h = begin; h < end; ++h) {
      VE sum = ZeroE();
      for (size_t i = 0; i < low_size; i += lanes) {
        const size_t n = std::min(lanes, low_size - i);
        sum =
            AddE(sum, MulE(LoadSomeE(table + (h << p.log_low) + i, p.stride, n),
                           LoadSomeE(low + i, low_size, n)));
      }
      parts[h] = SumLanesE(sum) * high[h];
    }
  });
  Ext4 total;
  for (const Ext4& part : parts) total += part;
  *args.Get<Ext4>(3).data() = total;
}

// h(0) and the leading coefficient, summed lane by lane.
struct Message {
  VE at_zero, leading;

  HWY_INLINE void Add(const VE& f0, const VE& f1, const VE& w0, const VE& w1) {
    at_zero = AddE(at_zero, MulE(f0, w0));
    leading = AddE(leading, MulE(SubE(f1, f0), SubE(w1, w0)));
  }
};

// Runs body(begin, end, message) over [0, size) and sums the messages.
template <class Body>
void SumMessages(const CpuArgs& args, size_t size, Ext4* out,
                 const Body& body) {
  const size_t chunks = (size + kChunk - 1) / kChunk;
  std::vector<Ext4> parts(2 * chunks);
  args.threads().For(chunks, 1, [&](size_t begin, size_t end) {
    for (size_t k = begin; k < end; ++k) {
      Message message = {ZeroE(), ZeroE()};
      body(k * kChunk, std::min(size, (k + 1) * kChunk), message);
      parts[2 * k] = SumLanesE(message.at_zero);
      parts[2 * k + 1] = SumLanesE(message.leading);
    }
  });
  out[0] = out[1] = Ext4::Zero();
  for (size_t k = 0; k < chunks; ++k) {
    out[0] += parts[2 * k];
    out[1] += parts[2 * k + 1];
  }
}

void Round(const CpuArgs& args) {
  const auto& p = args.Params<SumcheckRound::Params>();
  const BabyBear* f = args.Get<BabyBear>(0).data();
  const BabyBear* w = args.Get<BabyBear>(1).data();
  const size_t half = size_t{1} << (p.log_size - 1);
  const size_t lanes = hn::Lanes(DF());
  SumMessages(args, half, args.Get<Ext4>(2).data(),
              [&](size_t begin, size_t end, Message& message) {
                for (size_t i = begin; i < end; i += lanes) {
                  const size_t n = std::min(lanes, end - i);
                  message.Add(LoadSomeE(f + i, p.f_stride, n),
                              LoadSomeE(f + i + half, p.f_stride, n),
                              LoadSomeE(w + i, p.w_stride, n),
                              LoadSomeE(w + i + half, p.w_stride, n));
                }
              });
}

// Entry i bound to r: t[i] + r (t[i + half] - t[i]).
HWY_INLINE VE BindSome(BabyBear* t, size_t stride, size_t i, size_t half,
                       size_t n, const VE& r) {
  const VE low = LoadSomeE(t + i, stride, n);
  const VE high = LoadSomeE(t + i + half, stride, n);
  const VE bound = AddE(low, MulE(SubE(high, low), r));
  StoreSomeE(bound, t + i, stride, n);
  return bound;
}

void Fold(const CpuArgs& args) {
  const auto& p = args.Params<SumcheckFold::Params>();
  BabyBear* f = args.Get<BabyBear>(0).data();
  BabyBear* w = args.Get<BabyBear>(1).data();
  Ext4 challenge;
  for (int l = 0; l < 4; ++l) {
    challenge.c[l] = BabyBear::FromResidue(p.r[l]);
  }
  const VE r = SetE(challenge);
  const size_t half = size_t{1} << (p.log_size - 1);
  const size_t lanes = hn::Lanes(DF());
  if (half == 1) {
    BindSome(f, p.f_stride, 0, 1, 1, r);
    BindSome(w, p.w_stride, 0, 1, 1, r);
    return;
  }
  const size_t quarter = half / 2;
  SumMessages(
      args, quarter, args.Get<Ext4>(2).data(),
      [&](size_t begin, size_t end, Message& message) {
        for (size_t i = begin; i < end; i += lanes) {
          const size_t n = std::min(lanes, end - i);
          const VE f0 = BindSome(f, p.f_stride, i, half, n, r);
          const VE f1 = BindSome(f, p.f_stride, i + quarter, half, n, r);
          const VE w0 = BindSome(w, p.w_stride, i, half, n, r);
          const VE w1 = BindSome(w, p.w_stride, i + quarter, half, n, r);
          message.Add(f0, f1, w0, w1);
        }
      });
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(Partial);
HWY_EXPORT(Evaluate);
HWY_EXPORT(Round);
HWY_EXPORT(Fold);

CpuEntry SumcheckPartial::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Partial)(args); }};
}
CpuEntry SumcheckEvaluate::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Evaluate)(args); }};
}
CpuEntry SumcheckRound::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Round)(args); }};
}
CpuEntry SumcheckFold::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Fold)(args); }};
}

}  // namespace assay
#endif  // HWY_ONCE
