// Checks by folding 128-bit blocks on vector lanes.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/crc/crc_kernels.h"

#include <algorithm>
#include <cstring>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/crc/crc_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/number/clmul-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// Without 128-bit blocks: a byte at a time through a table of its steps.
uint64_t AdvanceOne(const crc::Folding& folding, uint64_t r,
                    const std::byte* data, size_t bytes) {
  std::array<uint64_t, 256> table;
  for (size_t b = 0; b < table.size(); ++b) {
    uint64_t x = b;
    for (int i = 0; i < 8; ++i) x = (x >> 1) ^ (folding.p & (0 - (x & 1)));
    table[b] = x;
  }
  for (size_t i = 0; i < bytes; ++i) {
    r = (r >> 8) ^ table[(r ^ static_cast<uint64_t>(data[i])) & 0xff];
  }
  return r;
}

#else

namespace hn = hwy::HWY_NAMESPACE;

// Vectors of at most 512 bits, since the constants reach 32 blocks in eight
// vectors; of 128 where products have as many (number/gf2_128-inl.h).
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
using DW = hn::Full128<uint64_t>;
#else
using DW = hn::CappedTag<uint64_t, 8>;
#endif
using VW = hn::Vec<DW>;
using D2 = hn::Full128<uint64_t>;
using V2 = hn::Vec<D2>;
constexpr size_t kVectors = 8;  // independent chains hide the latency

HWY_INLINE V2 Pair(uint64_t low, uint64_t high) {
  return hn::InterleaveLower(D2(), hn::Set(D2(), low), hn::Set(D2(), high));
}

template <class D>
HWY_INLINE hn::Vec<D> LoadBytes(D d, const std::byte* p) {
  const hn::Repartition<uint8_t, D> d8;
  return hn::BitCast(d, hn::LoadU(d8, reinterpret_cast<const uint8_t*>(p)));
}

HWY_INLINE VW StepLanes(const crc::Folding::Step& step) {
  return hn::LoadDup128(DW(), &step.low);
}

// Moves blocks on by the distance of `step` and adds what they meet there.
template <class V>
HWY_INLINE V Fold(V blocks, V step, V next) {
  return hn::Xor3(ClmulLow(blocks, step), ClmulHigh(blocks, step), next);
}

HWY_INLINE uint64_t Low(V2 v) { return hn::GetLane(v); }
HWY_INLINE uint64_t High(V2 v) { return hn::ExtractLane(v, 1); }

// low x^64 + high modulo the generator, by Barrett's quotient.
uint64_t Reduce(const crc::Folding& folding, uint64_t low, uint64_t high) {
  const V2 quotient = ClmulLow(hn::Set(D2(), low), hn::Set(D2(), folding.mu));
  const uint64_t q = low ^ (Low(quotient) << 1);
  const V2 product = ClmulLow(hn::Set(D2(), q), hn::Set(D2(), folding.p));
  return high ^ (High(product) << 1) ^ (Low(product) >> 63);
}

// The register after fewer than 16 bytes, in steps of up to eight.
uint64_t Tail(const crc::Folding& folding, uint64_t r, const std::byte* bytes,
              size_t count) {
  while (count != 0) {
    const size_t n = std::min<size_t>(count, 8);
    uint64_t word = 0;
    for (size_t i = 0; i < n; ++i) {
      word |= static_cast<uint64_t>(bytes[i]) << (8 * i);
    }
    // Below 2^width a register may reach beyond n bytes; what does stays.
    const uint64_t rest = n == 8 ? 0 : r >> (8 * n);
    r = Reduce(folding, (r ^ word) << (64 - 8 * n), rest);
    bytes += n;
    count -= n;
  }
  return r;
}

// Joins the blocks of a vector, which are neighbours, into the last one.
V2 JoinBlocks(VW blocks, const crc::Folding::Step& neighbour) {
  HWY_ALIGN uint64_t words[8];
  hn::Store(blocks, DW(), words);
  const V2 step = Pair(neighbour.low, neighbour.high);
  V2 sum = hn::Load(D2(), words);
  for (size_t i = 2; i < hn::Lanes(DW()); i += 2) {
    sum = Fold(sum, step, hn::Load(D2(), words + i));
  }
  return sum;
}

// The index of the constants for a distance of 2^i blocks.
HWY_INLINE size_t LogBlocks(size_t blocks) {
  return static_cast<size_t>(hwy::FloorLog2(static_cast<uint32_t>(blocks)));
}

