// GHASH on vector lanes and several threads.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "assay/base/secret.h"
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

// Worth a thread of its own: some 5 microseconds.
constexpr size_t kLeastChunk = size_t{128} << 10;

void Run(const CpuArgs& args) {
  const auto& p = args.Params<Ghash::Params>();
  const size_t bytes = static_cast<size_t>(p.bytes_high) << 32 | p.bytes_low;
  const uint8_t* data = args.Get<uint8_t>(1).data();
  ghash::Block h;
  std::copy_n(args.Get<uint8_t>(0).begin(), 16, h.begin());
  ghash::Block state;
  std::copy_n(args.Get<uint8_t>(2).begin(), 16, state.begin());
  ghash::Powers powers = ghash::PowersOf(h);

  const size_t threads = static_cast<size_t>(args.threads().count());
  const size_t chunks = std::clamp<size_t>(bytes / kLeastChunk, 1,
                                           threads == 1 ? 1 : 4 * threads);
  if (chunks == 1) {
    HWY_DYNAMIC_DISPATCH(HashBytes)(powers, state, data, bytes);
  } else {
    // Each chunk but the last has whole blocks and starts from zero.
    const size_t blocks = (bytes + 15) / 16;
    const size_t chunk = (blocks + chunks - 1) / chunks * 16;
    std::vector<ghash::Block> parts(chunks);
    parts[0] = state;
    args.threads().For(chunks, 1, [&](size_t begin, size_t end) {
      for (size_t c = begin; c < end; ++c) {
        const size_t first = std::min(bytes, c * chunk);
        HWY_DYNAMIC_DISPATCH(HashBytes)
        (powers, parts[c], data + first, std::min(chunk, bytes - first));
      }
    });
    const Gf2_128 step = ghash::Power(h, chunk / 16);
    Gf2_128 sum;
    size_t done = 0;
    for (const ghash::Block& part : parts) {
      const size_t now = std::min(chunk, bytes - done);
      const size_t now_blocks = (now + 15) / 16;
      sum = sum * (now == chunk ? step : ghash::Power(h, now_blocks)) +
            reflected::Natural(part);
      done += now;
    }
    reflected::ToBlock(sum, state);
  }
  std::copy(state.begin(), state.end(), args.Get<uint8_t>(2).begin());
  Wipe(powers);
  Wipe(h);
}

}  // namespace

CpuEntry Ghash::Cpu() { return {&Run}; }

}  // namespace assay
#endif  // HWY_ONCE
