// Divides bit by bit and steps through powers of x.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/crc/crc.h"

namespace assay::crc {
namespace {

// r x modulo the generator, in its reflected form.
constexpr uint64_t TimesX(uint64_t low, uint64_t r) {
  return (r >> 1) ^ (low & (0 - (r & 1)));
}

constexpr std::array kGenerators = {
    Generator{32, 0xedb88320},          // 04C11DB7
    Generator{32, 0x82f63b78},          // 1EDC6F41
    Generator{64, 0xc96c5795d7870f42},  // 42F0E1EBA9EA3693
};

Folding ComputeFolding(const Generator& generator) {
  Folding folding = {};
  // The reflected words of a polynomial and of its multiple by a power of x
  // are the same.
  const uint64_t p = generator.low;
  folding.p = p;
  uint64_t r = p;  // x^64
  for (int i = 0; i < 64; ++i) {
    folding.mu |= (r & 1) << i;
    r = TimesX(p, r);
  }
  uint64_t power = uint64_t{1} << 63;  // x^0
  uint64_t e = 0;
  const auto advance_to = [&](uint64_t to) {
    for (; e < to; ++e) power = TimesX(p, power);
    return power;
  };
  for (size_t i = 0; i < Folding::kSizes; ++i) {
    const uint64_t distance = uint64_t{128} << i;
    folding.steps[i].high = advance_to(distance - 1);
    folding.steps[i].low = advance_to(distance + 63);
  }
  return folding;
}

}  // namespace

Generator GeneratorOf(Kind kind) {
  return kGenerators[static_cast<size_t>(kind)];
}

std::string_view NameOf(Kind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"crc32", "crc32c",
                                                      "crc64"};
  return kNames[static_cast<size_t>(kind)];
}

uint64_t Advance(const Generator& generator, uint64_t r,
                 std::span<const std::byte> bytes) {
  for (const std::byte byte : bytes) {
    for (int i = 0; i < 8; ++i) {
      r = TimesX(generator.low, r ^ ((static_cast<uint64_t>(byte) >> i) & 1));
    }
  }
  return r;
}

uint64_t Extend(Kind kind, uint64_t crc, std::span<const std::byte> bytes) {
  const Generator generator = GeneratorOf(kind);
  const uint64_t ones = generator.Ones();
  return Advance(generator, crc ^ ones, bytes) ^ ones;
}

uint64_t Multiply(const Generator& generator, uint64_t a, uint64_t b) {
  // From the highest power of b down: bit 0 is x^(width - 1).
  uint64_t product = 0;
  for (int i = 0; i < generator.width; ++i) {
    product = TimesX(generator.low, product);
    product ^= a & (0 - ((b >> i) & 1));
  }
  return product;
}

uint64_t PowerOfX(const Generator& generator, uint64_t e) {
  const uint64_t one = uint64_t{1} << (generator.width - 1);
  uint64_t square = TimesX(generator.low, one);
  uint64_t power = one;
  for (; e != 0; e >>= 1) {
    if (e & 1) power = Multiply(generator, power, square);
    square = Multiply(generator, square, square);
  }
  return power;
}

uint64_t Combine(Kind kind, uint64_t crc_a, uint64_t crc_b, uint64_t bytes_b) {
  const Generator generator = GeneratorOf(kind);
  // 8 |B| may exceed 64 bits; x^8 to the power |B| does not.
  uint64_t power = uint64_t{1} << (generator.width - 1);
  uint64_t square = PowerOfX(generator, 8);
  for (uint64_t e = bytes_b; e != 0; e >>= 1) {
    if (e & 1) power = Multiply(generator, power, square);
    square = Multiply(generator, square, square);
  }
  return Multiply(generator, crc_a, power) ^ crc_b;
}

uint64_t WithoutZeros(Kind kind, uint64_t crc, uint64_t zeros) {
  const Generator generator = GeneratorOf(kind);
  const uint64_t ones = generator.Ones();
  uint64_t r = crc ^ ones;
  for (uint64_t i = 0; i < 8 * zeros; ++i) {
    // TimesX undone: the generator's constant term is the top bit of `low`, so
    // that bit says whether it was added.
    const uint64_t added = (r >> (generator.width - 1)) & 1;
    r = ((r ^ (generator.low & (0 - added))) << 1) | added;
  }
  return r ^ ones;
}

Folding FoldingOf(const Generator& generator) {
  static const std::array<Folding, kGenerators.size()> kept = [] {
    std::array<Folding, kGenerators.size()> all = {};
    for (size_t i = 0; i < all.size(); ++i) {
      all[i] = ComputeFolding(kGenerators[i]);
    }
    return all;
  }();
  for (size_t i = 0; i < kept.size(); ++i) {
    if (kGenerators[i].width == generator.width &&
        kGenerators[i].low == generator.low) {
      return kept[i];
    }
  }
  return ComputeFolding(generator);
}

}  // namespace assay::crc
