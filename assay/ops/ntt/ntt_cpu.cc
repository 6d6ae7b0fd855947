// The transform on vector lanes: decimation in time, two stages a pass.
// SPDX-License-Identifier: Apache-2.0
#include "assay/ops/ntt/ntt_kernels.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "assay/base/bits.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/ntt/ntt_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/number/babybear-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

// Entries of a block that the first stages run through before the next block:
// 32 KiB stay in the first cache.
constexpr uint32_t kLogBlock = 13;

// out[j * copies + t] = in[order(j)]: the state after log2(copies) stages on
// the bit-reversed zero-padded coefficients, whose butterflies all have a
// zero partner. `Copy(x, place)` writes the copies of one coefficient.
template <class Copy>
void SpreadWith(const BabyBear* in, uint32_t log_message, bool reversed,
                const Copy& copy) {
  if (reversed) {
    for (size_t j = 0; j < size_t{1} << log_message; ++j) copy(in[j], j);
    return;
  }
  // Tiles of 16 x 16 over the outer bits keep both sides in cache lines.
  const uint32_t tile = std::min<uint32_t>(4, log_message / 2);
  const uint32_t middle = log_message - 2 * tile;
  const uint32_t top = log_message - tile;
  size_t reversed_tile[16];
  for (size_t i = 0; i < size_t{1} << tile; ++i) {
    reversed_tile[i] = ReverseBits(i, tile) << top;
  }
  for (uint32_t m = 0; m < 1u << middle; ++m) {
    const size_t from = size_t{m} << tile;
    const size_t to = ReverseBits(m, middle) << tile;
    for (uint32_t low = 0; low < 1u << tile; ++low) {
      const size_t row = reversed_tile[low] | to;
      for (uint32_t high = 0; high < 1u << tile; ++high) {
        copy(in[reversed_tile[high] | from | low], row | high);
      }
    }
  }
}

void Spread(const BabyBear* in, BabyBear* out, uint32_t log_message,
            uint32_t log_copies, bool reversed) {
  const size_t lanes = hn::Lanes(DF());
  if (log_copies == 0) {
    SpreadWith(in, log_message, reversed,
               [&](BabyBear x, size_t place) { out[place] = x; });
  } else if (log_copies == 1) {
    SpreadWith(in, log_message, reversed, [&](BabyBear x, size_t place) {
      out[2 * place] = x;
      out[2 * place + 1] = x;
    });
  } else if (size_t{1} << log_copies < lanes) {
    SpreadWith(in, log_message, reversed, [&](BabyBear x, size_t place) {
      std::fill_n(out + (place << log_copies), size_t{1} << log_copies, x);
    });
  } else {
    SpreadWith(in, log_message, reversed, [&](BabyBear x, size_t place) {
      const VF copies = SetF(x);
      BabyBear* run = out + (place << log_copies);
      for (size_t t = 0; t < size_t{1} << log_copies; t += lanes) {
        StoreF(copies, run + t);
      }
    });
  }
}

HWY_INLINE void Butterfly(VF& a, VF& b, VF twiddle) {
  const VF t = MulF(b, twiddle);
  b = SubF(a, t);
  a = AddF(a, t);
}

// Stages whose partners lie in one vector.
void StagesInVector(BabyBear* x, size_t size, const BabyBear* twiddles,
                    uint32_t first, uint32_t last) {
#if HWY_TARGET != HWY_SCALAR
  const DF d;
  const size_t lanes = hn::Lanes(d);
  HWY_ALIGN uint32_t factors[HWY_MAX_BYTES / 4];
  HWY_ALIGN int32_t partner[HWY_MAX_BYTES / 4];
  HWY_ALIGN uint32_t upper[HWY_MAX_BYTES / 4];
  for (uint32_t s = first; s < last; ++s) {
    const size_t half = size_t{1} << s;
    for (size_t i = 0; i < lanes; ++i) {
      const bool is_upper = (i & half) != 0;
      factors[i] = is_upper ? twiddles[half + (i & (half - 1))].residue
                            : BabyBear::kOneResidue;
      partner[i] = static_cast<int32_t>(i ^ half);
      upper[i] = is_upper ? ~0u : 0u;
    }
    const VF factor = hn::Load(d, factors);
    const auto indices = hn::SetTableIndices(d, partner);
    const auto mask = hn::MaskFromVec(hn::Load(d, upper));
    for (size_t i = 0; i < size; i += lanes) {
      const VF t = MulF(LoadF(x + i), factor);
      const VF other = hn::TableLookupLanes(t, indices);
      // a + t below, a - t above.
      StoreF(AddF(other, hn::IfThenElse(mask, hn::Sub(PrimeF(), t), t)), x + i);
    }
  }
#else
  (void)x, (void)size, (void)twiddles, (void)first, (void)last;
#endif
}

// One stage with half >= lanes.
void Stage(BabyBear* x, size_t size, const BabyBear* twiddles, uint32_t s) {
  const size_t lanes = hn::Lanes(DF());
  const size_t half = size_t{1} << s;
  for (size_t base = 0; base < size; base += 2 * half) {
    for (size_t j = 0; j < half; j += lanes) {
      VF a = LoadF(x + base + j);
      VF b = LoadF(x + base + j + half);
      Butterfly(a, b, LoadF(twiddles + half + j));
      StoreF(a, x + base + j);
      StoreF(b, x + base + j + half);
    }
  }
}

