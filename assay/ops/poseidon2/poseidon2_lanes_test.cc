// Vector forms of Poseidon2's layers at the edges of their bounds.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "assay/number/test_targets.h"
#include "assay/ops/op.h"
#include "assay/ops/poseidon2/poseidon2.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/ops/poseidon2/poseidon2_lanes_test.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/ops/poseidon2/poseidon2_wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

int64_t ThisTarget() { return HWY_TARGET; }

// out = sum + x 2^-k, then sum - x 2^-k.
template <int k>
void Divided(const BabyBear* sum, const BabyBear* x, BabyBear* out,
             size_t size) {
  for (size_t i = 0; i < size; i += hn::Lanes(DF())) {
    StoreF(AddDivided<k>(LoadF(sum + i), LoadF(x + i)), out + i);
    StoreF(SubDivided<k>(LoadF(sum + i), LoadF(x + i)), out + size + i);
  }
}

void DividedBy(int k, const BabyBear* sum, const BabyBear* x, BabyBear* out,
               size_t size) {
  switch (k) {
    case 2: return Divided<2>(sum, x, out, size);
    case 3: return Divided<3>(sum, x, out, size);
    case 4: return Divided<4>(sum, x, out, size);
    case 8: return Divided<8>(sum, x, out, size);
    case 27: return Divided<27>(sum, x, out, size);
    default: break;
  }
}

void Halves(const BabyBear* x, BabyBear* out, size_t size) {
  for (size_t i = 0; i < size; i += hn::Lanes(DF())) {
    StoreF(HalveF(LoadF(x + i)), out + i);
  }
}

// As many permutations of each state as `rounds` says, by the narrow form,
// which on some targets no kernel uses, or by the kernels' own.
template <class States>
HWY_INLINE void PermuteWith(BabyBear* cells, size_t count, int rounds) {
  for (size_t s = 0; s < count; s += hn::Lanes(DF())) {
    States states;
    for (int i = 0; i < 16; ++i) states.Set(i, LoadF(cells + i * count + s));
    for (int r = 0; r < rounds; ++r) states.Permute();
    for (int i = 0; i < 16; ++i) StoreF(states.Get(i), cells + i * count + s);
  }
}
void PermuteNarrow(BabyBear* cells, size_t count, int rounds) {
  PermuteWith<NarrowStates>(cells, count, rounds);
}
void PermuteOwn(BabyBear* cells, size_t count, int rounds) {
  PermuteWith<PoseidonStates>(cells, count, rounds);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {

HWY_EXPORT(ThisTarget);
HWY_EXPORT(DividedBy);
HWY_EXPORT(Halves);
HWY_EXPORT(PermuteNarrow);
HWY_EXPORT(PermuteOwn);

int64_t RunningTarget() { return HWY_DYNAMIC_DISPATCH(ThisTarget)(); }

// Pairs of numbers around 0, p, and the multiples of powers of two next to
// them, then random ones; a multiple of 16.
struct Pairs {
  std::vector<BabyBear> sums, xs;

  Pairs() {
    std::vector<uint32_t> edges = {0,
                                   1,
                                   2,
                                   3,
                                   BabyBear::kPrime / 2,
                                   BabyBear::kPrime - 1,
                                   BabyBear::kPrime - 2};
    for (const int k : {2, 3, 4, 8, 27}) {
      const uint32_t power = 1u << k;
      const uint32_t last = (BabyBear::kPrime - 1) / power * power;
      for (const uint32_t edge : {power - 1, power, last - 1, last})
        edges.push_back(edge);
    }
    for (const uint32_t sum : edges) {
      for (const uint32_t x : edges) Push(sum, x);
    }
    const std::vector<uint32_t> random = RandomResidues(1, 2 * 8192);
    for (size_t i = 0; sums.size() < 8192; ++i) {
      Push(random[2 * i], random[2 * i + 1]);
    }
  }
  void Push(uint32_t sum, uint32_t x) {
    sums.push_back(BabyBear::FromResidue(sum));
    xs.push_back(BabyBear::FromResidue(x));
  }
};

TEST(Poseidon2Lanes, DivideByPowersOfTwo) {
  const Pairs pairs;
  const size_t size = pairs.sums.size();
  std::vector<BabyBear> out(2 * size);
  ForEachTarget(RunningTarget, [&] {
    for (const int k : {2, 3, 4, 8, 27}) {
      const BabyBear scale = BabyBear::From(2).Pow(k).Inverse();
      HWY_DYNAMIC_DISPATCH(DividedBy)
      (k, pairs.sums.data(), pairs.xs.data(), out.data(), size);
      for (size_t i = 0; i < size; ++i) {
        const BabyBear quotient = pairs.xs[i] * scale;
        ASSERT_EQ(out[i].residue, (pairs.sums[i] + quotient).residue)
            << pairs.sums[i].residue << " + " << pairs.xs[i].residue << " / 2^"
            << k;
        ASSERT_EQ(out[size + i].residue, (pairs.sums[i] - quotient).residue)
            << pairs.sums[i].residue << " - " << pairs.xs[i].residue << " / 2^"
            << k;
      }
    }
  });
}

TEST(Poseidon2Lanes, HalvesDoubleToTheWhole) {
  const Pairs pairs;
  std::vector<BabyBear> out(pairs.xs.size());
  ForEachTarget(RunningTarget, [&] {
    HWY_DYNAMIC_DISPATCH(Halves)(pairs.xs.data(), out.data(), out.size());
    for (size_t i = 0; i < out.size(); ++i) {
      ASSERT_LT(out[i].residue, BabyBear::kPrime);
      ASSERT_EQ(out[i] + out[i], pairs.xs[i]);
    }
  });
}

TEST(Poseidon2Lanes, ManyStatesInARowAreTheScalarOnes) {
  constexpr size_t kCount = 256;
  constexpr int kRounds = 20;
  std::vector<BabyBear> before;
  for (const uint32_t word : RandomResidues(2, 16 * kCount)) {
    before.push_back(BabyBear::FromResidue(word));
  }
  std::vector<BabyBear> after(before.size());
  for (size_t s = 0; s < kCount; ++s) {
    poseidon2::State state;
    for (size_t i = 0; i < 16; ++i) state[i] = before[i * kCount + s];
    for (int r = 0; r < kRounds; ++r) poseidon2::Permute(state);
    for (size_t i = 0; i < 16; ++i) after[i * kCount + s] = state[i];
  }
  ForEachTarget(RunningTarget, [&] {
    std::vector<BabyBear> cells = before;
    HWY_DYNAMIC_DISPATCH(PermuteNarrow)(cells.data(), kCount, kRounds);
    EXPECT_TRUE(cells == after) << "narrow";
    cells = before;
    HWY_DYNAMIC_DISPATCH(PermuteOwn)(cells.data(), kCount, kRounds);
    EXPECT_TRUE(cells == after) << "the target's own";
  });
}

}  // namespace
}  // namespace assay
#endif  // HWY_ONCE
