// GHASH on vector lanes, included once for each Highway target.
// SPDX-License-Identifier: Apache-2.0

// Per-target include guard.
#if defined(ASSAY_OPS_GHASH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_OPS_GHASH_INL_H_
#undef ASSAY_OPS_GHASH_INL_H_
#else
#define ASSAY_OPS_GHASH_INL_H_
#endif

#include <hwy/highway.h>

#include <cstring>

#include "assay/number/gf2_128-inl.h"
#include "assay/ops/ghash/ghash.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

// Goes on from y over `bytes` bytes; zeros fill up the last block.
HWY_INLINE void GhashBytes(const ghash::Powers& powers, ghash::Block& y,
                           const uint8_t* data, size_t bytes) {
  const Word128 key = powers.power[ghash::Powers::kCount - 1];
  Word128 state = reflected::Reverse(reflected::Natural(y).word());
  while (bytes != 0) {
    ghash::Block block = {};
    const size_t size = bytes < 16 ? bytes : 16;
    std::memcpy(block.data(), data, size);
    state = state ^ reflected::Reverse(reflected::Natural(block).word());
    state = reflected::Reduce(clmul::Karatsuba(state, key));
    data += size;
    bytes -= size;
  }
  reflected::ToBlock(Gf2_128::From(reflected::Reverse(state)), y);
}

#else

using DB8 = hn::Repartition<uint8_t, DG>;

// Vectors in one group, whose products are reduced together.
constexpr size_t kHashVectors = 8;
HWY_INLINE size_t BlocksOfGroup() { return kHashVectors * LanesG(); }

