// Vector forms of the fields against the scalar ones, on every target.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "assay/number/babybear.h"
#include "assay/number/ext4.h"
#include "assay/number/test_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/number/babybear_lanes_test.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/number/ext4-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

int64_t ThisTarget() { return HWY_TARGET; }

// Applies a function of lanes to arrays whose size is a multiple of 64.
// These loops stand here since a lambda would not carry the target.
#define ASSAY_LANES(name, expression)                            \
  void name(const BabyBear* a, const BabyBear* b, BabyBear* out, \
            size_t size) {                                       \
    for (size_t i = 0; i < size; i += hn::Lanes(DF())) {         \
      const VF x = LoadF(a + i);                                 \
      const VF y = LoadF(b + i);                                 \
      (void)y;                                                   \
      StoreF(expression, out + i);                               \
    }                                                            \
  }
ASSAY_LANES(AddLanes, AddF(x, y))
ASSAY_LANES(SubLanes, SubF(x, y))
ASSAY_LANES(MulLanes, MulF(x, y))
ASSAY_LANES(Pow7Lanes, FromSigned(SignedPow7F(x)))
// A constant less p, as round constants are held.
ASSAY_LANES(ShiftedPow7Lanes,
            FromSigned(SignedPow7F(hn::Add(x, hn::Sub(y, PrimeF())))))
#undef ASSAY_LANES

// Any signed 32-bit words: both correct to canonical residues.
void SignedPow7Words(const uint32_t* words, BabyBear* out, size_t size) {
  for (size_t i = 0; i < size; i += hn::Lanes(DF())) {
    StoreF(FromSigned(SignedPow7F(hn::LoadU(DF(), words + i))), out + i);
  }
}

void MulExtLanes(const BabyBear* a, const BabyBear* b, BabyBear* out,
                 size_t stride) {
  for (size_t i = 0; i < stride; i += hn::Lanes(DF())) {
    StoreE(MulE(LoadE(a + i, stride), LoadE(b + i, stride)), out + i, stride);
  }
}

// out[i] = sum_j a[j * width + i] * b[j] over `terms` rows.
void DotLanes(const BabyBear* a, const BabyBear* b, BabyBear* out, size_t width,
              size_t terms) {
  for (size_t i = 0; i < width; i += hn::Lanes(DF())) {
    DotF sum;
    for (size_t j = 0; j < terms; ++j) {
      sum.Add(DotF::Split(LoadF(a + j * width + i)), b[j]);
    }
    StoreF(sum.Sum(), out + i);
  }
}

// Passes the first n lanes, or all if there are fewer; says how many.
size_t PartLanes(const BabyBear* a, BabyBear* out, size_t n) {
  const size_t count = n < hn::Lanes(DF()) ? n : hn::Lanes(DF());
  StoreSome(LoadSome(a, count), out, count);
  return count;
}

#if ASSAY_HAVE_WIDE

constexpr bool kWide = true;

// Quotient by 128-bit division, as the constants of Poseidon2 have it.
uint64_t Quotient(uint64_t c) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(c) << 52) /
                               BabyBear::kPrime);
}

HWY_INLINE VL ScaleL(VL x, BabyBear c) {
  return MulAddFactorL(_mm512_setzero_si512(), x, c.Canonical(),
                       Quotient(c.Canonical()));
}

// x^7 through the scale 2^52, where a lane holds the residue times 2^20.
void WidePow7(const BabyBear* a, BabyBear* out, size_t size) {
  const BabyBear up = BabyBear::From(1u << 20);
  for (size_t i = 0; i < size; i += hn::Lanes(DF())) {
    const VF x = LoadF(a + i);
    const VL p = SetL(BabyBear::kPrime);
    const VL even = Pow7L(ScaleL(EvenL(x), up), p);
    const VL odd = Pow7L(ScaleL(OddL(x), up), p);
    StoreF(MergeL(ScaleL(even, up.Inverse()), ScaleL(odd, up.Inverse())),
           out + i);
  }
}

// Words below 2^52 to canonical residues of their value mod p.
void WideReduce(const uint64_t* words, uint32_t* out, size_t size) {
  const DF d;
  for (size_t i = 0; i < size; i += 8) {
    const VL x = ReduceL(_mm512_loadu_si512(words + i));
    HWY_ALIGN uint32_t lanes[16];
    hn::Store(MergeL(x, x), d, lanes);
    for (size_t j = 0; j < 8; ++j) out[i + j] = lanes[2 * j];
  }
}

