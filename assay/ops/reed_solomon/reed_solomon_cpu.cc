// Products over GF(2^8) by lookups of half bytes, or by bit matrices.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/reed_solomon/reed_solomon_kernels.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include <hwy/cache_control.h>

#include "assay/number/gf256.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/reed_solomon/reed_solomon_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using DB = hn::CappedTag<uint8_t, 64>;
using VB = hn::Vec<DB>;

// Outputs that share one read of the inputs.
constexpr size_t kGroup = 4;

// Outputs of so many bytes are not kept in the cache.
constexpr size_t kPastCacheBytes = size_t{2} << 20;

// Where the shards are; strides in bytes.
struct Shards {
  const uint8_t* in;
  size_t in_stride;
  size_t inputs;
  uint8_t* out;
  size_t out_stride;
  bool past_cache;  // `out` is aligned and too large to stay in the cache
};

// c times each byte, from the products of c with powers of x: they are linear.
struct Products {
  uint8_t powers[8];

  explicit Products(uint8_t c) {
    for (uint8_t& power : powers) {
      power = c;
      c = gf256::Multiply(c, gf256::kGenerator);
    }
  }
  uint8_t Times(unsigned x) const {
    uint8_t sum = 0;
    for (int i = 0; i < 8; ++i) {
      if ((x >> i) & 1) sum ^= powers[i];
    }
    return sum;
  }
};

#if HWY_TARGET == HWY_SCALAR

struct ByteTable {
  static constexpr size_t kBytes = 256;
  static void Fill(uint8_t c, uint8_t* table) {
    const Products products(c);
    for (unsigned x = 0; x < kBytes; ++x) {
      table[x] = products.Times(x);
    }
  }
  struct Operand {
    explicit Operand(VB v) : x(hn::GetLane(v)) {}
    uint8_t x;
  };
  static HWY_INLINE VB Add(VB sum, const Operand& x, const uint8_t* table) {
    return hn::Xor(sum, hn::Set(DB(), table[x.x]));
  }
};

using HalfBytes = ByteTable;

#else

// A product is the sum of those of the lower and the upper half byte, which
// are looked up among sixteen.
struct HalfBytes {
  static constexpr size_t kBytes = 32;
  static void Fill(uint8_t c, uint8_t* table) {
    const Products products(c);
    for (unsigned x = 0; x < 16; ++x) {
      table[x] = products.Times(x);
      table[16 + x] = products.Times(x << 4);
    }
  }
  struct Operand {
    explicit HWY_INLINE Operand(VB v)
        : low(hn::And(v, hn::Set(DB(), uint8_t{15}))),
          high(hn::ShiftRight<4>(v)) {}
    VB low;
    VB high;
  };
  static HWY_INLINE VB Add(VB sum, const Operand& x, const uint8_t* table) {
    return hn::Xor3(
        sum, hn::TableLookupBytes(hn::LoadDup128(DB(), table), x.low),
        hn::TableLookupBytes(hn::LoadDup128(DB(), table + 16), x.high));
  }
};

#endif  // HWY_TARGET == HWY_SCALAR

#if HWY_TARGET == HWY_AVX3_DL

// A product is one 8 x 8 matrix of bits times the byte.
struct BitMatrix {
  static constexpr size_t kBytes = 8;
  static void Fill(uint8_t c, uint8_t* table) {
    const Products products(c);
    for (int row = 0; row < 8; ++row) {
      uint8_t bits = 0;
      for (int i = 0; i < 8; ++i) {
        bits |= static_cast<uint8_t>(((products.powers[i] >> row) & 1) << i);
      }
      table[7 - row] = bits;  // the first row makes the last bit
    }
  }
  using Operand = VB;
  static HWY_INLINE VB Add(VB sum, VB x, const uint8_t* table) {
    // Highway 1.0.3 has neither the operation nor a target with its flag.
    __m512i product;
    asm("vgf2p8affineqb $0, %2%{1to8%}, %1, %0"
        : "=v"(product)
        : "v"(x.raw), "m"(*reinterpret_cast<const uint64_t*>(table)));
    return hn::Xor(sum, VB{product});
  }
};

bool HasBitMatrix() { return __builtin_cpu_supports("gfni") != 0; }

#endif  // HWY_TARGET == HWY_AVX3_DL

// Outputs 0 .. kOutputs - 1 at the positions [begin, end), which are whole
// vectors. Tables lie input by input.
template <class Multiplier, size_t kOutputs>
void ApplyVectors(const Shards& s, const uint8_t* tables, size_t begin,
                  size_t end) {
  const DB d;
  const size_t lanes = hn::Lanes(d);
  size_t b = begin;
  for (; b + 2 * lanes <= end; b += 2 * lanes) {
    VB sums[kOutputs][2];
    for (auto& sum : sums) sum[0] = sum[1] = hn::Zero(d);
    const uint8_t* table = tables;
    const uint8_t* in = s.in + b;
    for (size_t j = 0; j < s.inputs; ++j, in += s.in_stride) {
      const typename Multiplier::Operand x0(hn::LoadU(d, in));
      const typename Multiplier::Operand x1(hn::LoadU(d, in + lanes));
      for (auto& sum : sums) {
        sum[0] = Multiplier::Add(sum[0], x0, table);
        sum[1] = Multiplier::Add(sum[1], x1, table);
        table += Multiplier::kBytes;
      }
    }
    for (size_t i = 0; i < kOutputs; ++i) {
      uint8_t* out = s.out + i * s.out_stride + b;
      if (s.past_cache) {
        hn::Stream(sums[i][0], d, out);
        hn::Stream(sums[i][1], d, out + lanes);
      } else {
        hn::StoreU(sums[i][0], d, out);
        hn::StoreU(sums[i][1], d, out + lanes);
      }
    }
  }
  for (; b < end; b += lanes) {
    VB sums[kOutputs];
    for (VB& sum : sums) sum = hn::Zero(d);
    const uint8_t* table = tables;
    for (size_t j = 0; j < s.inputs; ++j) {
      const typename Multiplier::Operand x(
          hn::LoadU(d, s.in + j * s.in_stride + b));
      for (VB& sum : sums) {
        sum = Multiplier::Add(sum, x, table);
        table += Multiplier::kBytes;
      }
    }
    for (size_t i = 0; i < kOutputs; ++i) {
      hn::StoreU(sums[i], d, s.out + i * s.out_stride + b);
    }
  }
}

