// Sends the message of a round and draws its challenge, two warps of a GPU.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/hash/sha256_block.h"
#include "assay/number/gf2_128_cuda.h"
#include "assay/ops/product_rounds/pair_gpu.h"
#include "assay/ops/product_rounds/product_rounds.h"

namespace assay::gpu {

namespace pr = product_rounds;

static __constant__ sha256::RoundConstants g_round_constants =
    sha256::kRoundConstants;

inline constexpr int kTextWords = pr::kTextSizeWord;
// A text and a message take at most four blocks.
inline constexpr int kMostBlocks = 4;

// What the warps work on, in memory that their block shares. Read from a
// transcript once, written back once, however many rounds are played.
template <int D>
struct alignas(16) Desk {
  static constexpr int kNodes = D + 1;
  // Of up to three rounds: values at all tuples of nodes, the first node that
  // of the variable bound first.
  Word128 values[D == 2 ? 27 : kNodes * kNodes];
  Word128 weights[kNodes * kNodes];
  Word128 at_nodes[kNodes];
  Word128 coefficients[kNodes];
  Word128 at_challenge[kNodes];
  Word128 challenge;
  // What is hashed before the next message, in words of SHA-256.
  uint32_t text[kTextWords + 1];
  uint32_t text_words;
  uint32_t first_constants[16];
  // The blocks to be hashed; then a constant and a word of the schedule for
  // each round. Rows begin in different banks.
  uint32_t blocks[kMostBlocks * 16];
  alignas(16) uint32_t addends[kMostBlocks][68];
  uint32_t block_count;
};

// Copies words between memories, one warp.
__device__ __forceinline__ void CopyWords(const void* from, void* to,
                                          int words) {
  for (int i = Lane(); i < words; i += kWarp) {
    static_cast<uint32_t*>(to)[i] = static_cast<const uint32_t*>(from)[i];
  }
}

template <int D>
__device__ void OpenDesk(const Word128* transcript, Desk<D>& desk) {
  CopyWords(transcript + pr::kWeights, desk.weights,
            4 * desk.kNodes * desk.kNodes);
  const auto* text = reinterpret_cast<const uint32_t*>(transcript + pr::kText);
  if (Lane() < kTextWords) desk.text[Lane()] = sha256::ByteSwap(text[Lane()]);
  if (Lane() < 16) {
    desk.first_constants[Lane()] = g_round_constants.word[Lane()];
  }
  if (Lane() == 0) desk.text_words = text[pr::kTextSizeWord] / 4;
  __syncwarp();
}

template <int D>
__device__ void CloseDesk(const Desk<D>& desk, Word128* transcript) {
  auto* text = reinterpret_cast<uint32_t*>(transcript + pr::kText);
  if (Lane() < kTextWords) text[Lane()] = sha256::ByteSwap(desk.text[Lane()]);
  if (Lane() == 0) text[pr::kTextSizeWord] = 4 * desk.text_words;
}

// The first warp's part of a hash: the text and a message of D coefficients as
// blocks, padded, and all rounds. The next text is the digest and how much of
// it is used.
template <int D>
__device__ void HashMessage(Desk<D>& desk) {
  const int before = static_cast<int>(desk.text_words);
  const int words = before + 4 * D;
  const int padded = (words + 2 + 16) / 16 * 16;
  const auto* message = reinterpret_cast<const uint32_t*>(desk.coefficients);
  for (int i = Lane(); i < padded; i += kWarp) {
    uint32_t word = 0;
    if (i < before) {
      word = desk.text[i];
    } else if (i < words) {
      word = sha256::ByteSwap(message[i - before]);
    } else if (i == words) {
      word = 0x80000000;
    } else if (i == padded - 1) {
      word = static_cast<uint32_t>(32 * words);
    }
    desk.blocks[i] = word;
    desk.addends[i / 16][i % 16] = word + desk.first_constants[i % 16];
  }
  if (Lane() == 0) desk.block_count = static_cast<uint32_t>(padded / 16);
  Meet(Meeting::kBlocks);
  sha256::State state = sha256::kStart;
#pragma unroll 1
  for (int block = 0; block < padded / 16; ++block) {
    sha256::State v = state;
#pragma unroll 1
    for (int part = 0; part < 4; ++part) {
      if (block == 0 && part > 0) Meet(ScheduleOf(part));
      uint4 four[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        four[k] =
            reinterpret_cast<const uint4*>(&desk.addends[block][16 * part])[k];
      }
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        sha256::Round(v, 4 * k, four[k].x);
        sha256::Round(v, 4 * k + 1, four[k].y);
        sha256::Round(v, 4 * k + 2, four[k].z);
        sha256::Round(v, 4 * k + 3, four[k].w);
      }
    }
    sha256::AddTo(v, state);
  }
  if (Lane() == 0) {
#pragma unroll
    for (int i = 0; i < 8; ++i) desk.text[i] = state.word[i];
    desk.text[8] = sha256::ByteSwap(sizeof(Word128));
    desk.text_words = 10;
    const auto pair = [&](int i) {
      return uint64_t{sha256::ByteSwap(state.word[i + 1])} << 32 |
             sha256::ByteSwap(state.word[i]);
    };
    desk.challenge = {pair(0), pair(2)};
  }
  if (Lane() >= 9 && Lane() < kTextWords) desk.text[Lane()] = 0;
  __syncwarp();
}