#else

constexpr bool kWide = false;
void WidePow7(const BabyBear*, BabyBear*, size_t) {}
void WideReduce(const uint64_t*, uint32_t*, size_t) {}

#endif  // ASSAY_HAVE_WIDE

bool HasWide() { return kWide; }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {

HWY_EXPORT(ThisTarget);
HWY_EXPORT(AddLanes);
HWY_EXPORT(SubLanes);
HWY_EXPORT(MulLanes);
HWY_EXPORT(Pow7Lanes);
HWY_EXPORT(ShiftedPow7Lanes);
HWY_EXPORT(SignedPow7Words);
HWY_EXPORT(MulExtLanes);
HWY_EXPORT(DotLanes);
HWY_EXPORT(PartLanes);
HWY_EXPORT(WidePow7);
HWY_EXPORT(WideReduce);
HWY_EXPORT(HasWide);

int64_t RunningTarget() { return HWY_DYNAMIC_DISPATCH(ThisTarget)(); }

constexpr uint32_t kPrime = BabyBear::kPrime;

// Pairs of edges in every combination, then random pairs; a multiple of 64.
struct Pairs {
  std::vector<BabyBear> a;
  std::vector<BabyBear> b;

  Pairs() {
    constexpr uint32_t kEdges[] = {0,
                                   1,
                                   2,
                                   kPrime / 2,
                                   kPrime - 2,
                                   kPrime - 1,
                                   BabyBear::kOneResidue,
                                   kPrime / 2 + 1};
    for (const uint32_t x : kEdges) {
      for (const uint32_t y : kEdges) Push(x, y);
    }
    std::mt19937_64 random(1);
    while (a.size() < 8192) {
      Push(static_cast<uint32_t>(random() % kPrime),
           static_cast<uint32_t>(random() % kPrime));
    }
  }
  void Push(uint32_t x, uint32_t y) {
    a.push_back(BabyBear::FromResidue(x));
    b.push_back(BabyBear::FromResidue(y));
  }
};

// Residues in the order of a table, so that failures show numbers.
template <class Scalar>
void ExpectEach(const Pairs& pairs, const std::vector<BabyBear>& found,
                const Scalar& scalar) {
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].residue, scalar(pairs.a[i], pairs.b[i]).residue)
        << pairs.a[i].residue << ", " << pairs.b[i].residue;
  }
}

TEST(BabyBearLanes, ComputeWhatTheScalarFormsDo) {
  const Pairs pairs;
  const BabyBear* a = pairs.a.data();
  const BabyBear* b = pairs.b.data();
  std::vector<BabyBear> out(pairs.a.size());
  ForEachTarget(RunningTarget, [&] {
    HWY_DYNAMIC_DISPATCH(AddLanes)(a, b, out.data(), out.size());
    ExpectEach(pairs, out, [](auto x, auto y) { return x + y; });
    HWY_DYNAMIC_DISPATCH(SubLanes)(a, b, out.data(), out.size());
    ExpectEach(pairs, out, [](auto x, auto y) { return x - y; });
    HWY_DYNAMIC_DISPATCH(MulLanes)(a, b, out.data(), out.size());
    ExpectEach(pairs, out, [](auto x, auto y) { return x * y; });
    HWY_DYNAMIC_DISPATCH(Pow7Lanes)(a, b, out.data(), out.size());
    ExpectEach(pairs, out, [](auto x, auto) { return x.Pow(7); });
    HWY_DYNAMIC_DISPATCH(ShiftedPow7Lanes)(a, b, out.data(), out.size());
    ExpectEach(pairs, out, [](auto x, auto y) { return (x + y).Pow(7); });
  });
}

TEST(BabyBearLanes, SeventhPowersTakeAnySignedWord) {
  std::vector<uint32_t> words = {
      0,      1,          0x7fffffff, 0x80000000,  0x80000001, 0xffffffff,
      kPrime, kPrime - 1, -kPrime,    -kPrime + 1, -kPrime - 1};
  std::mt19937 random(2);
  while (words.size() < 1024) words.push_back(random());
  std::vector<BabyBear> out(words.size());
  ForEachTarget(RunningTarget, [&] {
    HWY_DYNAMIC_DISPATCH(SignedPow7Words)
    (words.data(), out.data(), out.size());
    for (size_t i = 0; i < words.size(); ++i) {
      const int64_t x = static_cast<int32_t>(words[i]);
      const BabyBear residue = BabyBear::FromResidue(
          static_cast<uint32_t>((x + 2 * int64_t{kPrime}) % kPrime));
      ASSERT_EQ(out[i].residue, residue.Pow(7).residue) << x;
    }
  });
}

