// Laws and published examples of AES.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/aes/aes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "assay/hash/test_derived.h"
#include "assay/ops/aes/aes_bitsliced.h"
#include "assay/ops/aes/sbox.h"

namespace assay::aes {
namespace {

using Bytes = std::vector<uint8_t>;

Block BlockOf(const Bytes& bytes) {
  Block block = {};
  std::copy_n(bytes.begin(), 16, block.begin());
  return block;
}

uint8_t Times(uint8_t a, uint8_t b) {
  uint8_t product = 0;
  for (int i = 7; i >= 0; --i) {
    product = static_cast<uint8_t>(product << 1 ^ (product >> 7) * 0x1b);
    if (b >> i & 1) product ^= a;
  }
  return product;
}

// The definition: the inverse in GF(2^8), then five rotations added up.
uint8_t SboxOf(uint8_t x) {
  uint8_t inverse = 1;
  for (int i = 0; i < 254; ++i) inverse = Times(inverse, x);
  uint8_t image = 0x63;
  for (int i = 0; i < 5; ++i) {
    image ^= static_cast<uint8_t>(inverse << i | inverse >> (8 - i));
  }
  return image;
}

TEST(Aes, TheCircuitIsTheSbox) {
  for (unsigned x = 0; x < 256; ++x) {
    uint8_t planes[8];
    for (int t = 0; t < 8; ++t) {
      planes[t] = static_cast<uint8_t>(x >> (7 - t) & 1);
    }
    SubPlanes(planes);
    uint8_t image = 0;
    for (int t = 0; t < 8; ++t) {
      image = static_cast<uint8_t>(image << 1 | (planes[t] & 1));
    }
    EXPECT_EQ(image, SboxOf(static_cast<uint8_t>(x))) << x;
  }
}

TEST(Aes, TheCircuitOfThreeInputsIsTheSbox) {
  for (unsigned x = 0; x < 256; ++x) {
    uint32_t planes[8];
    for (int t = 0; t < 8; ++t) planes[t] = 0 - (x >> (7 - t) & 1);
    SubPlanes3(planes);
    uint32_t image = 0;
    for (const uint32_t plane : planes) {
      EXPECT_TRUE(plane == 0 || plane == ~uint32_t{0});
      image = image << 1 | (plane & 1);
    }
    EXPECT_EQ(image, SboxOf(static_cast<uint8_t>(x))) << x;
  }
}

template <size_t... kTables>
void ExpectTables(std::index_sequence<kTables...>) {
  for (const size_t wrong :
       {((Lut<static_cast<int>(kTables)>(kA, kB, kC) & 0xff) ^ kTables)...}) {
    EXPECT_EQ(wrong, 0u);
  }
}
TEST(Aes, EveryTableIsItsFunction) {
  ExpectTables(std::make_index_sequence<256>());
}

// Blocks of a counter whose low bits are a lane's, then those of the place.
template <int kPack>
void ExpectBitSlicedBlocks(const Key& key, const Block& counter, uint32_t lane,
                           uint32_t varying) {
  using State = Planes<kPack>;
  constexpr int kQuads = 8 * State::kGroups;
  uint8_t first[16];
  std::copy_n(key.round[0], 16, first);
  for (size_t i = 0; i < 12; ++i) first[i] ^= counter[i];
  Quad keys[15][kQuads];
  for (int r = 0; r < key.rounds; ++r) {
    for (int q = 0; q < kQuads; ++q) {
      keys[r][q] = QuadOf<kPack>(r == 0 ? first : key.round[r], q / 8, q % 8);
    }
  }
  State state = {};
  AddKey(state, keys[0]);
  AddCounters<kPack, 5>(state, lane, varying);
  for (int r = 1; r < key.rounds; ++r) Round(state, keys[r]);
  uint32_t words[State::kBlocks][4];
  LastRound(state, words);
  for (uint32_t j = 0; j < State::kBlocks; ++j) {
    Block block = counter;
    std::fill_n(block.begin() + 12, 4, uint8_t{0});
    block = Encrypt(key, Advance(block, lane | (j << 5 & varying)));
    for (size_t i = 0; i < 16; ++i) {
      EXPECT_EQ(
          (words[j][i / 4] >> (8 * (i % 4)) & 0xff) ^ key.round[key.rounds][i],
          block[i]);
    }
  }
}
TEST(Aes, BitSlicedBlocksAreTheCiphers) {
  const Block counter = BlockOf(Derived("counter", 16));
  for (const size_t size : {16, 24, 32}) {
    const Key key = Expand(Derived("key", size));
    for (const uint32_t varying : {~uint32_t{0}, uint32_t{0xff}}) {
      for (const uint32_t lane : {0u, 19u, 31u, 0xfedc0000u}) {
        ExpectBitSlicedBlocks<1>(key, counter, lane, varying);
        ExpectBitSlicedBlocks<2>(key, counter, lane, varying);
        ExpectBitSlicedBlocks<4>(key, counter, lane, varying);
      }
    }
  }
}

// FIPS 197, appendix C.
TEST(Aes, EncryptsTheExamplesOfItsStandard) {
  const Block plain = BlockOf(FromHex("00112233445566778899aabbccddeeff"));
  Bytes key(32);
  std::iota(key.begin(), key.end(), 0);
  const char* expected[] = {"69c4e0d86a7b0430d8cdb78070b4c55a",
                            "dda97ca4864cdfe06eaf70a0ec0d7191",
                            "8ea2b7ca516745bfeafc49904b496089"};
  for (size_t i = 0; i < 3; ++i) {
    const Key expanded = Expand(std::span(key).first(16 + 8 * i));
    EXPECT_EQ(expanded.rounds, static_cast<int>(10 + 2 * i));
    EXPECT_EQ(ToHex(Encrypt(expanded, plain)), expected[i]);
  }
}

// FIPS 197, appendix A: the last words of the three schedules.
TEST(Aes, ExpandsTheExamplesOfItsStandard) {
  const auto last = [](const char* key) {
    const Key expanded = Expand(FromHex(key));
    return ToHex(std::span(expanded.round[expanded.rounds]).last(4));
  };
  EXPECT_EQ(last("2b7e151628aed2a6abf7158809cf4f3c"), "b6630ca6");
  EXPECT_EQ(last("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"),
            "01002202");
  EXPECT_EQ(last("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a3"
                 "0914dff4"),
            "706c631e");
}

TEST(Aes, BlocksAreIndependent) {
  const Key key = Expand(Derived("key", 32));
  Bytes blocks = Derived("blocks", 16 * 11);
  Bytes expected;
  for (size_t i = 0; i < 11; ++i) {
    const Block image = Encrypt(
        key,
        BlockOf(Bytes(blocks.begin() + 16 * i, blocks.begin() + 16 * (i + 1))));
    expected.insert(expected.end(), image.begin(), image.end());
  }
  Encrypt(key, blocks.data(), 11);
  EXPECT_EQ(blocks, expected);
}

// SP 800-38A, F.5.5: CTR-AES256.
TEST(Aes, CounterModeComputesTheExampleOfItsStandard) {
  const Key key = Expand(FromHex(
      "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"));
  const Bytes plain = FromHex(
      "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
      "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710");
  Bytes out(plain.size());
  Ctr(key, BlockOf(FromHex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff")), plain, out);
  EXPECT_EQ(ToHex(out),
            "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
            "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6");
}

TEST(Aes, TheCounterWrapsInItsLastFourBytes) {
  const Block start = BlockOf(FromHex("000102030405060708090a0bfffffffe"));
  EXPECT_EQ(ToHex(Advance(start, 1)), "000102030405060708090a0bffffffff");
  EXPECT_EQ(ToHex(Advance(start, 3)), "000102030405060708090a0b00000001");
  const Key key = Expand(Derived("key", 16));
  const Bytes zeros(16 * 9);
  Bytes out(zeros.size());
  EXPECT_EQ(Ctr(key, start, zeros, out), Advance(start, 9));
  for (size_t i = 0; i < 9; ++i) {
    EXPECT_EQ(BlockOf(Bytes(out.begin() + 16 * i, out.begin() + 16 * (i + 1))),
              Encrypt(key, Advance(start, static_cast<uint32_t>(i))));
  }
}

}  // namespace
}  // namespace assay::aes