// The second warp's part: the schedules of all blocks, one a lane.
template <int D>
__device__ void ExpandMessage(Desk<D>& desk) {
  Meet(Meeting::kBlocks);
  const int block = Lane();
  const bool busy = block < static_cast<int>(desk.block_count);
  uint32_t w[16];
#pragma unroll
  for (int t = 0; t < 16; ++t) w[t] = busy ? desk.blocks[16 * block + t] : 0;
#pragma unroll 1
  for (int part = 1; part < 4; ++part) {
    uint32_t sums[16];
#pragma unroll
    for (int t = 0; t < 16; ++t) {
      sums[t] = sha256::Schedule(w, t) + g_round_constants.word[16 * part + t];
    }
    if (busy) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        reinterpret_cast<uint4*>(&desk.addends[block][16 * part])[k] =
            make_uint4(sums[4 * k], sums[4 * k + 1], sums[4 * k + 2],
                       sums[4 * k + 3]);
      }
    }
    Meet(ScheduleOf(part));
  }
}

// Plays round `round` from the values that stand on the desk for it and
// `more` (0 to 2) rounds after it, which are brought forward to its challenge.
// The first warp; the second calls ExpandMessage.
template <int D>
__device__ void PlayOne(Desk<D>& desk, Word128* transcript, uint32_t round,
                        int more) {
  constexpr int kNodes = D + 1;
  const int lane = Lane();
  const int inner = more == 0 ? 1 : more == 1 ? kNodes : kNodes * kNodes;
  if (lane < kNodes) {
    // The rounds after this one are summed over 0 and 1.
    const Word128* values = desk.values + lane * inner;
    Word128 sum = values[0];
    if (more > 0) sum = sum ^ values[1];
    if (more > 1) sum = sum ^ values[kNodes] ^ values[kNodes + 1];
    desk.at_nodes[lane] = sum;
  }
  __syncwarp();
  if (lane < kNodes) {
    Sum256 sum = {};
#pragma unroll
    for (int k = 0; k < kNodes; ++k) {
      sum.Add(desk.weights[lane * kNodes + k], desk.at_nodes[k]);
    }
    const Word128 coefficient = Reduce(sum.Join());
    desk.coefficients[lane] = coefficient;
    if (lane < D) transcript[pr::kTape + round * D + lane] = coefficient;
  }
  if (round == 0 && lane == 0) {
    const Word128 claim = desk.at_nodes[0] ^ desk.at_nodes[1];
    transcript[pr::kSum] = claim;
    uint32_t* in_text = desk.text + 10 + pr::kSumInStatement / 4;
    in_text[0] = sha256::ByteSwap(static_cast<uint32_t>(claim.low));
    in_text[1] = sha256::ByteSwap(static_cast<uint32_t>(claim.low >> 32));
    in_text[2] = sha256::ByteSwap(static_cast<uint32_t>(claim.high));
    in_text[3] = sha256::ByteSwap(static_cast<uint32_t>(claim.high >> 32));
  }
  __syncwarp();
  HashMessage(desk);
  if (more == 0) return;
  // How much the value at each node adds to that at the challenge.
  if (lane < kNodes) {
    Word128 weight = desk.weights[D * kNodes + lane];
#pragma unroll 1
    for (int i = D; i-- > 0;) {
      weight = Mul(weight, desk.challenge) ^ desk.weights[i * kNodes + lane];
    }
    desk.at_challenge[lane] = weight;
  }
  __syncwarp();
  for (int q = lane; q < inner; q += kWarp) {
    Sum256 sum = {};
#pragma unroll
    for (int p = 0; p < kNodes; ++p) {
      sum.Add(desk.at_challenge[p], desk.values[p * inner + q]);
    }
    desk.values[q] = Reduce(sum.Join());
  }
  __syncwarp();
}

}  // namespace assay::gpu