TEST(BabyBearLanes, ExtensionProductsAreTheScalarOnes) {
  const Pairs pairs;
  const size_t stride = pairs.a.size() / 4;
  std::vector<BabyBear> out(4 * stride);
  const auto element = [&](const std::vector<BabyBear>& planes, size_t i) {
    return Ext4{{planes[i], planes[stride + i], planes[2 * stride + i],
                 planes[3 * stride + i]}};
  };
  ForEachTarget(RunningTarget, [&] {
    HWY_DYNAMIC_DISPATCH(MulExtLanes)
    (pairs.a.data(), pairs.b.data(), out.data(), stride);
    for (size_t i = 0; i < stride; ++i) {
      ASSERT_EQ(element(out, i), element(pairs.a, i) * element(pairs.b, i));
    }
  });
}

// Up to the number of terms that the sums promise, all of them largest.
TEST(BabyBearLanes, LongSumsOfProductsAreExact) {
  constexpr size_t kWidth = 64;
  for (const size_t terms : {0, 1, 3, 100, 2048}) {
    for (const bool largest : {false, true}) {
      std::mt19937_64 random(terms);
      const auto element = [&] {
        return BabyBear::FromResidue(
            largest ? kPrime - 1 : static_cast<uint32_t>(random() % kPrime));
      };
      std::vector<BabyBear> a(terms * kWidth);
      std::vector<BabyBear> b(terms);
      for (BabyBear& x : a) x = element();
      for (BabyBear& x : b) x = element();
      std::vector<BabyBear> expected(kWidth);
      for (size_t j = 0; j < terms; ++j) {
        for (size_t i = 0; i < kWidth; ++i) {
          expected[i] += a[j * kWidth + i] * b[j];
        }
      }
      ForEachTarget(RunningTarget, [&] {
        std::vector<BabyBear> out(kWidth);
        HWY_DYNAMIC_DISPATCH(DotLanes)
        (a.data(), b.data(), out.data(), kWidth, terms);
        EXPECT_EQ(out, expected) << terms << " terms";
      });
    }
  }
}

TEST(BabyBearLanes, PartialStoresLeaveTheRest) {
  const Pairs pairs;
  ForEachTarget(RunningTarget, [&] {
    for (size_t n = 1; n <= 16; ++n) {
      std::vector<BabyBear> out(64, BabyBear::FromResidue(7));
      const size_t written =
          HWY_DYNAMIC_DISPATCH(PartLanes)(pairs.a.data() + 64, out.data(), n);
      for (size_t i = 0; i < out.size(); ++i) {
        EXPECT_EQ(out[i].residue, i < written ? pairs.a[64 + i].residue : 7u)
            << n;
      }
    }
  });
}

TEST(BabyBearLanes, WideFormsComputeWhatTheScalarFormsDo) {
  const Pairs pairs;
  std::vector<uint64_t> words;
  std::mt19937_64 random(3);
  for (const uint64_t edge : {uint64_t{0}, uint64_t{kPrime}, uint64_t{1} << 51,
                              (uint64_t{1} << 52) - 1}) {
    words.push_back(edge);
  }
  while (words.size() < 1024) words.push_back(random() >> 12);
  bool wide = false;
  ForEachTarget(RunningTarget, [&] {
    if (!HWY_DYNAMIC_DISPATCH(HasWide)()) return;
    wide = true;
    std::vector<BabyBear> out(pairs.a.size());
    HWY_DYNAMIC_DISPATCH(WidePow7)(pairs.a.data(), out.data(), out.size());
    ExpectEach(pairs, out, [](auto x, auto) { return x.Pow(7); });
    std::vector<uint32_t> reduced(words.size());
    HWY_DYNAMIC_DISPATCH(WideReduce)
    (words.data(), reduced.data(), words.size());
    for (size_t i = 0; i < words.size(); ++i) {
      ASSERT_EQ(reduced[i], words[i] % kPrime) << words[i];
    }
  });
  if (!wide) GTEST_SKIP() << "this processor has no 52-bit products";
}

}  // namespace
}  // namespace assay
#endif  // HWY_ONCE
