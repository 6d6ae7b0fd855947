// Vector forms of GF(2^128) against the scalar one, on every target.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "assay/number/gf2_128.h"
#include "assay/number/gf2_128_reflected.h"
#include "assay/number/test_targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/number/gf2_128_lanes_test.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "assay/number/gf2_128-inl.h"
#include "assay/number/gf2_128_products-inl.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

int64_t ThisTarget() { return HWY_TARGET; }

// Applies a function of lanes to arrays whose size is a multiple of 64.
#define ASSAY_LANES(name, expression)                                        \
  void name(const Gf2_128* a, const Gf2_128* b, Gf2_128* out, size_t size) { \
    for (size_t i = 0; i < size; i += LanesG()) {                            \
      const VG x = LoadG(a + i);                                             \
      const VG y = LoadG(b + i);                                             \
      (void)y;                                                               \
      StoreG(expression, out + i);                                           \
    }                                                                        \
  }
ASSAY_LANES(AddLanes, AddG(x, y))
ASSAY_LANES(MulLanes, MulG(x, y))
ASSAY_LANES(TimesXLanes, TimesXG(x))
ASSAY_LANES(ReflectedLanes, MulReflectedG(x, FactorOf(y)))
ASSAY_LANES(MulWideLanes, MulWideG(x, y))
#undef ASSAY_LANES

// out[i] = sum_j a[j * width + i] b[j] with one reduction.
void DotLanes(const Gf2_128* a, const Gf2_128* b, Gf2_128* out, size_t width,
              size_t terms) {
  for (size_t i = 0; i < width; i += LanesG()) {
    SumG even;
    SumG odd;
    for (size_t j = 0; j < terms; ++j) {
      (j % 2 == 0 ? even : odd)
          .Add(LoadG(a + j * width + i), FactorOf(SetG(b[j])));
    }
    even.Add(odd);
    StoreG(even.Reduce(), out + i);
  }
}

// The same sum by the forms that spare shuffles: of products, and of products
// with constants.
void WideDotLanes(const Gf2_128* a, const Gf2_128* b, Gf2_128* out,
                  size_t width, size_t terms) {
  for (size_t i = 0; i < width; i += LanesG()) {
    WideSumG sum;
    for (size_t j = 0; j < terms; ++j) {
      sum.Add(LoadG(a + j * width + i), SetG(b[j]));
    }
    StoreG(sum.Reduce(), out + i);
  }
}
void ConstantDotLanes(const Gf2_128* a, const Gf2_128* b, Gf2_128* out,
                      size_t width, size_t terms) {
  for (size_t i = 0; i < width; i += LanesG()) {
    ConstantSumG sum;
    for (size_t j = 0; j < terms; ++j) {
      sum.Add(LoadG(a + j * width + i), ConstantOf(b[j]));
    }
    StoreG(sum.Reduce(), out + i);
  }
}

Gf2_128 TotalLanes(const Gf2_128* a, size_t size) {
  VG sum = ZeroG();
  for (size_t i = 0; i < size; i += LanesG()) sum = AddG(sum, LoadG(a + i));
  return SumOfLanesG(sum);
}

// Passes the first n lanes, or all if there are fewer; says how many.
size_t PartLanes(const Gf2_128* a, Gf2_128* out, size_t n) {
  const size_t count = n < LanesG() ? n : LanesG();
  StoreSomeG(LoadSomeG(a, count), out, count);
  return count;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
namespace {

HWY_EXPORT(ThisTarget);
HWY_EXPORT(AddLanes);
HWY_EXPORT(MulLanes);
HWY_EXPORT(TimesXLanes);
HWY_EXPORT(ReflectedLanes);
HWY_EXPORT(DotLanes);
HWY_EXPORT(MulWideLanes);
HWY_EXPORT(WideDotLanes);
HWY_EXPORT(ConstantDotLanes);
HWY_EXPORT(TotalLanes);
HWY_EXPORT(PartLanes);

int64_t RunningTarget() { return HWY_DYNAMIC_DISPATCH(ThisTarget)(); }

std::vector<Gf2_128> Random(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<Gf2_128> elements(count);
  for (Gf2_128& x : elements) x = {random(), random()};
  return elements;
}

// Pairs of edges in every combination, then random pairs; a multiple of 64.
struct Pairs {
  std::vector<Gf2_128> a = Random(1, 1024);
  std::vector<Gf2_128> b = Random(2, 1024);

  Pairs() {
    constexpr uint64_t kTop = uint64_t{1} << 63;
    const Gf2_128 edges[] = {{0, 0},    {1, 0},
                             {kTop, 0}, {0, 1},
                             {0, kTop}, {~uint64_t{0}, 0},
                             {0x87, 0}, {~uint64_t{0}, ~uint64_t{0}}};
    size_t i = 0;
    for (const Gf2_128 x : edges) {
      for (const Gf2_128 y : edges) {
        a[i] = x;
        b[i++] = y;
      }
    }
  }
};

template <class Scalar>
void ExpectEach(const Pairs& pairs, const std::vector<Gf2_128>& found,
                const Scalar& scalar) {
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i], scalar(pairs.a[i], pairs.b[i])) << i;
  }
}

