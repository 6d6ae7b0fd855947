// Key streams of counter mode on the GPU, a warp's blocks at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/ops/aes/aes_bitsliced.h"

// Counters come in frames: of a frame's 32 * kBlocks blocks, which begin where
// the counter is a multiple of that, lane l has blocks l, l + 32, ... Lanes and
// places in a thread then are bits of the counter, its last byte depends on
// them alone, and two rounds are for all frames together: columns stay apart
// until the second MixColumns, and what follows the second SubBytes is linear.
// So the state after two rounds is the sum of three tables' entries: for the
// last byte, which depends on the lane; for the byte before it; and for the
// upper two, which stay the same for 65536 blocks. Counters are public, so
// these tables' indices may be.
namespace assay::aes::gpu {

template <int kPack>
struct Frame {
  static constexpr int kBlocks = 32 / kPack;  // in a thread
  static constexpr int kLogSize = kPack == 1 ? 10 : kPack == 2 ? 9 : 8;
  static constexpr uint32_t kSize = 1 << kLogSize;  // in blocks
  static constexpr int kQuads = 32 / kPack;         // of a state
  // Frames of equal upper bytes, and how many values of these are prepared.
  static constexpr int kMiddle = 1 << (16 - kLogSize);
  static constexpr int kUpper = 32;
  static constexpr int kEntries = 32 + kMiddle + kUpper;  // of all tables
};

// What the warps of a block share. Secret: to be forgotten.
template <int kPack>
struct StreamTables {
  using F = Frame<kPack>;
  Quad keys[14][F::kQuads];  // that of round 0 with the counter's first bytes
  Quad lane[F::kQuads][32];
  Quad middle[F::kMiddle][F::kQuads];
  Quad upper[F::kUpper][F::kQuads];
  uint32_t last[4];      // the last round's key
  uint32_t counter;      // of the first block
  uint32_t upper_begin;  // the upper bytes of entry 0
  int rounds;
};

template <int kPack>
__device__ __forceinline__ void AddKeyAndCounters(
    Planes<kPack>& s, const StreamTables<kPack>& tables, uint32_t number,
    uint32_t varying) {
  AddKey(s, tables.keys[0]);
  AddCounters<kPack, 5>(s, number, varying);
}

// The state after two rounds to to[0], to[stride], ...
template <int kPack>
__device__ void TwoRounds(const StreamTables<kPack>& tables, uint32_t number,
                          uint32_t varying, Quad* to, int stride) {
  Planes<kPack> s = {};
  AddKeyAndCounters(s, tables, number, varying);
#pragma unroll 1
  for (int r = 1; r <= 2; ++r) Round(s, tables.keys[r]);
#pragma unroll
  for (int q = 0; q < Frame<kPack>::kQuads; ++q) {
    const int g = q / 8, t = 7 - q % 8;
    to[q * stride] = {s.word[0][g][t], s.word[1][g][t], s.word[2][g][t],
                      s.word[3][g][t]};
  }
}

// The first step towards the tables, for all threads of a block, which then
// meet. `first_frame` is the block's, from the frame of the first counter on.
template <int kPack>
__device__ void MakeKeys(StreamTables<kPack>& tables, const uint8_t* round_keys,
                         int rounds, const uint8_t* counter,
                         uint32_t first_frame) {
  using F = Frame<kPack>;
  for (int i = static_cast<int>(threadIdx.x); i < rounds * F::kQuads;
       i += static_cast<int>(blockDim.x)) {
    const int round = i / F::kQuads, q = i % F::kQuads;
    uint8_t key[16];
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      key[k] = round_keys[16 * round + k];
      if (round == 0 && k < 12) key[k] ^= counter[k];
    }
    tables.keys[round][q] = QuadOf<kPack>(key, q / 8, q % 8);
  }
  if (threadIdx.x < 4) {
    const uint8_t* word = round_keys + 16 * rounds + 4 * threadIdx.x;
    tables.last[threadIdx.x] = word[0] | word[1] << 8 | word[2] << 16 |
                               static_cast<uint32_t>(word[3]) << 24;
  } else if (threadIdx.x == 4) {
    const uint32_t number = static_cast<uint32_t>(counter[12]) << 24 |
                            counter[13] << 16 | counter[14] << 8 | counter[15];
    tables.counter = number;
    tables.upper_begin = (number / F::kSize + first_frame) / F::kMiddle;
    tables.rounds = rounds;
  }
}

