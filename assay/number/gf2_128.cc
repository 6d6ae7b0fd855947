// Carry-less products by the processor's instruction, where it has one.
// SPDX-License-Identifier: Apache-2.0
#include "assay/number/gf2_128.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace assay::clmul {

#if defined(__x86_64__)

namespace {

__attribute__((target("pclmul,sse2"))) Word256 MulPclmul(Word128 a, Word128 b) {
  const __m128i x =
      _mm_set_epi64x(static_cast<int64_t>(a.high), static_cast<int64_t>(a.low));
  const __m128i y =
      _mm_set_epi64x(static_cast<int64_t>(b.high), static_cast<int64_t>(b.low));
  const __m128i m = _mm_xor_si128(_mm_clmulepi64_si128(x, y, 0x01),
                                  _mm_clmulepi64_si128(x, y, 0x10));
  const __m128i low =
      _mm_xor_si128(_mm_clmulepi64_si128(x, y, 0x00), _mm_slli_si128(m, 8));
  const __m128i high =
      _mm_xor_si128(_mm_clmulepi64_si128(x, y, 0x11), _mm_srli_si128(m, 8));
  Word256 result;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&result.w0), low);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(&result.w2), high);
  return result;
}

bool Ask() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("pclmul") != 0;
}

// Before it is initialized, other constants get the portable product.
const bool kHasInstruction = Ask();

}  // namespace

bool HasInstruction() { return kHasInstruction; }

Word256 MulHost(Word128 a, Word128 b) {
  return kHasInstruction ? MulPclmul(a, b) : Karatsuba(a, b);
}

#else

bool HasInstruction() { return false; }

Word256 MulHost(Word128 a, Word128 b) { return Karatsuba(a, b); }

#endif

}  // namespace assay::clmul
