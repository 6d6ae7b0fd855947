// AES in counter mode on vector lanes, included once for each Highway target.
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_OPS_AES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_OPS_AES_INL_H_
#undef ASSAY_OPS_AES_INL_H_
#else
#define ASSAY_OPS_AES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstring>

#include "assay/base/secret.h"
#include "assay/ops/aes/aes.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Constant-time on every target: AES-NI, VAES or the instructions of ARM,
// else Highway's form by byte shuffles. Where these are no instruction, they
// are loads from places that depend on secrets: there the circuits of aes.h
// serve.
#undef ASSAY_AES_LANES
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128 || \
    HWY_TARGET == HWY_SSE2
#define ASSAY_AES_LANES 0
#else
#define ASSAY_AES_LANES 1
#endif

#if ASSAY_AES_LANES

// Rounds of 128 bits where the processor has no others, as products have them
// in number/gf2_128-inl.h: both kinds of vectors go together in ops/seal.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
using DA = hn::Full128<uint8_t>;
#else
using DA = hn::ScalableTag<uint8_t>;
#endif
using VA = hn::Vec<DA>;
using DA32 = hn::Repartition<uint32_t, DA>;
using VA32 = hn::Vec<DA32>;

// Vectors in flight, to hide the latency of a round.
constexpr size_t kAesVectors = 8;

// The round keys, one block repeated.
template <int kRounds>
struct AesKeys {
  VA k[kRounds + 1];

  HWY_INLINE explicit AesKeys(const aes::Key& key) {
    for (int r = 0; r <= kRounds; ++r) {
      k[r] = hn::LoadDup128(DA(), key.round[r]);
    }
  }
};

// The bytes of each block reversed.
HWY_INLINE VA ReverseBytes(VA v) {
  HWY_ALIGN static constexpr uint8_t kReversed[16] = {
      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  return hn::TableLookupBytes(v, hn::LoadDup128(DA(), kReversed));
}

// The counters of the blocks of one vector, bytes reversed: the number is the
// first of four words, and what it carries is lost, as GCM has it.
HWY_INLINE VA32 CountersFrom(const aes::Block& counter) {
  HWY_ALIGN static constexpr uint32_t kNumbers[16] = {0, 0, 0, 0, 1, 0, 0, 0,
                                                      2, 0, 0, 0, 3, 0, 0, 0};
  static_assert(HWY_MAX_BYTES <= sizeof(kNumbers));
  const VA first = ReverseBytes(hn::LoadDup128(DA(), counter.data()));
  return hn::Add(hn::BitCast(DA32(), first), hn::Load(DA32(), kNumbers));
}

// Counters `blocks` later.
HWY_INLINE VA32 CountersAfter(VA32 counters, uint32_t blocks) {
  HWY_ALIGN const uint32_t step[4] = {blocks, 0, 0, 0};
  return hn::Add(counters, hn::LoadDup128(DA32(), step));
}

// The counter blocks as AES takes them.
HWY_INLINE VA CounterBlocks(VA32 counters) {
  return ReverseBytes(hn::BitCast(DA(), counters));
}

// out = in ^ key stream for kAesVectors vectors of blocks.
template <int kRounds>
HWY_INLINE void CtrGroup(const AesKeys<kRounds>& keys, VA32 counters,
                         const uint8_t* in, uint8_t* out) {
  const DA d;
  const size_t step = hn::Lanes(d);
  VA s[kAesVectors];
#pragma GCC unroll 8
  for (size_t i = 0; i < kAesVectors; ++i) {
    s[i] = hn::Xor(CounterBlocks(counters), keys.k[0]);
    counters = CountersAfter(counters, static_cast<uint32_t>(step / 16));
  }
#pragma GCC unroll 14
  for (int r = 1; r < kRounds; ++r) {
#pragma GCC unroll 8
    for (size_t i = 0; i < kAesVectors; ++i) {
      s[i] = hn::AESRound(s[i], keys.k[r]);
    }
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < kAesVectors; ++i) {
    // The last round adds its key: the data can be added to that.
    const VA last = hn::Xor(keys.k[kRounds], hn::LoadU(d, in + i * step));
    hn::StoreU(hn::AESLastRound(s[i], last), d, out + i * step);
  }
}

// The key stream's first block.
template <int kRounds>
HWY_INLINE void BlockOfStream(const AesKeys<kRounds>& keys, VA32 counters,
                              aes::Block& block) {
  VA s = hn::Xor(CounterBlocks(counters), keys.k[0]);
  for (int r = 1; r < kRounds; ++r) s = hn::AESRound(s, keys.k[r]);
  HWY_ALIGN uint8_t lanes[HWY_MAX_BYTES];
  hn::Store(hn::AESLastRound(s, keys.k[kRounds]), DA(), lanes);
  std::memcpy(block.data(), lanes, block.size());
  Wipe(lanes, sizeof(lanes));
}

// Any number of bytes. Where vectors are arguments or results by value, GCC
// leaves the upper halves of registers dirty, and the caller's code crawls.
template <int kRounds>
HWY_NOINLINE void CtrBytes(const AesKeys<kRounds>& keys, const VA32& start,
                           const uint8_t* in, uint8_t* out, size_t bytes) {
  VA32 counters = start;
  const size_t group = kAesVectors * hn::Lanes(DA());
  const uint32_t blocks = static_cast<uint32_t>(group / 16);
  for (; bytes >= group; in += group, out += group, bytes -= group) {
    CtrGroup(keys, counters, in, out);
    counters = CountersAfter(counters, blocks);
  }
  if (bytes == 0) return;
  HWY_ALIGN uint8_t rest[kAesVectors * HWY_MAX_BYTES];
  std::memcpy(rest, in, bytes);
  CtrGroup(keys, counters, rest, rest);
  std::memcpy(out, rest, bytes);
  const DA d;
  for (size_t i = 0; i < group; i += hn::Lanes(d)) {
    hn::Store(hn::Zero(d), d, rest + i);
  }
  KeepWrites(rest);
}

#endif  // ASSAY_AES_LANES

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
