// The compression function of SHA-256 on words, for host and CUDA.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#if !defined(ASSAY_HD)
#if defined(__CUDACC__)
#define ASSAY_HD __host__ __device__
#else
#define ASSAY_HD
#endif
#endif

// Arrays become registers only where loops over them are unrolled.
#if defined(__CUDACC__)
#define ASSAY_UNROLL_ROUNDS _Pragma("unroll")
#else
#define ASSAY_UNROLL_ROUNDS _Pragma("GCC unroll 16")
#endif

namespace assay::sha256 {

struct State {
  uint32_t word[8];
};
struct RoundConstants {
  uint32_t word[64];
};

inline constexpr State kStart = {{0x6a09e667, 0xbb67ae85, 0x3c6ef372,
                                  0xa54ff53a, 0x510e527f, 0x9b05688c,
                                  0x1f83d9ab, 0x5be0cd19}};

// The fractional parts of the cube roots of the first 64 primes.
alignas(64) inline constexpr RoundConstants kRoundConstants = {
    {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
     0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
     0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
     0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
     0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
     0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
     0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
     0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
     0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
     0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
     0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2}};

ASSAY_HD constexpr uint32_t RotateRight(uint32_t x, int bits) {
  return x >> bits | x << (32 - bits);
}

ASSAY_HD constexpr uint32_t ByteSwap(uint32_t x) {
  return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24;
}

// FIPS 180-4, 6.2.2. One of 64 rounds on the working variables, which rename
// themselves round by round: after a multiple of eight of them word[0] is a
// again. `addend`: the round's constant and its word of the schedule, added.
ASSAY_HD constexpr void Round(State& v, int t, uint32_t addend) {
  uint32_t& a = v.word[-t & 7];
  uint32_t& b = v.word[(1 - t) & 7];
  uint32_t& c = v.word[(2 - t) & 7];
  uint32_t& d = v.word[(3 - t) & 7];
  uint32_t& e = v.word[(4 - t) & 7];
  uint32_t& f = v.word[(5 - t) & 7];
  uint32_t& g = v.word[(6 - t) & 7];
  uint32_t& h = v.word[(7 - t) & 7];
  const uint32_t sum =
      h + addend + ((e & f) ^ (~e & g)) +
      (RotateRight(e, 6) ^ RotateRight(e, 11) ^ RotateRight(e, 25));
  d += sum;
  h = sum + ((a & b) ^ (a & c) ^ (b & c)) +
      (RotateRight(a, 2) ^ RotateRight(a, 13) ^ RotateRight(a, 22));
}

// Word t + 16 of the message schedule takes the place of word t; w: sixteen
// words that follow each other, word t at t mod 16.
ASSAY_HD constexpr uint32_t Schedule(uint32_t* w, int t) {
  const uint32_t x = w[(t + 1) & 15];
  const uint32_t y = w[(t + 14) & 15];
  return w[t & 15] += w[(t + 9) & 15] +
                      (RotateRight(x, 7) ^ RotateRight(x, 18) ^ x >> 3) +
                      (RotateRight(y, 17) ^ RotateRight(y, 19) ^ y >> 10);
}

ASSAY_HD constexpr void AddTo(const State& v, State& state) {
  ASSAY_UNROLL_ROUNDS
  for (int i = 0; i < 8; ++i) state.word[i] += v.word[i];
}

// `state` after one more block of sixteen big-endian words. Constant-time.
inline void Compress(const uint32_t* block, State& state) {
  uint32_t w[16];
  for (int t = 0; t < 16; ++t) w[t] = block[t];
  State v = state;
  for (int first = 0; first < 64; first += 16) {
    ASSAY_UNROLL_ROUNDS
    for (int t = 0; t < 16; ++t) {
      Round(v, t, w[t] + kRoundConstants.word[first + t]);
      Schedule(w, t);
    }
  }
  AddTo(v, state);
}

}  // namespace assay::sha256
