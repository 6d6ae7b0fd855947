// AES-GCM's pass over data on vector lanes, included for each Highway target.
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_OPS_SEAL_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_OPS_SEAL_INL_H_
#undef ASSAY_OPS_SEAL_INL_H_
#else
#define ASSAY_OPS_SEAL_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "assay/ops/aes/aes-inl.h"
#include "assay/ops/ghash/ghash-inl.h"
#include "assay/ops/seal/seal.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

#if ASSAY_AES_LANES

static_assert(kAesVectors == 8 && kHashVectors == 8);

// Asks for what is some groups ahead, be it there or not: a processor's own
// prefetcher starts anew at each page. Hashing alone loses by it where the
// data is in the second cache.
HWY_INLINE void PrefetchGroup(const uint8_t* data) {
  constexpr size_t kAhead = 2048;
  const size_t bytes = 16 * BlocksOfGroup();
  for (size_t line = 0; line < bytes; line += 64) {
    hwy::Prefetch(data + kAhead + line);
  }
}

// One group of the key stream, out = in ^ stream, while `hashed`, a whole
// group of ciphertext, is absorbed into `y`: the processor's units for AES and
// for carry-less products work side by side. Everything is read before
// anything is written.
template <int kRounds>
HWY_INLINE void CryptGroup(const AesKeys<kRounds>& keys,
                           const ghash::Powers& powers, VA32 counters,
                           const uint8_t* in, uint8_t* out,
                           const uint8_t* hashed, VG& y) {
  const DA d;
  const size_t step = hn::Lanes(d);
  const size_t lanes = LanesG();
  const size_t first = ghash::Powers::kCount - BlocksOfGroup();
  PrefetchGroup(in);
  PrefetchGroup(out);
  VA s[8];
#pragma GCC unroll 8
  for (size_t i = 0; i < 8; ++i) {
    s[i] = hn::Xor(CounterBlocks(counters), keys.k[0]);
    counters = CountersAfter(counters, static_cast<uint32_t>(lanes));
  }
  HashSum sum;
#pragma GCC unroll 14
  for (int r = 1; r < kRounds; ++r) {
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; ++i) s[i] = hn::AESRound(s[i], keys.k[r]);
    // Vectors 6 and 7, 4 and 5, ...; the state goes with vector 0, last.
    if (r % 2 == 1 && r < 8) {
      const size_t i = static_cast<size_t>(7 - r);
      VG v = LoadBlocks(hashed + i * step);
      if (i == 0) v = hn::Xor(v, y);
      sum.Add2(LoadBlocks(hashed + (i + 1) * step),
               FactorEverywhere(powers, first + (i + 1) * lanes), v,
               FactorEverywhere(powers, first + i * lanes));
    }
    if (r == 8) y = sum.Reduce();
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < 8; ++i) {
    const VA last = hn::Xor(keys.k[kRounds], hn::LoadU(d, in + i * step));
    s[i] = hn::AESLastRound(s[i], last);
  }
#pragma GCC unroll 8
  for (size_t i = 0; i < 8; ++i) hn::StoreU(s[i], d, out + i * step);
}

// The hash runs one group behind: it absorbs what was written before.
template <int kRounds>
HWY_INLINE void EncryptRounds(const seal::Key& key, seal::Stream& stream,
                              const uint8_t* in, uint8_t* out, size_t bytes) {
  const AesKeys<kRounds> keys(key.aes);
  const size_t group = 16 * BlocksOfGroup();
  const uint32_t blocks = static_cast<uint32_t>(group / 16);
  VA32 counters = CountersFrom(stream.counter);
  VG y = StateToLanes(stream.hash);
  size_t done = 0;
  if (bytes >= 2 * group) {
    CtrGroup(keys, counters, in, out);
    for (done = group; bytes - done >= group; done += group) {
      counters = CountersAfter(counters, blocks);
      CryptGroup(keys, key.powers, counters, in + done, out + done,
                 out + done - group, y);
    }
    counters = CountersAfter(counters, blocks);
  }
  CtrBytes(keys, counters, in + done, out + done, bytes - done);
  const size_t hashed = done == 0 ? 0 : done - group;
  GhashRest(key.powers, y, out + hashed, bytes - hashed, stream.hash);
}

template <int kRounds>
HWY_INLINE void DecryptRounds(const seal::Key& key, seal::Stream& stream,
                              const uint8_t* in, uint8_t* out, size_t bytes) {
  const AesKeys<kRounds> keys(key.aes);
  const size_t group = 16 * BlocksOfGroup();
  const uint32_t blocks = static_cast<uint32_t>(group / 16);
  VA32 counters = CountersFrom(stream.counter);
  VG y = StateToLanes(stream.hash);
  size_t done = 0;
  // The last group's factors differ by position: that is GhashRest's.
  for (; bytes - done >= 2 * group; done += group) {
    CryptGroup(keys, key.powers, counters, in + done, out + done, in + done, y);
    counters = CountersAfter(counters, blocks);
  }
  GhashRest(key.powers, y, in + done, bytes - done, stream.hash);
  CtrBytes(keys, counters, in + done, out + done, bytes - done);
}

#endif  // ASSAY_AES_LANES

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
