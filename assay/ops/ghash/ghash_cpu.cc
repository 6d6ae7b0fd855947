// GHASH on vector lanes and several threads.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "assay/base/secret.h"
#include "assay/ops/ghash/chunks.h"
#include "assay/ops/ghash/ghash_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/ghash/ghash_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/ops/ghash/ghash-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

void HashBytes(const ghash::Powers& powers, ghash::Block& y,
               const uint8_t* data, size_t bytes) {
  GhashBytes(powers, y, data, bytes);
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {

HWY_EXPORT(HashBytes);

void Run(const CpuArgs& args) {
  const auto& p = args.Params<Ghash::Params>();
  const size_t bytes = static_cast<size_t>(p.bytes_high) << 32 | p.bytes_low;
  const uint8_t* data = args.Get<uint8_t>(1).data();
  ghash::Block h;
  std::copy_n(args.Get<uint8_t>(0).begin(), 16, h.begin());
  ghash::Block state;
  std::copy_n(args.Get<uint8_t>(2).begin(), 16, state.begin());
  ghash::Powers powers = ghash::PowersOf(h);

  const ghash::Chunks chunks(bytes, args.threads().count());
  std::vector<ghash::Block> parts(chunks.count);
  parts[0] = state;
  args.threads().For(chunks.count, 1, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      HWY_DYNAMIC_DISPATCH(HashBytes)
      (powers, parts[c], data + chunks.First(c), chunks.Size(c));
    }
  });
  if (chunks.count == 1) {
    state = parts[0];
  } else {
    state = ghash::JoinChunks(h, parts, chunks.bytes_each / 16,
                              (chunks.Size(chunks.count - 1) + 15) / 16);
  }
  std::copy(state.begin(), state.end(), args.Get<uint8_t>(2).begin());
  Wipe(powers);
  Wipe(h);
}

}  // namespace

CpuEntry Ghash::Cpu() { return {&Run}; }

}  // namespace assay
#endif  // HWY_ONCE
