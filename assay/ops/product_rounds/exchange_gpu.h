// Sends the message of a round and draws its challenge, one warp of a GPU.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "assay/hash/sha256_block.h"
#include "assay/number/gf2_128_cuda.h"
#include "assay/ops/product_rounds/product_rounds.h"

namespace assay::gpu {

namespace pr = product_rounds;

static __constant__ sha256::RoundConstants g_round_constants =
    sha256::kRoundConstants;

inline constexpr int kWarp = 32;
inline constexpr int kTextWords = pr::kTextSizeWord + 1;

// What the warp works on, in memory that its block shares. Read from a
// transcript once, written back once, however many rounds are played.
template <int D>
struct alignas(16) Desk {
  static constexpr int kNodes = D + 1;
  // Of up to three rounds: values at all tuples of nodes, the first node that
  // of the variable bound first.
  Word128 values[D <= 2 ? 27 : kNodes * kNodes];
  Word128 weights[kNodes * kNodes];
  Word128 at_nodes[kNodes];
  Word128 coefficients[kNodes];
  Word128 at_challenge[kNodes];
  Word128 challenge;
  uint32_t text[kTextWords];
  uint32_t blocks[64];
  uint32_t digest[8];
};

__device__ __forceinline__ int Lane() {
  return static_cast<int>(threadIdx.x) & (kWarp - 1);
}

// Copies words between memories, one warp.
__device__ __forceinline__ void CopyWords(const void* from, void* to,
                                          int words) {
  for (int i = Lane(); i < words; i += kWarp) {
    static_cast<uint32_t*>(to)[i] = static_cast<const uint32_t*>(from)[i];
  }
}

template <int D>
__device__ void OpenDesk(const Word128* transcript, Desk<D>& desk) {
  CopyWords(transcript + pr::kText, desk.text, kTextWords);
  CopyWords(transcript + pr::kWeights, desk.weights,
            4 * desk.kNodes * desk.kNodes);
  __syncwarp();
}

template <int D>
__device__ void CloseDesk(const Desk<D>& desk, Word128* transcript) {
  CopyWords(desk.text, transcript + pr::kText, kTextWords);
}

// Hashes the text and a message of D coefficients; the next text is the digest
// and how much of it is used.
template <int D>
__device__ void HashMessage(Desk<D>& desk) {
  const int before = static_cast<int>(desk.text[pr::kTextSizeWord]) / 4;
  const int words = before + 4 * D;
  const int padded = (words + 2 + 16) / 16 * 16;
  const auto* message = reinterpret_cast<const uint32_t*>(desk.coefficients);
  for (int i = Lane(); i < padded; i += kWarp) {
    uint32_t word = 0;
    if (i < before) {
      word = sha256::ByteSwap(desk.text[i]);
    } else if (i < words) {
      word = sha256::ByteSwap(message[i - before]);
    } else if (i == words) {
      word = 0x80000000;
    } else if (i == padded - 1) {
      word = static_cast<uint32_t>(32 * words);
    }
    desk.blocks[i] = word;
  }
  __syncwarp();
  sha256::State state = sha256::kStart;
#pragma unroll 1
  for (int first = 0; first < padded; first += 16) {
    sha256::Compress(desk.blocks + first, g_round_constants, state);
  }
  if (Lane() == 0) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      desk.digest[i] = sha256::ByteSwap(state.word[i]);
    }
  }
  __syncwarp();
  for (int i = Lane(); i < kTextWords; i += kWarp) {
    desk.text[i] = i < 8                    ? desk.digest[i]
                   : i == 8                 ? sizeof(Word128)
                   : i == pr::kTextSizeWord ? 40u
                                            : 0u;
  }
  if (Lane() == 0) {
    desk.challenge = {uint64_t{desk.digest[1]} << 32 | desk.digest[0],
                      uint64_t{desk.digest[3]} << 32 | desk.digest[2]};
  }
  __syncwarp();
}

// Plays round `round` from the values that stand on the desk for it and
// `more` (0 to 2) rounds after it, which are brought forward to its challenge.
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
#pragma unroll 1
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
    in_text[0] = static_cast<uint32_t>(claim.low);
    in_text[1] = static_cast<uint32_t>(claim.low >> 32);
    in_text[2] = static_cast<uint32_t>(claim.high);
    in_text[3] = static_cast<uint32_t>(claim.high >> 32);
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
#pragma unroll 1
    for (int p = 0; p < kNodes; ++p) {
      sum.Add(desk.at_challenge[p], desk.values[p * inner + q]);
    }
    desk.values[q] = Reduce(sum.Join());
  }
  __syncwarp();
}

}  // namespace assay::gpu
