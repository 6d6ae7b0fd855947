// Adds up blocks on vector lanes and several threads.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "assay/ops/xor_sum/xor_sum.h"
#include "assay/ops/xor_sum/xor_sum_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/xor_sum/xor_sum_cpu.cc"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

void AddBlocks(xor_sum::Block& sum, const uint8_t* data, size_t bytes) {
  sum = xor_sum::Add(sum, {data, bytes});
}

#else

namespace hn = hwy::HWY_NAMESPACE;

void AddBlocks(xor_sum::Block& sum, const uint8_t* data, size_t bytes) {
  const hn::ScalableTag<uint8_t> d;
  constexpr size_t kVectors = 8;
  // A processor's own prefetcher starts anew at each page.
  constexpr size_t kAhead = 2048;
  const size_t step = kVectors * hn::Lanes(d);
  hn::Vec<decltype(d)> sums[kVectors];
  for (auto& s : sums) s = hn::Zero(d);
  const uint8_t* const end = data + bytes;
  for (; data + step <= end; data += step) {
    for (size_t line = 0; line < step; line += 64) {
      hwy::Prefetch(data + kAhead + line);
    }
#pragma GCC unroll 8
    for (size_t k = 0; k < kVectors; ++k) {
      sums[k] = hn::Xor(sums[k], hn::LoadU(d, data + k * hn::Lanes(d)));
    }
  }
  HWY_ALIGN uint8_t lanes[kVectors * HWY_MAX_BYTES];
  for (size_t k = 0; k < kVectors; ++k) {
    hn::Store(sums[k], d, lanes + k * hn::Lanes(d));
  }
  sum = xor_sum::Add(sum, {lanes, step});
  sum = xor_sum::Add(sum, {data, static_cast<size_t>(end - data)});
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {

HWY_EXPORT(AddBlocks);

void Run(const CpuArgs& args) {
  const auto& p = args.Params<XorSum::Params>();
  const size_t blocks = static_cast<size_t>(p.blocks_high) << 32 | p.blocks_low;
  const uint8_t* data = args.Get<uint8_t>(0).data();
  auto& sum = args.Get<xor_sum::Block>(1)[0];
  // A thread of its own is worth it from 128 KiB on.
  const size_t wanted =
      args.threads().count() == 1
          ? 1
          : std::clamp<size_t>(blocks >> 13, 1,
                               4 * static_cast<size_t>(args.threads().count()));
  const size_t each = std::max<size_t>((blocks + wanted - 1) / wanted, 1);
  const size_t chunks = std::max<size_t>((blocks + each - 1) / each, 1);
  std::vector<xor_sum::Block> parts(chunks, xor_sum::Block{});
  args.threads().For(chunks, 1, [&](size_t begin, size_t end) {
    for (size_t c = begin; c < end; ++c) {
      HWY_DYNAMIC_DISPATCH(AddBlocks)
      (parts[c], data + 16 * c * each,
       16 * (std::min(blocks, (c + 1) * each) - c * each));
    }
  });
  for (const xor_sum::Block& part : parts) sum = xor_sum::Add(sum, part);
}

}  // namespace

CpuEntry XorSum::Cpu() { return {&Run}; }

}  // namespace assay
#endif  // HWY_ONCE