// Entry i of the tables; threads share out the kEntries, and meet.
template <int kPack>
__device__ void MakeEntry(StreamTables<kPack>& tables, uint32_t i) {
  using F = Frame<kPack>;
  uint32_t number = i, varying = 0xff;
  Quad* to = &tables.lane[0][i];
  int stride = 32;
  if (i >= 32 + F::kMiddle) {
    i -= 32 + F::kMiddle;
    number = (tables.upper_begin + i) << 16;
    varying = 0;
    to = tables.upper[i];
    stride = 1;
  } else if (i >= 32) {
    i -= 32;
    number = i << F::kLogSize;
    varying = 0xff00;
    to = tables.middle[i];
    stride = 1;
  }
  TwoRounds(tables, number, varying, to, stride);
}

// The key stream of a frame, counted as `first_frame` is, but for the last
// round's key: block j is for place 32 j + lane. With `direct` the tables'
// entries need not be there, and two rounds more are computed.
template <int kPack>
__device__ __forceinline__ void StreamOf(const StreamTables<kPack>& tables,
                                         uint32_t frame, bool direct,
                                         uint32_t (&block)[32 / kPack][4]) {
  using F = Frame<kPack>;
  const uint32_t lane = threadIdx.x % 32;
  const uint32_t number = frame + tables.counter / F::kSize;
  Planes<kPack> s = {};
  if (direct) {
    AddKeyAndCounters(s, tables, number << F::kLogSize | lane, ~uint32_t{0});
  } else {
    const Quad* middle = tables.middle[number % F::kMiddle];
    const Quad* upper =
        tables.upper[number / F::kMiddle - tables.upper_begin & 0xffff];
#pragma unroll
    for (int q = 0; q < F::kQuads; ++q) {
      const Quad a = tables.lane[q][lane], b = middle[q], c = upper[q];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        s.word[i][q / 8][7 - q % 8] = Xor3(a.row[i], b.row[i], c.row[i]);
      }
    }
  }
  const int rounds = tables.rounds;
#pragma unroll 1
  for (int r = direct ? 1 : 3; r < rounds; ++r) Round(s, tables.keys[r]);
  LastRound(s, block);
}

template <int kPack>
__device__ __forceinline__ uint4 LastKey(const StreamTables<kPack>& tables) {
  return {tables.last[0], tables.last[1], tables.last[2], tables.last[3]};
}
// x plus a block of the stream.
__device__ __forceinline__ uint4 Add(uint4 x, const uint32_t (&stream)[4],
                                     uint4 last) {
  return {Xor3(x.x, stream[0], last.x), Xor3(x.y, stream[1], last.y),
          Xor3(x.z, stream[2], last.z), Xor3(x.w, stream[3], last.w)};
}

// A stream kept where any byte of it can be read: in local memory, which is
// overwritten afterwards.
template <int kPack>
class Stash {
 public:
  __device__ __forceinline__ Stash(const uint32_t (&stream)[32 / kPack][4],
                                   uint4 last) {
#pragma unroll
    for (int j = 0; j < 32 / kPack; ++j) {
      words_[j][0] = stream[j][0] ^ last.x;
      words_[j][1] = stream[j][1] ^ last.y;
      words_[j][2] = stream[j][2] ^ last.z;
      words_[j][3] = stream[j][3] ^ last.w;
    }
  }
  __device__ __forceinline__ ~Stash() {
    for (auto& words : words_) {
      for (uint32_t& word : words) const_cast<volatile uint32_t&>(word) = 0;
    }
  }
  Stash(const Stash&) = delete;
  Stash& operator=(const Stash&) = delete;
  __device__ __forceinline__ uint8_t Byte(int j, int k) const {
    return static_cast<uint8_t>(words_[j][k / 4] >> (8 * (k % 4)));
  }

 private:
  uint32_t words_[32 / kPack][4];
};

// Overwrites what was secret, once all threads of the block have come here.
template <class T>
__device__ void Forget(T& shared) {
  __syncthreads();
  volatile auto* words = reinterpret_cast<volatile uint32_t*>(&shared);
  for (unsigned i = threadIdx.x; i < sizeof(T) / 4; i += blockDim.x) {
    words[i] = 0;
  }
}

}  // namespace assay::aes::gpu