// Stages s and s + 1 in one pass over memory.
void TwoStages(BabyBear* x, size_t size, const BabyBear* twiddles, uint32_t s) {
  const size_t lanes = hn::Lanes(DF());
  const size_t half = size_t{1} << s;
  const BabyBear* first = twiddles + half;
  const BabyBear* second = twiddles + 2 * half;
  for (size_t base = 0; base < size; base += 4 * half) {
    for (size_t j = 0; j < half; j += lanes) {
      BabyBear* p = x + base + j;
      VF a = LoadF(p);
      VF b = LoadF(p + half);
      VF c = LoadF(p + 2 * half);
      VF e = LoadF(p + 3 * half);
      const VF w = LoadF(first + j);
      Butterfly(a, b, w);
      Butterfly(c, e, w);
      Butterfly(a, c, LoadF(second + j));
      Butterfly(b, e, LoadF(second + half + j));
      StoreF(a, p);
      StoreF(b, p + half);
      StoreF(c, p + 2 * half);
      StoreF(e, p + 3 * half);
    }
  }
}

void Stages(BabyBear* x, size_t size, const BabyBear* twiddles, uint32_t first,
            uint32_t last) {
  uint32_t s = first;
  if ((last - first) % 2 == 1) Stage(x, size, twiddles, s++);
  for (; s < last; s += 2) TwoStages(x, size, twiddles, s);
}

// Stages for columns shorter than a vector.
void ScalarStages(BabyBear* x, size_t size, const BabyBear* twiddles,
                  uint32_t first) {
  for (size_t half = size_t{1} << first; half < size; half *= 2) {
    for (size_t i = 0; i < size; ++i) {
      if (i & half) continue;
      const BabyBear t = x[i + half] * twiddles[half + (i & (half - 1))];
      x[i + half] = x[i] - t;
      x[i] += t;
    }
  }
}

void Encode(const CpuArgs& args) {
  const auto& p = args.Params<NttEncode::Params>();
  const BabyBear* message = args.Get<BabyBear>(0).data();
  BabyBear* codeword = args.Get<BabyBear>(1).data();
  const BabyBear* twiddles = args.Get<BabyBear>(2).data();
  const size_t rows = size_t{1} << p.log_rows;
  const uint32_t log_copies = p.log_rows - p.log_message;
  const uint32_t blocks = p.columns / p.planes;
  uint32_t log_blocks = 0;
  while (1u << log_blocks < blocks) ++log_blocks;
  uint32_t log_lanes = 0;
  while (size_t{1} << log_lanes < hn::Lanes(DF())) ++log_lanes;

  const auto column = [&](size_t begin, size_t end) {
    for (size_t q = begin; q < end; ++q) {
      const uint32_t plane = static_cast<uint32_t>(q % p.planes);
      size_t block = q / p.planes;
      if (p.reversed) block = ReverseBits(block, log_blocks);
      BabyBear* x = codeword + q * rows;
      Spread(
          message + size_t{plane} * p.plane_stride + (block << p.log_message),
          x, p.log_message, log_copies, p.reversed != 0);
      if (p.log_rows < log_lanes) {
        ScalarStages(x, rows, twiddles, log_copies);
        continue;
      }
      const uint32_t log_block = std::min(kLogBlock, p.log_rows);
      const size_t block_size = size_t{1} << log_block;
      const uint32_t first = std::max(log_copies, log_lanes);
      for (size_t base = 0; base < rows; base += block_size) {
        StagesInVector(x + base, block_size, twiddles, log_copies, log_lanes);
        if (first < log_block) {
          Stages(x + base, block_size, twiddles, first, log_block);
        }
      }
      const uint32_t rest = std::max(first, log_block);
      if (rest < p.log_rows) Stages(x, rows, twiddles, rest, p.log_rows);
    }
  };
  args.threads().For(p.columns, 1, column);
}

void Twiddles(const CpuArgs& args) {
  const auto& p = args.Params<NttTwiddles::Params>();
  BabyBear* table = args.Get<BabyBear>(0).data();
  table[0] = BabyBear::One();
  if (p.log_size == 0) return;
  // The longest run by doubling, the others as its every second entry.
  const size_t half = size_t{1} << (p.log_size - 1);
  BabyBear* top = table + half;
  const BabyBear g = BabyBear::TwoAdicGenerator(static_cast<int>(p.log_size));
  const size_t lanes = hn::Lanes(DF());
  top[0] = BabyBear::One();
  BabyBear step = g;
  for (size_t n = 1; n < half; n *= 2) {
    if (n >= lanes) {
      const VF factor = SetF(step);
      for (size_t j = 0; j < n; j += lanes) {
        StoreF(MulF(LoadF(top + j), factor), top + n + j);
      }
    } else {
      for (size_t j = 0; j < n; ++j) top[n + j] = top[j] * step;
    }
    step *= step;
  }
  for (size_t h = half / 2; h >= 1; h /= 2) {
    for (size_t j = 0; j < h; ++j) table[h + j] = table[2 * h + 2 * j];
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

HWY_EXPORT(Encode);
HWY_EXPORT(Twiddles);

CpuEntry NttEncode::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Encode)(args); }};
}
CpuEntry NttTwiddles::Cpu() {
  return {[](const CpuArgs& args) { HWY_DYNAMIC_DISPATCH(Twiddles)(args); }};
}

}  // namespace assay
#endif  // HWY_ONCE