uint64_t AdvanceOne(const crc::Folding& folding, uint64_t r,
                    const std::byte* data, size_t bytes) {
  const DW d;
  const size_t size = hn::Lanes(d) * sizeof(uint64_t);
  const size_t log_size = LogBlocks(size / 16);
  const D2 d2;
  if (bytes < 16) return Tail(folding, r, data, bytes);
  const std::byte* const end = data + bytes;

  V2 sum;
  if (bytes < size) {
    sum = hn::Xor(LoadBytes(d2, data), Pair(r, 0));
    data += 16;
  } else {
    HWY_ALIGN uint64_t first[8] = {r};
    VW last = hn::Xor(LoadBytes(d, data), hn::Load(d, first));
    data += size;
    if (bytes >= 2 * kVectors * size) {
      VW v0 = last;
      VW v1 = LoadBytes(d, data);
      VW v2 = LoadBytes(d, data + size);
      VW v3 = LoadBytes(d, data + 2 * size);
      VW v4 = LoadBytes(d, data + 3 * size);
      VW v5 = LoadBytes(d, data + 4 * size);
      VW v6 = LoadBytes(d, data + 5 * size);
      VW v7 = LoadBytes(d, data + 6 * size);
      data += 7 * size;
      const VW far = StepLanes(folding.steps[log_size + 3]);
      for (; end - data >= static_cast<ptrdiff_t>(kVectors * size);
           data += kVectors * size) {
        v0 = Fold(v0, far, LoadBytes(d, data));
        v1 = Fold(v1, far, LoadBytes(d, data + size));
        v2 = Fold(v2, far, LoadBytes(d, data + 2 * size));
        v3 = Fold(v3, far, LoadBytes(d, data + 3 * size));
        v4 = Fold(v4, far, LoadBytes(d, data + 4 * size));
        v5 = Fold(v5, far, LoadBytes(d, data + 5 * size));
        v6 = Fold(v6, far, LoadBytes(d, data + 6 * size));
        v7 = Fold(v7, far, LoadBytes(d, data + 7 * size));
      }
      const VW one = StepLanes(folding.steps[log_size]);
      const VW two = StepLanes(folding.steps[log_size + 1]);
      const VW four = StepLanes(folding.steps[log_size + 2]);
      v1 = Fold(v0, one, v1);
      v3 = Fold(v2, one, v3);
      v5 = Fold(v4, one, v5);
      v7 = Fold(v6, one, v7);
      last = Fold(Fold(v1, two, v3), four, Fold(v5, two, v7));
    }
    const VW near = StepLanes(folding.steps[log_size]);
    for (; end - data >= static_cast<ptrdiff_t>(size); data += size) {
      last = Fold(last, near, LoadBytes(d, data));
    }
    sum = JoinBlocks(last, folding.steps[0]);
  }
  const V2 step = Pair(folding.steps[0].low, folding.steps[0].high);
  for (; end - data >= 16; data += 16) {
    sum = Fold(sum, step, LoadBytes(d2, data));
  }
  // The sum stands for sum x^64: 128 bits become 96 by K(127) and 64 by
  // Barrett.
  const V2 product = ClmulLow(sum, hn::Set(d2, folding.steps[0].high));
  r = Reduce(folding, Low(product) ^ High(sum), High(product));
  return Tail(folding, r, data, static_cast<size_t>(end - data));
}

#endif  // HWY_TARGET == HWY_SCALAR

// Chunks of one stream start from zero, but the first; Multiply moves what
// came before a chunk over it.
void AdvanceShared(const CpuArgs& args, const crc::Generator& generator,
                   const crc::Folding& folding, size_t bytes, size_t stride) {
  const auto& p = args.Params<CrcAdvance::Params>();
  const std::byte* data = args.Get<std::byte>(0).data();
  uint64_t* registers = args.Get<uint64_t>(1).data();
  constexpr size_t kLeast = size_t{1} << 16;
  const size_t wanted =
      4 * static_cast<size_t>(args.threads().count()) / p.streams + 1;
  const size_t chunk = std::max(kLeast, (bytes + wanted - 1) / wanted);
  const size_t chunks = std::max<size_t>(1, (bytes + chunk - 1) / chunk);
  std::vector<uint64_t> parts(chunks * p.streams);
  args.threads().For(parts.size(), 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const size_t stream = i / chunks;
      const size_t first = i % chunks * chunk;
      parts[i] = AdvanceOne(folding, first == 0 ? registers[stream] : 0,
                            data + stream * stride + first,
                            std::min(chunk, bytes - first));
    }
  });
  const size_t last_bytes = bytes - (chunks - 1) * chunk;
  const uint64_t over = crc::PowerOfX(generator, uint64_t{8} * chunk);
  const uint64_t over_last = crc::PowerOfX(generator, uint64_t{8} * last_bytes);
  for (size_t s = 0; s < p.streams; ++s) {
    uint64_t r = parts[s * chunks];
    for (size_t i = 1; i < chunks; ++i) {
      r = crc::Multiply(generator, r, i + 1 < chunks ? over : over_last) ^
          parts[s * chunks + i];
    }
    registers[s] = r;
  }
}

void Advance(const CpuArgs& args) {
  const auto& p = args.Params<CrcAdvance::Params>();
  const auto join = [](uint32_t low, uint32_t high) {
    return low | (uint64_t{high} << 32);
  };
  const crc::Generator generator = {static_cast<int>(p.width),
                                    join(p.generator_low, p.generator_high)};
  const size_t bytes = join(p.bytes_low, p.bytes_high);
  const size_t stride = join(p.stride_low, p.stride_high);
  const crc::Folding folding = crc::FoldingOf(generator);
  if (args.threads().count() > 1) {
    AdvanceShared(args, generator, folding, bytes, stride);
    return;
  }
  const std::byte* data = args.Get<std::byte>(0).data();
  uint64_t* registers = args.Get<uint64_t>(1).data();
  for (size_t s = 0; s < p.streams; ++s) {
    registers[s] = AdvanceOne(folding, registers[s], data + s * stride, bytes);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(Advance);

CpuEntry CrcAdvance::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Advance)(args); }};
}

}  // namespace assay
#endif  // HWY_ONCE