TEST(Gf2_128Lanes, ComputeWhatTheScalarFormsDo) {
  const Pairs pairs;
  const Gf2_128* a = pairs.a.data();
  const Gf2_128* b = pairs.b.data();
  std::vector<Gf2_128> out(pairs.a.size());
  ForEachTarget(RunningTarget, [&] {
    HWY_DYNAMIC_DISPATCH(AddLanes)(a, b, out.data(), out.size());
    ExpectEach(pairs, out, [](auto x, auto y) { return x + y; });
    HWY_DYNAMIC_DISPATCH(MulLanes)(a, b, out.data(), out.size());
    ExpectEach(pairs, out, [](auto x, auto y) { return x * y; });
    HWY_DYNAMIC_DISPATCH(MulWideLanes)(a, b, out.data(), out.size());
    ExpectEach(pairs, out, [](auto x, auto y) { return x * y; });
    HWY_DYNAMIC_DISPATCH(TimesXLanes)(a, b, out.data(), out.size());
    ExpectEach(pairs, out, [](auto x, auto) { return x.TimesX(); });
  });
}

TEST(Gf2_128Lanes, ReflectedProductsAreThoseOfTheReversedElements) {
  const Pairs pairs;
  Pairs mirrored;
  for (size_t i = 0; i < pairs.a.size(); ++i) {
    mirrored.a[i] = Gf2_128::From(reflected::Reverse(pairs.a[i].word()));
    mirrored.b[i] = Gf2_128::From(reflected::KeyOf(pairs.b[i]));
  }
  std::vector<Gf2_128> out(pairs.a.size());
  ForEachTarget(RunningTarget, [&] {
    HWY_DYNAMIC_DISPATCH(ReflectedLanes)
    (mirrored.a.data(), mirrored.b.data(), out.data(), out.size());
    ExpectEach(pairs, out, [](auto x, auto y) {
      return Gf2_128::From(reflected::Reverse((x * y).word()));
    });
  });
}

TEST(Gf2_128Lanes, SumsOfProductsAreReducedOnceAndExactly) {
  constexpr size_t kWidth = 64;
  constexpr Gf2_128 kOnes = {~uint64_t{0}, ~uint64_t{0}};
  // With dense elements sums in the holes of software products are largest.
  for (const auto& [terms, dense] : {std::pair<size_t, bool>{0, false},
                                     {1, false},
                                     {1, true},
                                     {2, false},
                                     {3, false},
                                     {3, true},
                                     {100, false},
                                     {101, true}}) {
    std::vector<Gf2_128> a = Random(3, kWidth * terms);
    std::vector<Gf2_128> b = Random(4, terms);
    if (dense) {
      for (Gf2_128& x : a) x = x.low % 3 == 0 ? kOnes : Gf2_128();
      for (Gf2_128& x : b) x = x.low % 2 == 0 ? kOnes : Gf2_128();
      a[0] = b[0] = kOnes;
    }
    std::vector<Gf2_128> expected(kWidth);
    for (size_t j = 0; j < terms; ++j) {
      for (size_t i = 0; i < kWidth; ++i) {
        expected[i] += a[j * kWidth + i] * b[j];
      }
    }
    ForEachTarget(RunningTarget, [&] {
      std::vector<Gf2_128> out(kWidth);
      HWY_DYNAMIC_DISPATCH(DotLanes)
      (a.data(), b.data(), out.data(), kWidth, terms);
      EXPECT_EQ(out, expected);
      HWY_DYNAMIC_DISPATCH(WideDotLanes)
      (a.data(), b.data(), out.data(), kWidth, terms);
      EXPECT_EQ(out, expected);
      HWY_DYNAMIC_DISPATCH(ConstantDotLanes)
      (a.data(), b.data(), out.data(), kWidth, terms);
      EXPECT_EQ(out, expected);
    });
  }
}

TEST(Gf2_128Lanes, LanesAddUp) {
  const std::vector<Gf2_128> a = Random(5, 128);
  Gf2_128 expected;
  for (const Gf2_128 x : a) expected += x;
  ForEachTarget(RunningTarget, [&] {
    EXPECT_EQ(HWY_DYNAMIC_DISPATCH(TotalLanes)(a.data(), a.size()), expected);
  });
}

TEST(Gf2_128Lanes, PartsOfVectorsTouchNothingElse) {
  const std::vector<Gf2_128> a = Random(6, 16);
  ForEachTarget(RunningTarget, [&] {
    for (size_t n = 0; n <= 8; ++n) {
      std::vector<Gf2_128> out(16, Gf2_128{7, 9});
      const size_t count =
          HWY_DYNAMIC_DISPATCH(PartLanes)(a.data(), out.data(), n);
      for (size_t i = 0; i < out.size(); ++i) {
        EXPECT_EQ(out[i], i < count ? a[i] : (Gf2_128{7, 9}));
      }
    }
  });
}

}  // namespace
}  // namespace assay
#endif  // HWY_ONCE