template <class Multiplier>
void ApplyGroup(const Shards& s, size_t outputs, const uint8_t* tables,
                size_t begin, size_t end) {
  switch (outputs) {
    case 1: return ApplyVectors<Multiplier, 1>(s, tables, begin, end);
    case 2: return ApplyVectors<Multiplier, 2>(s, tables, begin, end);
    case 3: return ApplyVectors<Multiplier, 3>(s, tables, begin, end);
    default: return ApplyVectors<Multiplier, 4>(s, tables, begin, end);
  }
}

// The bytes after the last whole vector, in padded copies.
template <class Multiplier>
void ApplyRest(const Shards& s, size_t outputs, const uint8_t* tables,
               size_t begin, size_t end) {
  const size_t lanes = hn::Lanes(DB());
  std::vector<uint8_t> in(s.inputs * lanes);
  std::vector<uint8_t> out(outputs * lanes);
  const size_t count = end - begin;
  for (size_t j = 0; j < s.inputs; ++j) {
    std::memcpy(&in[j * lanes], s.in + j * s.in_stride + begin, count);
  }
  ApplyGroup<Multiplier>({in.data(), lanes, s.inputs, out.data(), lanes, false},
                         outputs, tables, 0, lanes);
  for (size_t i = 0; i < outputs; ++i) {
    std::memcpy(s.out + i * s.out_stride + begin, &out[i * lanes], count);
  }
}

// Tables group by group, in a group input by input.
template <class Multiplier>
std::vector<uint8_t> MakeTables(const uint8_t* rows, size_t outputs,
                                size_t inputs) {
  std::vector<uint8_t> tables(outputs * inputs * Multiplier::kBytes);
  uint8_t* table = tables.data();
  for (size_t group = 0; group < outputs; group += kGroup) {
    const size_t last = std::min(outputs, group + kGroup);
    for (size_t j = 0; j < inputs; ++j) {
      for (size_t i = group; i < last; ++i, table += Multiplier::kBytes) {
        Multiplier::Fill(rows[i * inputs + j], table);
      }
    }
  }
  return tables;
}

// All outputs at the positions [begin, end).
template <class Multiplier>
void ApplyTile(const Shards& shards, size_t outputs, const uint8_t* tables,
               size_t begin, size_t end) {
  const size_t lanes = hn::Lanes(DB());
  const size_t whole = begin + (end - begin) / lanes * lanes;
  for (size_t first = 0; first < outputs; first += kGroup) {
    const size_t count = std::min(kGroup, outputs - first);
    const uint8_t* group = tables + first * shards.inputs * Multiplier::kBytes;
    Shards s = shards;
    s.out += first * s.out_stride;
    ApplyGroup<Multiplier>(s, count, group, begin, whole);
    if (whole != end) ApplyRest<Multiplier>(s, count, group, whole, end);
  }
}

template <class Multiplier>
void ApplyBy(const CpuArgs& args) {
  const auto& p = args.Params<ReedSolomonApply::Params>();
  const auto join = [](uint32_t low, uint32_t high) {
    return static_cast<size_t>(low | (uint64_t{high} << 32));
  };
  const size_t bytes = join(p.bytes_low, p.bytes_high);
  uint8_t* out = args.Get<uint8_t>(2).data();
  const size_t out_stride = join(p.out_stride_low, p.out_stride_high);
  const size_t lanes = hn::Lanes(DB());
  // A store to memory that is not in the cache first reads it, unless it goes
  // past the cache: then half of the writing is saved.
  const bool aligned = (reinterpret_cast<uintptr_t>(out) | out_stride) %
                           (lanes * sizeof(uint8_t)) ==
                       0;
  const Shards shards = {args.Get<uint8_t>(1).data(),
                         join(p.in_stride_low, p.in_stride_high),
                         p.inputs,
                         out,
                         out_stride,
                         aligned && p.outputs * bytes >= kPastCacheBytes};
  const std::vector<uint8_t> tables =
      MakeTables<Multiplier>(args.Get<uint8_t>(0).data(), p.outputs, p.inputs);
  // What all groups read fits half the second-level cache.
  constexpr size_t kTileBytes = size_t{1} << 19;
  const size_t tile = hwy::RoundUpTo(
      std::clamp<size_t>(kTileBytes / p.inputs, 1024, 65536), 2 * lanes);
  args.threads().For(
      (bytes + tile - 1) / tile, 1, [&](size_t first, size_t last) {
        for (size_t t = first; t < last; ++t) {
          ApplyTile<Multiplier>(shards, p.outputs, tables.data(), t * tile,
                                std::min(bytes, (t + 1) * tile));
        }
        hwy::FlushStream();
      });
}

void Apply(const CpuArgs& args) {
#if HWY_TARGET == HWY_AVX3_DL
  if (HasBitMatrix()) return ApplyBy<BitMatrix>(args);
#endif
  ApplyBy<HalfBytes>(args);
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(Apply);

CpuEntry ReedSolomonApply::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Apply)(args); }};
}

}  // namespace assay
#endif  // HWY_ONCE