// The bytes of each block reversed: blocks to reflected words, and back.
HWY_INLINE VG ReverseBlocks(VG v) {
  HWY_ALIGN static constexpr uint8_t kReversed[16] = {
      15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  const DB8 d8;
  return hn::BitCast(DG(), hn::TableLookupBytes(hn::BitCast(d8, v),
                                                hn::LoadDup128(d8, kReversed)));
}
HWY_INLINE VG LoadBlocks(const uint8_t* data) {
  return ReverseBlocks(hn::BitCast(DG(), hn::LoadU(DB8(), data)));
}
// The first `bytes` < the size of a vector, then zeros.
HWY_INLINE VG LoadSomeBlocks(const uint8_t* data, size_t bytes) {
  const DB8 d8;
#if HWY_TARGET <= HWY_AVX3
  return ReverseBlocks(
      hn::BitCast(DG(), hn::MaskedLoad(hn::FirstN(d8, bytes), d8, data)));
#else
  HWY_ALIGN uint8_t lanes[HWY_MAX_BYTES] = {};
  std::memcpy(lanes, data, bytes);
  return ReverseBlocks(hn::BitCast(DG(), hn::Load(d8, lanes)));
#endif
}

// A power of the key in each block position, or the same in all of them.
struct HashFactor {
  VG power;
  VG swapped;
};
HWY_INLINE HashFactor FactorsAt(const ghash::Powers& powers, size_t k) {
  const DG d;
  return {hn::LoadU(d, &powers.power[k].low),
          hn::LoadU(d, &powers.swapped[k].low)};
}
HWY_INLINE HashFactor FactorEverywhere(const ghash::Powers& powers, size_t k) {
  const DG d;
  return {hn::LoadDup128(d, &powers.power[k].low),
          hn::LoadDup128(d, &powers.swapped[k].low)};
}

// Sums of unreduced products, schoolbook: with the swapped factor at hand that
// is four products a term and no shuffle.
struct HashSum {
  VG low, middle, high;

  HWY_INLINE HashSum() : low(ZeroG()), middle(ZeroG()), high(ZeroG()) {}

  HWY_INLINE void Add(VG v, const HashFactor& f) {
    low = hn::Xor(low, ClmulLow(v, f.power));
    middle = hn::Xor3(middle, ClmulLow(v, f.swapped), ClmulHigh(v, f.swapped));
    high = hn::Xor(high, ClmulHigh(v, f.power));
  }
  // Two terms, with half the additions where three words add up at once.
  HWY_INLINE void Add2(VG v, const HashFactor& f, VG w, const HashFactor& g) {
    low = hn::Xor3(low, ClmulLow(v, f.power), ClmulLow(w, g.power));
    middle = hn::Xor3(middle, ClmulLow(v, f.swapped), ClmulHigh(v, f.swapped));
    middle = hn::Xor3(middle, ClmulLow(w, g.swapped), ClmulHigh(w, g.swapped));
    high = hn::Xor3(high, ClmulHigh(v, f.power), ClmulHigh(w, g.power));
  }
  HWY_INLINE VG Reduce() const {
    return ReduceReflectedG(hn::Xor(low, UpG(middle)),
                            hn::Xor(high, DownG(middle)));
  }
};

// One block, in the first position; and the sum of all positions.
HWY_INLINE VG StateToLanes(const ghash::Block& y) {
  HWY_ALIGN static constexpr uint64_t kFirst[HWY_MAX_BYTES / 8] = {
      ~uint64_t{0}, ~uint64_t{0}};
  const VG everywhere = hn::BitCast(DG(), hn::LoadDup128(DB8(), y.data()));
  return hn::And(ReverseBlocks(everywhere), hn::Load(DG(), kFirst));
}
HWY_INLINE void LanesToState(VG v, ghash::Block& y) {
  HWY_ALIGN uint64_t lanes[HWY_MAX_BYTES / 8];
  hn::Store(ReverseBlocks(v), DG(), lanes);
  uint64_t words[2] = {lanes[0], lanes[1]};
  for (size_t i = 2; i < 2 * LanesG(); i += 2) {
    words[0] ^= lanes[i];
    words[1] ^= lanes[i + 1];
  }
  std::memcpy(y.data(), words, sizeof(words));
}

// Position l of a vector runs through the blocks l, l + LanesG(), ..., so
// that all positions have the same factors and the state is not summed up
// between groups.
HWY_INLINE VG HashGroup(const ghash::Powers& powers, VG y,
                        const uint8_t* data) {
  const size_t step = 16 * LanesG();
  const size_t first = ghash::Powers::kCount - BlocksOfGroup();
  HashSum sum;
  // The factor of the state comes last: only it waits for the last group.
  for (size_t i = kHashVectors - 2; i > 0; i -= 2) {
    sum.Add2(LoadBlocks(data + i * step),
             FactorEverywhere(powers, first + i * LanesG()),
             LoadBlocks(data + (i + 1) * step),
             FactorEverywhere(powers, first + (i + 1) * LanesG()));
  }
  sum.Add2(LoadBlocks(data + step), FactorEverywhere(powers, first + LanesG()),
           hn::Xor(y, LoadBlocks(data)), FactorEverywhere(powers, first));
  return sum.Reduce();
}

// The last group: at most Powers::kCount blocks, the last one filled up with
// zeros. Each position gets the power that its block is left with. Returns the
// state in pieces, to be summed up.
HWY_INLINE VG HashLast(const ghash::Powers& powers, VG y, const uint8_t* data,
                       size_t bytes) {
  const size_t step = 16 * LanesG();
  size_t k = ghash::Powers::kCount - (bytes + 15) / 16;
  HashSum sum;
  for (; bytes != 0; k += LanesG()) {
    const size_t size = bytes < step ? bytes : step;
    const VG v = size == step ? LoadBlocks(data) : LoadSomeBlocks(data, size);
    sum.Add(hn::Xor(v, y), FactorsAt(powers, k));
    y = ZeroG();
    data += size;
    bytes -= size;
  }
  return sum.Reduce();
}

// Absorbs the last bytes into a state in pieces: the result is in y. If there
// were groups before, at least LanesG() blocks.
inline HWY_NOINLINE void GhashRest(const ghash::Powers& powers,
                                   const VG& pieces, const uint8_t* data,
                                   size_t bytes, ghash::Block& y) {
  VG state = pieces;  // not by value: ops/aes/aes-inl.h, CtrBytes
  constexpr size_t kMost = 16 * ghash::Powers::kCount;
  const size_t group = 16 * BlocksOfGroup();
  // Every position of the state must find a block in the last group.
  for (; bytes >= kMost + 16 * LanesG(); data += group, bytes -= group) {
    state = HashGroup(powers, state, data);
  }
  if (bytes > kMost) {
    LanesToState(HashLast(powers, state, data, kMost), y);
    state = StateToLanes(y);
    data += kMost;
    bytes -= kMost;
  }
  if (bytes == 0) return;
  LanesToState(HashLast(powers, state, data, bytes), y);
}

// Goes on from y over `bytes` bytes; zeros fill up the last block.
HWY_INLINE void GhashBytes(const ghash::Powers& powers, ghash::Block& y,
                           const uint8_t* data, size_t bytes) {
  GhashRest(powers, StateToLanes(y), data, bytes, y);
}

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
