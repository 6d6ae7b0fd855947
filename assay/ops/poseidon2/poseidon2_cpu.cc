// The permutation of many states on vector lanes.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/poseidon2/poseidon2_kernels.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/poseidon2/poseidon2_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/ops/poseidon2/poseidon2_wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

void PermuteStates(const CpuArgs& args) {
  const size_t count = args.Params<Poseidon2Permute::Params>().count;
  BabyBear* cells = args.Get<BabyBear>(0).data();
  const size_t lanes = hn::Lanes(DF());
  args.threads().For(
      (count + lanes - 1) / lanes, 8, [&](size_t begin, size_t end) {
        for (size_t v = begin; v < end; ++v) {
          const size_t first = v * lanes;
          const size_t n = std::min(lanes, count - first);
          PoseidonStates states;
          for (int i = 0; i < 16; ++i) {
            states.Set(i, LoadSome(cells + i * count + first, n));
          }
          states.Permute();
          for (int i = 0; i < 16; ++i) {
            StoreSome(states.Get(i), cells + i * count + first, n);
          }
        }
      });
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(PermuteStates);

CpuEntry Poseidon2Permute::Cpu() {
  return {
      [](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(PermuteStates)(args); }};
}

}  // namespace assay
#endif  // HWY_ONCE
