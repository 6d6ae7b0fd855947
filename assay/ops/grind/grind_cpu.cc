// Proof-of-work search on vector lanes.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/grind/grind_kernels.h"

#include <algorithm>
#include <atomic>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/grind/grind_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/ops/poseidon2/poseidon2_wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

constexpr uint32_t kNone = 0xffffffff;

// The first hit in [begin, end), or kNone. Gives up once `best` is below.
uint32_t SearchRange(const BabyBear* state, const Grind::Params& p,
                     uint32_t begin, uint32_t end,
                     const std::atomic<uint32_t>& best) {
  const DF d;
  const uint32_t lanes = static_cast<uint32_t>(hn::Lanes(d));
  HWY_ALIGN uint32_t buffer[HWY_MAX_BYTES / 4];
  for (uint32_t i = 0; i < lanes; ++i) {
    buffer[i] = BabyBear::From64(uint64_t{begin} + i).residue;
  }
  VF candidate = hn::Load(d, buffer);
  const VF step = SetF(BabyBear::From(lanes));
  const VF one = hn::Set(d, 1u);  // times 2^-32: residue to canonical
  const VF mask = hn::Set(d, (1u << p.bits) - 1);
  for (uint32_t w = begin; w < end; w += lanes) {
    if (best.load(std::memory_order_relaxed) < w) return kNone;
    PoseidonStates states;
    for (int i = 0; i < 16; ++i) states.Set(i, SetF(state[i]));
    states.Set(static_cast<int>(p.position), candidate);
    states.Permute();
    const VF low = hn::And(MulF(states.Get(7), one), mask);
    const auto hits = hn::Eq(low, hn::Zero(d));
    if (!hn::AllFalse(d, hits)) {
      hn::Store(low, d, buffer);
      const uint32_t n = std::min(lanes, end - w);
      for (uint32_t i = 0; i < n; ++i) {
        if (buffer[i] == 0) return w + i;
      }
      return kNone;
    }
    candidate = AddF(candidate, step);
  }
  return kNone;
}

void Search(const CpuArgs& args) {
  const auto& p = args.Params<Grind::Params>();
  const BabyBear* state = args.Get<BabyBear>(0).data();
  const uint32_t end = p.start + p.count;
  std::atomic<uint32_t> best{kNone};
  const auto search = [&](uint32_t from, uint32_t to) {
    const uint32_t found = SearchRange(state, p, from, to, best);
    uint32_t current = best.load();
    while (found < current && !best.compare_exchange_weak(current, found)) {
    }
  };
  const uint32_t threads = static_cast<uint32_t>(args.threads().count());
  if (threads == 1) {
    search(p.start, end);
  } else {
    // Windows in order, each shared by all threads: no thread runs far ahead
    // of the smallest hit.
    const uint32_t piece = std::clamp<uint32_t>((1u << p.bits) / 16, 64, 1024);
    const uint32_t window = 4 * threads * piece;
    for (uint32_t w = p.start; w < end && best.load() == kNone;) {
      const uint32_t size = std::min(window, end - w);
      args.threads().For(
          (size + piece - 1) / piece, 1, [&](size_t first, size_t last) {
            for (size_t k = first; k < last; ++k) {
              const uint32_t from = w + static_cast<uint32_t>(k) * piece;
              search(from, std::min(w + size, from + piece));
            }
          });
      w += size;
    }
  }
  args.Get<uint32_t>(1)[0] = best.load();
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(Search);

CpuEntry Grind::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Search)(args); }};
}

}  // namespace assay
#endif  // HWY_ONCE
