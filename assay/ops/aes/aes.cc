// Encrypts four blocks at a time, with the S-box on bit planes.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/aes/aes.h"

#include <algorithm>
#include <bit>

#include "assay/base/secret.h"
#include "assay/ops/aes/sbox.h"

namespace assay::aes {
namespace {

constexpr size_t kBatch = 4;  // blocks: their bytes fill planes of 64 bits

// An 8 x 8 matrix of bits, row r being byte r, transposed.
uint64_t Transpose(uint64_t x) {
  uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aa;
  x ^= t ^ t << 7;
  t = (x ^ x >> 14) & 0x0000cccc0000cccc;
  x ^= t ^ t << 14;
  t = (x ^ x >> 28) & 0x00000000f0f0f0f0;
  return x ^ t ^ t << 28;
}

// Bytes to planes: byte k of plane 7 - t holds bit t of eight bytes of word k.
// The same twice is the identity, but for the order of planes.
void ToPlanes(const uint64_t (&words)[8], uint64_t (&planes)[8]) {
  std::fill_n(planes, 8, 0);
  for (int k = 0; k < 8; ++k) {
    const uint64_t bits = Transpose(words[k]);
    for (int t = 0; t < 8; ++t) {
      planes[7 - t] |= (bits >> (8 * t) & 0xff) << (8 * k);
    }
  }
}
void FromPlanes(const uint64_t (&planes)[8], uint64_t (&words)[8]) {
  for (int k = 0; k < 8; ++k) {
    uint64_t bits = 0;
    for (int t = 0; t < 8; ++t) {
      bits |= (planes[7 - t] >> (8 * k) & 0xff) << (8 * t);
    }
    words[k] = Transpose(bits);
  }
}

// Loads and stores do not depend on the host's order of bytes.
uint64_t LoadWord(const uint8_t* p) {
  uint64_t x = 0;
  for (int i = 7; i >= 0; --i) x = x << 8 | p[i];
  return x;
}
void StoreWord(uint64_t x, uint8_t* p) {
  for (int i = 0; i < 8; ++i) p[i] = static_cast<uint8_t>(x >> (8 * i));
}

void SubBytes(uint8_t (&bytes)[64]) {
  uint64_t words[8];
  uint64_t planes[8];
  for (int k = 0; k < 8; ++k) words[k] = LoadWord(bytes + 8 * k);
  ToPlanes(words, planes);
  SubPlanes(planes);
  FromPlanes(planes, words);
  for (int k = 0; k < 8; ++k) StoreWord(words[k], bytes + 8 * k);
}

void ShiftRows(uint8_t* block) {
  uint8_t old[16];
  std::copy_n(block, 16, old);
  for (size_t i = 0; i < 16; ++i) block[i] = old[(5 * i) % 16];
}

// Four bytes as one little-endian word: every byte times x.
uint32_t TimesX(uint32_t w) {
  return ((w & 0x7f7f7f7f) << 1) ^ ((w >> 7 & 0x01010101) * 0x1b);
}

void MixColumns(uint8_t* block) {
  for (size_t c = 0; c < 16; c += 4) {
    const uint32_t w = static_cast<uint32_t>(block[c]) |
                       static_cast<uint32_t>(block[c + 1]) << 8 |
                       static_cast<uint32_t>(block[c + 2]) << 16 |
                       static_cast<uint32_t>(block[c + 3]) << 24;
    const uint32_t next = std::rotr(w, 8);
    const uint32_t mixed =
        TimesX(w ^ next) ^ next ^ std::rotr(w, 16) ^ std::rotr(w, 24);
    for (size_t i = 0; i < 4; ++i) {
      block[c + i] = static_cast<uint8_t>(mixed >> (8 * i));
    }
  }
}

void AddRoundKey(uint8_t (&bytes)[64], const uint8_t* key) {
  for (size_t i = 0; i < 64; ++i) bytes[i] ^= key[i % 16];
}

}  // namespace

Key Expand(std::span<const uint8_t> key) {
  Key result;
  Expand(key, result);
  return result;
}

void Expand(std::span<const uint8_t> key, Key& result) {
  result = {};
  const size_t words = key.size() / 4;
  result.rounds = static_cast<int>(words) + 6;
  uint8_t* bytes = result.round[0];
  std::copy(key.begin(), key.end(), bytes);
  uint8_t constant = 1;
  for (size_t i = words; i < 4 * static_cast<size_t>(result.rounds + 1); ++i) {
    uint8_t word[64] = {};
    std::copy_n(bytes + 4 * (i - 1), 4, word);
    if (i % words == 0) {
      std::rotate(word, word + 1, word + 4);
      SubBytes(word);
      word[0] ^= constant;
      constant = static_cast<uint8_t>(constant << 1 ^ (constant >> 7) * 0x1b);
    } else if (words == 8 && i % 8 == 4) {
      SubBytes(word);
    }
    for (size_t j = 0; j < 4; ++j) {
      bytes[4 * i + j] = bytes[4 * (i - words) + j] ^ word[j];
    }
    Wipe(word);
  }
}

void Encrypt(const Key& key, uint8_t* blocks, size_t count) {
  uint8_t state[16 * kBatch] = {};
  while (count != 0) {
    const size_t now = std::min(count, kBatch);
    std::copy_n(blocks, 16 * now, state);
    AddRoundKey(state, key.round[0]);
    for (int r = 1; r <= key.rounds; ++r) {
      SubBytes(state);
      for (size_t i = 0; i < kBatch; ++i) {
        ShiftRows(state + 16 * i);
        if (r < key.rounds) MixColumns(state + 16 * i);
      }
      AddRoundKey(state, key.round[r]);
    }
    std::copy_n(state, 16 * now, blocks);
    blocks += 16 * now;
    count -= now;
  }
  Wipe(state);
}

Block Encrypt(const Key& key, const Block& block) {
  Block result = block;
  Encrypt(key, result.data(), 1);
  return result;
}

Block Ctr(const Key& key, const Block& counter, std::span<const uint8_t> in,
          std::span<uint8_t> out) {
  Block next = counter;
  uint8_t stream[16 * kBatch];
  for (size_t done = 0; done < in.size();) {
    const size_t size = std::min(in.size() - done, sizeof(stream));
    const size_t blocks = (size + 15) / 16;
    for (size_t i = 0; i < blocks; ++i, next = Advance(next, 1)) {
      std::copy(next.begin(), next.end(), stream + 16 * i);
    }
    Encrypt(key, stream, blocks);
    for (size_t i = 0; i < size; ++i, ++done) out[done] = in[done] ^ stream[i];
  }
  Wipe(stream);
  return next;
}

}  // namespace assay::aes
