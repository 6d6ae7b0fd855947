// Compresses blocks by FIPS 180-4, portably or by the processor's instructions.
// SPDX-License-Identifier: Apache-2.0
#include "assay/hash/sha256.h"

#include <algorithm>

#include "assay/base/secret.h"
#include "assay/hash/sha256_block.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay {
namespace sha256 {
namespace {

uint32_t BigEndian(const uint8_t* p) {
  return static_cast<uint32_t>(p[0]) << 24 | static_cast<uint32_t>(p[1]) << 16 |
         static_cast<uint32_t>(p[2]) << 8 | p[3];
}

#if defined(__x86_64__)

// Two registers hold a, b, e, f and c, d, g, h, as the instruction wants them.
__attribute__((target("sha,sse4.1,ssse3"))) void CompressSha(
    uint32_t* state, const uint8_t* blocks, size_t count) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i dcba = _mm_shuffle_epi32(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(state)), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(
      _mm_loadu_si128(reinterpret_cast<const __m128i*>(state + 4)), 0x1b);
  __m128i abef = _mm_alignr_epi8(dcba, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, dcba, 0xf0);
  for (; count != 0; --count, blocks += 64) {
    const __m128i old_abef = abef;
    const __m128i old_cdgh = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) {
      w[i] = _mm_shuffle_epi8(
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks) + i), swap);
    }
#pragma GCC unroll 16
    for (int t = 0; t < 16; ++t) {
      const __m128i now = w[t & 3];
      __m128i sum = _mm_add_epi32(
          now, _mm_load_si128(
                   reinterpret_cast<const __m128i*>(kRoundConstants.word) + t));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      sum = _mm_shuffle_epi32(sum, 0x0e);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, sum);
      if (t >= 12) continue;
      // Words 4t + 16 to 4t + 19 of the message schedule.
      const __m128i last = w[(t + 3) & 3];
      w[t & 3] = _mm_sha256msg2_epu32(
          _mm_add_epi32(_mm_sha256msg1_epu32(now, w[(t + 1) & 3]),
                        _mm_alignr_epi8(last, w[(t + 2) & 3], 4)),
          last);
    }
    abef = _mm_add_epi32(abef, old_abef);
    cdgh = _mm_add_epi32(cdgh, old_cdgh);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state),
                   _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4),
                   _mm_alignr_epi8(dchg, feba, 8));
}

// Compilers know the name "sha" of the feature only lately.
bool HasSha() {
  unsigned eax = 7;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.1") == 0) return false;
  __asm__("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  return (ebx >> 29 & 1) != 0;
}

#endif

}  // namespace

void CompressPortable(uint32_t* state, const uint8_t* blocks, size_t count) {
  State words;
  std::copy_n(state, 8, words.word);
  for (; count != 0; --count, blocks += 64) {
    uint32_t block[16];
    for (int t = 0; t < 16; ++t) block[t] = BigEndian(blocks + 4 * t);
    Compress(block, words);
  }
  std::copy_n(words.word, 8, state);
}

Compression Fastest() {
#if defined(__x86_64__)
  static const Compression kFastest =
      HasSha() ? &CompressSha : &CompressPortable;
  return kFastest;
#else
  return &CompressPortable;
#endif
}

}  // namespace sha256

namespace {

std::array<uint32_t, 8> StartWords() {
  return std::to_array(sha256::kStart.word);
}

}  // namespace

Sha256::Sha256() : state_(StartWords()), block_{} {}

void Sha256::Update(std::span<const uint8_t> bytes) {
  const size_t waiting = static_cast<size_t>(size_ % 64);
  size_ += bytes.size();
  if (waiting != 0) {
    const size_t taken = std::min(bytes.size(), 64 - waiting);
    std::copy_n(bytes.begin(), taken, block_.begin() + waiting);
    bytes = bytes.subspan(taken);
    if (waiting + taken < 64) return;
    sha256::Fastest()(state_.data(), block_.data(), 1);
  }
  const size_t blocks = bytes.size() / 64;
  sha256::Fastest()(state_.data(), bytes.data(), blocks);
  bytes = bytes.subspan(64 * blocks);
  std::copy(bytes.begin(), bytes.end(), block_.begin());
}

Sha256Hash Sha256::Finish() {
  // One bit, zeros, and the size in bits fill up the last block or two.
  const uint64_t bits = 8 * size_;
  const size_t waiting = static_cast<size_t>(size_ % 64);
  std::array<uint8_t, 72> tail = {0x80};
  const size_t zeros_end = (waiting < 56 ? 56 : 120) - waiting;
  for (size_t i = 0; i < 8; ++i) {
    tail[zeros_end + i] = static_cast<uint8_t>(bits >> (56 - 8 * i));
  }
  Update(std::span(tail).first(zeros_end + 8));
  Sha256Hash hash;
  for (size_t i = 0; i < hash.size(); ++i) {
    hash[i] = static_cast<uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  }
  Wipe();
  return hash;
}

void Sha256::Wipe() {
  assay::Wipe(state_);
  assay::Wipe(block_);
  state_ = StartWords();
  size_ = 0;
}

Sha256Hash Sha256Of(std::span<const uint8_t> bytes) {
  Sha256 hash;
  hash.Update(bytes);
  return hash.Finish();
}

}  // namespace assay
