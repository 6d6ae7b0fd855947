// Encrypts 8, 16 or 32 blocks at once on bit planes in 32-bit words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "assay/ops/aes/sbox3.h"

#if defined(__CUDACC__)
#define ASSAY_UNROLL _Pragma("unroll")
#else
#define ASSAY_UNROLL
#endif

// docs/engines/binary.md, section 3. The same operations whatever the key and
// the data are: no table, no branch.
namespace assay::aes {

// The state of 32 / kPack blocks. A word belongs to a row and a bit of its
// bytes and holds kPack columns side by side, each a field of 32 / kPack bits,
// one for a block: columns g, g + kGroups, ... in group g, the first lowest.
// With kPack = 1 ShiftRows only renames words; with 4 the state has 32 of them.
template <int kPack>
struct Planes {
  static constexpr int kGroups = 4 / kPack;
  static constexpr int kBlocks = 32 / kPack;
  static constexpr int kWords = 128 / kPack;
  uint32_t word[4][kGroups][8];  // row, group, bit: the highest bit first
};

// The words of four rows, for one bit in a group: how keys are kept, as
// quads[8 * group + bit], the lowest bit first. A round has 8 * kGroups.
struct alignas(16) Quad {
  uint32_t row[4];
};

// The bytes of x and then y, lowest first, are numbered 0 to 7; digit i of the
// selector, the lowest first, says which one becomes byte i.
template <uint32_t kSelector>
ASSAY_HD constexpr uint32_t PickBytes(uint32_t x, uint32_t y) {
#if defined(__CUDA_ARCH__)
  return __byte_perm(x, y, kSelector);
#else
  const uint64_t both = static_cast<uint64_t>(y) << 32 | x;
  uint32_t picked = 0;
  for (int i = 0; i < 4; ++i) {
    const uint32_t digit = kSelector >> (4 * i) & 7;
    picked |= static_cast<uint32_t>(both >> (8 * digit) & 0xff) << (8 * i);
  }
  return picked;
#endif
}

template <int kPack>
ASSAY_HD constexpr void SubBytes(Planes<kPack>& s) {
  ASSAY_UNROLL
  for (int r = 0; r < 4; ++r) {
    ASSAY_UNROLL
    for (int g = 0; g < 4 / kPack; ++g) SubPlanes3(s.word[r][g]);
  }
}

// Fields move down by kFields, around the word.
template <int kPack, int kFields>
ASSAY_HD constexpr uint32_t RotateFields(uint32_t x) {
  constexpr int kBytes = 4 / kPack * kFields % 4;
  constexpr uint32_t kSelector = (0x32103210u >> (4 * kBytes)) & 0xffff;
  return kBytes == 0 ? x : PickBytes<kSelector>(x, x);
}

// Column c of row r comes from column c + r.
template <int kPack, int kRow, int kGroup>
ASSAY_HD constexpr void ShiftWords(const Planes<kPack>& from,
                                   Planes<kPack>& to) {
  constexpr int kGroups = 4 / kPack;
  ASSAY_UNROLL
  for (int t = 0; t < 8; ++t) {
    to.word[kRow][kGroup][t] = RotateFields<kPack, (kGroup + kRow) / kGroups>(
        from.word[kRow][(kGroup + kRow) % kGroups][t]);
  }
  if constexpr (kGroup + 1 < kGroups) {
    ShiftWords<kPack, kRow, kGroup + 1>(from, to);
  } else if constexpr (kRow < 3) {
    ShiftWords<kPack, kRow + 1, 0>(from, to);
  }
}
template <int kPack>
ASSAY_HD constexpr Planes<kPack> ShiftRows(const Planes<kPack>& s) {
  Planes<kPack> shifted;
  ShiftWords<kPack, 0, 0>(s, shifted);
  return shifted;
}

ASSAY_HD constexpr uint32_t Xor3(uint32_t a, uint32_t b, uint32_t c) {
  return Lut < kA ^ kB ^ kC > (a, b, c);
}

// With t_i = a_i + a_{i+1}: row i becomes x t_i + a_{i+1} + t_{i+2}, plus its
// key. 88 functions on three bits a column; bits 1, 3 and 4 take the
// polynomial's part of x t_i, which is bit 7 of t_i.
template <int kPack>
ASSAY_HD constexpr void MixColumnsAddKey(Planes<kPack>& s, const Quad* key) {
  ASSAY_UNROLL
  for (int g = 0; g < 4 / kPack; ++g) {
    uint32_t top[4] = {};
    ASSAY_UNROLL
    for (int i = 0; i < 4; ++i) {
      top[i] = s.word[i][g][0] ^ s.word[(i + 1) & 3][g][0];
    }
    uint32_t below[4] = {};
    ASSAY_UNROLL
    for (int bit = 0; bit < 8; ++bit) {
      const Quad k = key[8 * g + bit];
      const uint32_t a[4] = {s.word[0][g][7 - bit], s.word[1][g][7 - bit],
                             s.word[2][g][7 - bit], s.word[3][g][7 - bit]};
      uint32_t part[4] = {};
      ASSAY_UNROLL
      for (int i = 0; i < 4; ++i) {
        if (bit == 0) {
          part[i] = top[i] ^ k.row[i];
        } else if (bit == 1 || bit == 3 || bit == 4) {
          part[i] = Xor3(below[i] ^ below[(i + 1) & 3], top[i], k.row[i]);
        } else {
          part[i] = Xor3(below[i], below[(i + 1) & 3], k.row[i]);
        }
      }
      const uint32_t t0 = a[0] ^ a[1];
      const uint32_t t2 = a[2] ^ a[3];
      s.word[0][g][7 - bit] = Xor3(part[0], a[1], t2);
      s.word[1][g][7 - bit] = Xor3(part[1], t2, a[0]);
      s.word[2][g][7 - bit] = Xor3(part[2], a[3], t0);
      s.word[3][g][7 - bit] = Xor3(part[3], t0, a[2]);
      ASSAY_UNROLL
      for (int i = 0; i < 4; ++i) below[i] = a[i];
    }
  }
}

template <int kPack>
ASSAY_HD constexpr void AddKey(Planes<kPack>& s, const Quad* key) {
  ASSAY_UNROLL
  for (int g = 0; g < 4 / kPack; ++g) {
    ASSAY_UNROLL
    for (int bit = 0; bit < 8; ++bit) {
      const Quad k = key[8 * g + bit];
      ASSAY_UNROLL
      for (int i = 0; i < 4; ++i) s.word[i][g][7 - bit] ^= k.row[i];
    }
  }
}

// Any round but the last.
template <int kPack>
ASSAY_HD constexpr void Round(Planes<kPack>& s, const Quad* key) {
  SubBytes(s);
  s = ShiftRows(s);
  MixColumnsAddKey(s, key);
}

// The quad of a round key of 16 bytes.
template <int kPack>
ASSAY_HD constexpr Quad QuadOf(const uint8_t* key, int group, int bit) {
  constexpr int kGroups = 4 / kPack;
  constexpr uint32_t kField = ~uint32_t{0} >> (32 - 32 / kPack);
  Quad quad = {};
  for (int i = 0; i < 4; ++i) {
    for (int p = 0; p < kPack; ++p) {
      const int column = group + kGroups * p;
      const uint32_t set = key[4 * column + i] >> bit & 1;
      quad.row[i] |= ((0 - set) & kField) << (32 / kPack * p);
    }
  }
  return quad;
}

// One of three steps: bits whose places differ by kStep change places with
// those of the word kStep further.
template <int kStep, uint32_t kLow>
ASSAY_HD constexpr void SwapBits(uint32_t (&x)[8]) {
  ASSAY_UNROLL
  for (int i = 0; i < 8; ++i) {
    if ((i & kStep) != 0) continue;
    const uint32_t a = x[i];
    const uint32_t b = x[i + kStep];
    x[i] = Lut < (kA & kB) | (~kA & kC) > (kLow, a, b << kStep);
    x[i + kStep] = Lut < (kA & kB) | (~kA & kC) > (kLow, a >> kStep, b);
  }
}
// An 8 x 8 matrix of bits in each byte: bit j of word i and bit i of word j
// change places.
ASSAY_HD constexpr void TransposeBytes(uint32_t (&x)[8]) {
  SwapBits<4, 0x0f0f0f0f>(x);
  SwapBits<2, 0x33333333>(x);
  SwapBits<1, 0x55555555>(x);
}

// ShiftRows, and the planes as blocks: word c of a block is its column c, row
// 0 in the lowest byte. 256 * 4 / kPack operations.
template <int kPack, int kGroup>
ASSAY_HD constexpr void GroupToBlocks(const Planes<kPack>& s,
                                      uint32_t (&block)[32 / kPack][4]) {
  constexpr int kGroups = 4 / kPack;
  // The byte of row r that becomes byte 0, after the shift.
  constexpr int kFrom1 = (kGroup + 1) / kGroups * kGroups % 4;
  constexpr int kFrom2 = (kGroup + 2) / kGroups * kGroups % 4;
  constexpr int kFrom3 = (kGroup + 3) / kGroups * kGroups % 4;
  // Bytes i and i + 1 of two words, the second's shifted, side by side.
  constexpr auto kPairs = [](int first, int second, int i) {
    const auto digit = [](int shift, int b, int word) {
      return static_cast<uint32_t>((shift + b) % 4 + 4 * word);
    };
    return digit(first, i, 0) | digit(second, i, 1) << 4 |
           digit(first, i + 1, 0) << 8 | digit(second, i + 1, 1) << 12;
  };
  uint32_t bytes[4][8] = {};
  ASSAY_UNROLL
  for (int t = 0; t < 8; ++t) {
    const uint32_t r0 = s.word[0][kGroup][t];
    const uint32_t r1 = s.word[1][(kGroup + 1) % kGroups][t];
    const uint32_t r2 = s.word[2][(kGroup + 2) % kGroups][t];
    const uint32_t r3 = s.word[3][(kGroup + 3) % kGroups][t];
    const uint32_t a = PickBytes<kPairs(0, kFrom1, 0)>(r0, r1);
    const uint32_t b = PickBytes<kPairs(0, kFrom1, 2)>(r0, r1);
    const uint32_t c = PickBytes<kPairs(kFrom2, kFrom3, 0)>(r2, r3);
    const uint32_t d = PickBytes<kPairs(kFrom2, kFrom3, 2)>(r2, r3);
    bytes[0][7 - t] = PickBytes<0x5410>(a, c);
    bytes[1][7 - t] = PickBytes<0x7632>(a, c);
    bytes[2][7 - t] = PickBytes<0x5410>(b, d);
    bytes[3][7 - t] = PickBytes<0x7632>(b, d);
  }
  ASSAY_UNROLL
  for (int i = 0; i < 4; ++i) {
    TransposeBytes(bytes[i]);
    ASSAY_UNROLL
    for (int j = 0; j < 8; ++j) {
      block[i % kGroups * 8 + j][kGroup + kGroups * (i / kGroups)] =
          bytes[i][j];
    }
  }
  if constexpr (kGroup + 1 < kGroups) {
    GroupToBlocks<kPack, kGroup + 1>(s, block);
  }
}

// The last round but for its key, and the planes as blocks.
template <int kPack>
ASSAY_HD constexpr void LastRound(Planes<kPack>& s,
                                  uint32_t (&block)[32 / kPack][4]) {
  SubBytes(s);
  GroupToBlocks<kPack, 0>(s, block);
}

// Planes of counter blocks: row r of column 3 is byte 12 + r, and the other
// columns, and what is equal in all blocks, come with the first round key.
// Counter j of a state has the bits of `number`, but for bits kFirst and up as
// far as `varying` has them set: those are the bits of j.
template <int kPack, int kFirst>
ASSAY_HD constexpr void AddCounters(Planes<kPack>& s, uint32_t number,
                                    uint32_t varying) {
  constexpr int kGroups = 4 / kPack;
  constexpr int kShift = 32 / kPack * (3 / kGroups);
  constexpr uint32_t kField = ~uint32_t{0} >> (32 - 32 / kPack);
  constexpr uint32_t kBits[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00,
                                 0xffff0000};
  ASSAY_UNROLL
  for (int bit = 0; bit < 32; ++bit) {
    uint32_t plane = 0 - (number >> bit & 1);
    if (bit >= kFirst && bit < kFirst + 5 && 1 << (bit - kFirst) < 32 / kPack) {
      if ((varying >> bit & 1) != 0) plane = kBits[bit - kFirst];
    }
    s.word[3 - bit / 8][3 % kGroups][7 - bit % 8] ^= (plane & kField) << kShift;
  }
}

}  // namespace assay::aes
