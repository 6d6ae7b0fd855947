// Sums over long complex vectors, for each vector target.
// SPDX-License-Identifier: Apache-2.0
#include "assay/planar/krylov.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "assay/planar/krylov_cpu.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace assay::planar {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Complex = std::complex<double>;

// Complex numbers lie as re, im, re, im: a real product of two such vectors
// holds the parts of the real sum, one with w's parts exchanged those of the
// imaginary sum, the second of each pair with the wrong sign.
constexpr size_t kAtOnce = 4;

template <class D>
HWY_INLINE double Alternating(D d, hn::Vec<D> sum) {
  HWY_ALIGN double lane[HWY_MAX_BYTES / sizeof(double)];
  hn::Store(sum, d, lane);
  double total = 0;
  for (size_t i = 0; i + 1 < hn::Lanes(d); i += 2) {
    total += lane[i] - lane[i + 1];
  }
  return total;
}

template <class D>
HWY_INLINE double Straight(D d, hn::Vec<D> sum) {
  HWY_ALIGN double lane[HWY_MAX_BYTES / sizeof(double)];
  hn::Store(sum, d, lane);
  double total = 0;
  for (size_t i = 0; i < hn::Lanes(d); ++i) total += lane[i];
  return total;
}

void Dots(const Complex* const* v, size_t count, const Complex* w, size_t begin,
          size_t end, Complex* sums) {
  const hn::ScalableTag<double> d;
  const size_t lanes = hn::Lanes(d);
  const size_t total = 2 * (end - begin);
  // One lane can not exchange the parts of a number.
  const size_t vectors = lanes < 2 ? 0 : total / lanes * lanes;
  const double* x = reinterpret_cast<const double*>(w + begin);
  for (size_t j = 0; j < count; j += kAtOnce) {
    const size_t width = std::min(kAtOnce, count - j);
    const double* a[kAtOnce];
    for (size_t k = 0; k < kAtOnce; ++k) {
      a[k] = reinterpret_cast<const double*>(v[j + std::min(k, width - 1)] +
                                             begin);
    }
    double re[kAtOnce] = {}, im[kAtOnce] = {};
#if HWY_TARGET != HWY_SCALAR
    auto r0 = hn::Zero(d), r1 = r0, r2 = r0, r3 = r0;
    auto i0 = r0, i1 = r0, i2 = r0, i3 = r0;
    for (size_t i = 0; i < vectors; i += lanes) {
      const auto plain = hn::LoadU(d, x + i);
      const auto turned = hn::Reverse2(d, plain);
      const auto a0 = hn::LoadU(d, a[0] + i), a1 = hn::LoadU(d, a[1] + i);
      const auto a2 = hn::LoadU(d, a[2] + i), a3 = hn::LoadU(d, a[3] + i);
      r0 = hn::MulAdd(a0, plain, r0);
      i0 = hn::MulAdd(a0, turned, i0);
      r1 = hn::MulAdd(a1, plain, r1);
      i1 = hn::MulAdd(a1, turned, i1);
      r2 = hn::MulAdd(a2, plain, r2);
      i2 = hn::MulAdd(a2, turned, i2);
      r3 = hn::MulAdd(a3, plain, r3);
      i3 = hn::MulAdd(a3, turned, i3);
    }
    re[0] = Straight(d, r0), re[1] = Straight(d, r1);
    re[2] = Straight(d, r2), re[3] = Straight(d, r3);
    im[0] = Alternating(d, i0), im[1] = Alternating(d, i1);
    im[2] = Alternating(d, i2), im[3] = Alternating(d, i3);
#endif
    for (size_t k = 0; k < width; ++k) {
      for (size_t i = vectors; i < total; i += 2) {
        re[k] += a[k][i] * x[i] + a[k][i + 1] * x[i + 1];
        im[k] += a[k][i] * x[i + 1] - a[k][i + 1] * x[i];
      }
      sums[j + k] = {re[k], im[k]};
    }
  }
}

void Subtract(const Complex* const* v, size_t count, const Complex* h,
              Complex* w, size_t begin, size_t end) {
  const hn::ScalableTag<double> d;
  const size_t lanes = hn::Lanes(d);
  const size_t total = 2 * (end - begin);
  const size_t vectors = lanes < 2 ? 0 : total / lanes * lanes;
  double* x = reinterpret_cast<double*>(w + begin);
  for (size_t j = 0; j < count; j += kAtOnce) {
    const size_t width = std::min(kAtOnce, count - j);
    const double* a[kAtOnce];
    Complex g[kAtOnce] = {};
    for (size_t k = 0; k < kAtOnce; ++k) {
      a[k] = reinterpret_cast<const double*>(v[j + std::min(k, width - 1)] +
                                             begin);
      if (k < width) g[k] = h[j + k];
    }
#if HWY_TARGET != HWY_SCALAR
    const auto r0 = hn::Set(d, g[0].real()), i0 = hn::Set(d, g[0].imag());
    const auto r1 = hn::Set(d, g[1].real()), i1 = hn::Set(d, g[1].imag());
    const auto r2 = hn::Set(d, g[2].real()), i2 = hn::Set(d, g[2].imag());
    const auto r3 = hn::Set(d, g[3].real()), i3 = hn::Set(d, g[3].imag());
    for (size_t i = 0; i < vectors; i += lanes) {
      const auto a0 = hn::LoadU(d, a[0] + i), a1 = hn::LoadU(d, a[1] + i);
      const auto a2 = hn::LoadU(d, a[2] + i), a3 = hn::LoadU(d, a[3] + i);
      const auto re = hn::MulAdd(
          r3, a3, hn::MulAdd(r2, a2, hn::MulAdd(r1, a1, hn::Mul(r0, a0))));
      const auto im = hn::MulAdd(
          i3, a3, hn::MulAdd(i2, a2, hn::MulAdd(i1, a1, hn::Mul(i0, a0))));
      // w - (re + j im): j im has parts -im', im of its neighbour.
      const auto left = hn::Sub(hn::LoadU(d, x + i), re);
      const auto turned = hn::Reverse2(d, im);
      hn::StoreU(hn::OddEven(hn::Sub(left, turned), hn::Add(left, turned)), d,
                 x + i);
    }
#endif
    for (size_t k = 0; k < width; ++k) {
      for (size_t i = vectors; i < total; i += 2) {
        x[i] -= g[k].real() * a[k][i] - g[k].imag() * a[k][i + 1];
        x[i + 1] -= g[k].real() * a[k][i + 1] + g[k].imag() * a[k][i];
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace assay::planar
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::planar {

HWY_EXPORT(Dots);
HWY_EXPORT(Subtract);

void ConjugateDots(const std::complex<double>* const* v, size_t count,
                   const std::complex<double>* w, size_t begin, size_t end,
                   std::complex<double>* sums) {
  HWY_DYNAMIC_DISPATCH(Dots)(v, count, w, begin, end, sums);
}

void SubtractCombination(const std::complex<double>* const* v, size_t count,
                         const std::complex<double>* h, std::complex<double>* w,
                         size_t begin, size_t end) {
  HWY_DYNAMIC_DISPATCH(Subtract)(v, count, h, w, begin, end);
}

}  // namespace assay::planar
#endif  // HWY_ONCE
